"""Passages that show their borders: fenced blocks, JSON, tags, encoded bytes."""

import re
from collections.abc import Iterator
from functools import cache

from memory_core.junk.lines import line_spans
from memory_core.junk.reasons import Reason, Span
from memory_core.junk.recalled import holds_own_id
from memory_core.junk.signs import is_prose

SHORTEST_JSON = 40
"""Characters, of which those of wide scripts count two."""
MOST_UNCLOSED = 8
"""Brackets that are followed in vain: each costs a look at the rest of the text."""

TAGS_OF_MARKUP = 6


def fence_spans(text: str) -> Iterator[Span]:
    """Fenced blocks, but for prose in a fence. A fence that is not closed reaches to the end."""
    fences = list(_fence().finditer(text))
    opened: re.Match[str] | None = None
    for fence in fences:
        if opened is None:
            opened = fence
        elif fence[1][0] == opened[1][0] and len(fence[1]) >= len(opened[1]) and not fence[2]:
            yield from _fenced(text, opened, fence.start(), fence.end())
            opened = None
    if opened:
        yield from _fenced(text, opened, len(text), len(text))


def _fenced(text: str, opened: re.Match[str], body_end: int, end: int) -> Iterator[Span]:
    body = text[opened.end() : body_end]
    reason = _reason_of_language(opened[2].lower()) or _reason_of_body(body)
    if reason and body.strip():
        yield Span(start=opened.start(), end=end, reason=reason)


def _reason_of_language(language: str) -> Reason | None:
    name = language.strip("{}. ").split(" ")[0].split(":")[0]
    if not name or name in ("text", "txt", "plain", "plaintext", "markdown", "md", "quote"):
        return None
    if name in ("json", "jsonc", "json5", "xml", "csv", "tsv", "http", "yaml", "yml", "html"):
        return Reason.TOOL_OUTPUT
    logs = ("log", "logs", "console", "terminal", "shell-session", "output", "powershell-session")
    return Reason.LOG if name in logs else Reason.CODE


def _reason_of_body(body: str) -> Reason | None:
    """What most of a fenced block without a language is."""
    found = [*json_spans(body), *line_spans(body, alone=True)]
    longest = max(found, key=lambda span: span.end - span.start, default=None)
    if longest and 2 * (longest.end - longest.start) >= len(body.strip()):
        return longest.reason
    lines = [line for line in body.splitlines() if line.strip()]
    worded = sum(is_prose(line) or _item().match(line) is not None for line in lines)
    return Reason.CODE if len(lines) > 1 and 2 * worded < len(lines) else None


def json_spans(text: str) -> Iterator[Span]:
    """JSON of some length anywhere, also inside a line of prose."""
    done, unclosed = 0, 0
    for opening in _json_start().finditer(text):
        if opening.start() < done or unclosed == MOST_UNCLOSED:
            continue
        end = _closed(text, opening.start())
        unclosed += end is None
        if end and (reason := _reason_of_json(text[opening.start() : end])):
            done = end
            yield Span(start=opening.start(), end=end, reason=reason)


def _closed(text: str, start: int) -> int | None:
    depth = 0
    for mark in _json_mark().finditer(text, start):
        if mark[0] in "{[":
            depth += 1
        elif mark[0] in "}]":
            depth -= 1
            if depth == 0:
                return mark.end()
    return None


def _reason_of_json(chunk: str) -> Reason | None:
    names = len(_json_name().findall(chunk))
    weight = len(chunk) + sum(char > "\u2e80" for char in chunk)
    if weight < SHORTEST_JSON or (names < 2 and weight < 6 * SHORTEST_JSON):
        return None
    if names < 2 and chunk.count(",") * 12 < len(chunk):
        return None  # a bracket of prose
    if holds_own_id(chunk):
        return Reason.RECALLED
    return Reason.BOOT_FILE if _tool_definition().search(chunk) else Reason.TOOL_OUTPUT


def inline_spans(text: str) -> Iterator[Span]:
    """Encoded bytes, placeholder text, and lines full of tags."""
    for word in _long_word().finditer(text):
        if not _address().search(word[0]):
            for run in _encoded().finditer(word[0]):
                if _is_mixed(run[0]):
                    start = word.start() + run.start()
                    end = start + len(run[0])
                    yield Span(start=start, end=end, reason=Reason.TOOL_OUTPUT)
    for filler in _filler().finditer(text):
        yield Span(start=filler.start(), end=filler.end(), reason=Reason.TOOL_OUTPUT)
    yield from _markup(text)


def _markup(text: str) -> Iterator[Span]:
    """Runs of tags with short texts between them, on one line."""
    run: list[re.Match[str]] = []
    for tag in _tag().finditer(text):
        gap = text[run[-1].end() : tag.start()] if run else ""
        if run and (len(gap) > 160 or "\n" in gap):
            yield from _run_of_tags(run)
            run = []
        run.append(tag)
    yield from _run_of_tags(run)


def _run_of_tags(run: list[re.Match[str]]) -> Iterator[Span]:
    if len(run) >= TAGS_OF_MARKUP:
        yield Span(start=run[0].start(), end=run[-1].end(), reason=Reason.TOOL_OUTPUT)


def _is_mixed(run: str) -> bool:
    """Encoded bytes mix letters of both cases and digits; rulers and laughter do not."""
    kinds = (str.isupper, str.islower, str.isdigit)
    return len(set(run)) >= 16 or (
        len(set(run)) >= 10 and sum(any(map(kind, run)) for kind in kinds) >= 2
    )


@cache
def _item() -> re.Pattern[str]:
    """An item of a list, or a line of letters only."""
    return re.compile(r"\s*(?:[-*•] |\d{1,3}[.)] )|[^\W\d_]+(?:[ ,.'’!?、，。][^\W\d_]*)*$")


@cache
def _fence() -> re.Pattern[str]:
    return re.compile(r"^[ \t>]{0,8}(`{3,20}|~{3,20})[ \t]{0,4}([^\n`]{0,60})$\n?", re.M)


@cache
def _json_start() -> re.Pattern[str]:
    return re.compile(r"[{\[]\s{0,40}[\"'{\[]|[{\[]\n")


@cache
def _json_mark() -> re.Pattern[str]:
    return re.compile(r'"[^"\\\n]*(?:\\.[^"\\\n]*)*"|[{}\[\]]')


@cache
def _json_name() -> re.Pattern[str]:
    return re.compile(r"[\"'][\w$@./ -]{1,60}[\"']\s{0,9}:")


@cache
def _tool_definition() -> re.Pattern[str]:
    return re.compile(r'"(?:input_?[sS]chema|parameters)"\s{0,9}:\s{0,9}\{[\s\S]{0,200}"type"')


@cache
def _long_word() -> re.Pattern[str]:
    return re.compile(r"[!-~]{100,}")


@cache
def _filler() -> re.Pattern[str]:
    """The placeholder of templates, to the end of its line."""
    return re.compile(r"\b[Ll]orem ipsum dolor\b[^\n]{20,}")


@cache
def _address() -> re.Pattern[str]:
    return re.compile(r"\b(?:https?|ftp|magnet|mailto)\b[:.]|www\.", re.I)


@cache
def _encoded() -> re.Pattern[str]:
    return re.compile(r"(?:data:[\w/+.-]{1,60};base64,)?[A-Za-z0-9+/=_%-]{100,}")


@cache
def _tag() -> re.Pattern[str]:
    return re.compile(r"</?[A-Za-z][\w:.-]{0,60}(?:\s[^<>]{0,300})?/?>")
