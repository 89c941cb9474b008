"""Sentences of a text, and pieces of it cut at sentence borders."""

import re
from collections.abc import Iterator
from functools import cache

ABBREVIATIONS = frozenset(
    [
        "e.g",
        "i.e",
        "etc",
        "vs",
        "cf",
        "mr",
        "mrs",
        "ms",
        "dr",
        "prof",
        "st",
        "jr",
        "sr",
        "no",
        "fig",
        "approx",
        "inc",
        "ltd",
        "co",
        "dept",
        "est",
        "a.m",
        "p.m",
        "u.s",
        "u.k",
        "ph.d",
        "jan",
        "feb",
        "mar",
        "apr",
        "jun",
        "jul",
        "aug",
        "sep",
        "sept",
        "oct",
        "nov",
        "dec",
    ]
)
LOOK_BACK = 12
"""Characters before a full stop in which an abbreviation or list number is looked for."""


def sentences(text: str) -> list[str]:
    """Sentences in order, stripped, none empty; cut after . ! ? 。 ！ ？ and at line ends.

    A Latin mark ends a sentence only before a space, the end or a CJK character, so decimals and
    URLs stay whole; abbreviations, initials, list numbers and ellipses do not end one.
    """
    return [bare for start, end in _spans(text) if (bare := text[start:end].strip())]


def pieces(text: str, window: int, most: int = 32) -> list[str]:
    """Consecutive pieces of at most `window` characters, cut at sentence borders where possible.

    A longer sentence is cut at a space, or anywhere. When more than `most` pieces would come out,
    the window grows until they do not. A text that is not empty has at least one piece.
    """
    if not text.strip():
        return [text] if text else []
    spans = list(_spans(text))
    window = max(window, 1, len(text) // max(most, 1))
    while len(found := _packed(text, spans, window)) > max(most, 1):
        window += window // 3 + 1
    return found


def _packed(text: str, spans: list[tuple[int, int]], window: int) -> list[str]:
    found: list[str] = []
    start = end = 0
    for _, border in spans:
        if border - start > window and end > start:
            found.append(text[start:end])
            start = end
        while border - start > window:
            cut = _cut(text, start, start + window)
            found.append(text[start:cut])
            start = cut
        end = border
    found.append(text[start:end])
    return [bare for piece in found if (bare := piece.strip())]


def _cut(text: str, start: int, end: int) -> int:
    space = text.rfind(" ", (start + end) // 2, end)
    return space + 1 if space >= 0 else end


def _spans(text: str) -> Iterator[tuple[int, int]]:
    """Half-open ranges of the sentences with the space after them; together they are the text."""
    start = 0
    for mark in _marks().finditer(text):
        if _is_border(text, start, mark):
            yield start, mark.end()
            start = mark.end()
    if start < len(text):
        yield start, len(text)


def _is_border(text: str, start: int, mark: re.Match[str]) -> bool:
    stop = mark["latin"]
    if stop is None:
        return True
    if stop.startswith("..") or "…" in stop:
        following = text[mark.end() : mark.end() + 1]
        return text[mark.end() - 1].isspace() and not following.islower()
    if stop[0] != ".":
        return True
    before = text[max(start, mark.start() - LOOK_BACK) : mark.start()]
    word = before.split()[-1].lstrip("([\"'“‘") if before.strip() else ""
    if word.lower() in ABBREVIATIONS or (len(word) == 1 and word.isupper() and word != "I"):
        return False
    return not (word.isdigit() and text[start : mark.start()].strip() == word)


@cache
def _marks() -> re.Pattern[str]:
    closers = "[\"'”’»)\\]」』】）]*"
    # Possessive, and only at the start of a run of marks: linear on any input.
    return re.compile(
        rf"\n\s*|[。！？]+{closers}\s*"
        rf"|(?<![.!?…])(?P<latin>[.!?…]++){closers}+(?:[^\S\n]+|$|(?=[\n\u3040-\u30ff\u4e00-\u9fff]))"
    )
