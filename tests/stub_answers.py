"""Valid answers to what this project asks models, made by rules from the pages in the prompt."""

import re
from collections.abc import Mapping
from typing import Any

_PAGE = re.compile(r"^\[(\d+)\] (\d{4}-\d\d-\d\d)", re.MULTILINE)


def plausible(kind: str, prompt: str, shift: int = 0) -> dict[str, Any] | None:
    """A valid answer to the question of this kind, from the pages in it; None for prose.

    Topics of up to four pages; one fact for each thing a user says that is not a question; for
    the profile, one line for each that starts with "I" or "我".
    """
    pages = _pages(prompt)
    said = {n: text for n, text in pages.items() if text and text[-1] not in "?？"}
    match kind:
        case "colours":
            return {"colours": ["red", "green"]}
        case "topics":
            numbers = list(pages)
            groups = [numbers[i : i + 4] for i in range(0, len(numbers), 4)]
            return {"topics": [_topic(pages, group, shift) for group in groups]}
        case "facts":
            return {"facts": [_fact(number + shift, text) for number, text in said.items()]}
        case "profile":
            own = {n: text for n, text in said.items() if re.match(r"I\b|My\b|我", text)}
            return {"changes": [_line(number + shift, text) for number, text in own.items()]}
    return None


def _pages(prompt: str) -> dict[int, str]:
    """First sentence of the user's side of each numbered page, at most 200 characters."""
    heads = list(_PAGE.finditer(prompt))
    ends = [head.start() for head in heads[1:]] + [len(prompt)][: len(heads)]
    pages = {}
    for head, end in zip(heads, ends, strict=True):
        side = re.search(r"^  User: (.+)$", prompt[head.end() : end], re.MULTILINE)
        sentence = re.match(r".*?[.!?。！？]|.+", side[1]) if side else None
        pages[int(head[1])] = sentence[0][:200].strip() if sentence else ""
    return pages


def _topic(pages: Mapping[int, str], group: list[int], shift: int) -> dict[str, Any]:
    said = [pages[number] for number in group if pages[number]]
    words = re.findall(r"\w{4,}", " ".join(said).lower())
    return {
        "title": (said or ["Small talk"])[0][:40],
        "summary": " ".join(said) or "Nothing was said.",
        "keywords": list(dict.fromkeys(words))[:8],
        "pages": [number + shift for number in group],
    }


def _fact(number: int, text: str) -> dict[str, Any]:
    home = re.search(r"\blive in\b|\bmoved to\b|住在|搬到", text)
    return {
        "about": "user",
        "text": text,
        "pages": [number],
        "replaces": 0,
        "confidence": 0.9,
        "attribute": "home" if home else "",
        "section": "identity" if home else "other",
    }


def _line(number: int, text: str) -> dict[str, Any]:
    likes = re.search(r"\blike|\blove|\bprefer|喜欢", text)
    return {
        "action": "add",
        "line": 0,
        "section": "preferences" if likes else "identity",
        "text": text,
        "pages": [number],
        "confidence": 0.9,
    }
