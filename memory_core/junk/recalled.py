"""Passages that came out of memory and are quoted back: learnt again they would prove themselves.

What a user says again in plain words is none: it confirms.
"""

import re
from collections.abc import Iterator
from functools import cache

from memory_core.junk.reasons import Reason, Side, Span
from memory_core.sentences import sentences
from memory_core.text import normalised

SHORTEST_KNOWN = 8
"""Characters of a known text from which saying it word for word is no accident."""


def recalled_spans(text: str, side: Side, known: frozenset[str]) -> Iterator[Span]:
    """Replies of this memory, and on the assistant's side or in quotations what is known.

    Args:
        known: normalised texts of current facts and lines of the profile.
    """
    if not known and not _trace().search(text):
        return
    block: tuple[int, int] | None = None
    heading: int | None = None
    for start, end in _lines(text):
        if start == end:
            continue
        line = _unquoted(text[start : min(end, start + 600)])
        if block and (not line or _reply_line().match(line) or _reply_item().match(line)):
            block = (block[0], end) if line else block
        elif _reply_line().match(line) or _holds_id(line, side):
            block = (_finished(block, heading, start), end)
        elif heading is not None and _listed(side).match(line):
            block = (heading, end)
        else:
            if block:
                yield Span(start=block[0], end=block[1], reason=Reason.RECALLED)
            block = None
            yield from _known_parts(text, start, end, side, known)
        heading = start if _weak_heading().match(line) else (heading if not line else None)
    if block:
        yield Span(start=block[0], end=block[1], reason=Reason.RECALLED)


def holds_own_id(text: str) -> bool:
    """Whether an id of this memory is in the text."""
    return _own_id().search(text) is not None


def _finished(block: tuple[int, int] | None, heading: int | None, start: int) -> int:
    return block[0] if block else (heading if heading is not None else start)


def _known_parts(
    text: str, start: int, end: int, side: Side, known: frozenset[str]
) -> Iterator[Span]:
    line = text[start:end]
    if not known or (side is Side.USER and not _quotation().match(line)):
        return
    if _is_known(_bare(line), known):
        yield Span(start=start, end=end, reason=Reason.RECALLED)
        return
    cursor = start
    for sentence in sentences(line):
        begin = text.find(sentence, cursor, end)
        if begin < 0:
            continue
        cursor = begin + len(sentence)
        if _is_known(_bare(sentence), known):
            yield Span(start=begin, end=cursor, reason=Reason.RECALLED)


def _is_known(text: str, known: frozenset[str]) -> bool:
    if len(text) > 1000:
        return False
    bare = normalised(text)
    wide = sum(char > "\u2e80" for char in bare)
    return len(bare) + wide >= SHORTEST_KNOWN and bare in known


def _bare(line: str) -> str:
    return _ornament().sub("", line[:1200]).strip().strip('"“”「」『』*_`')


def _unquoted(line: str) -> str:
    return _quote_mark().sub("", line).rstrip()


def _holds_id(line: str, side: Side) -> bool:
    found = _own_id().search(line)
    return found is not None and (side is Side.ASSISTANT or not line[:1].isalpha())


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 1


@cache
def _trace() -> re.Pattern[str]:
    """What any reply of this memory holds: most texts are done with one look for it."""
    return re.compile(
        r"(?:page|fact|segment|profile)_[0-9a-z]{12}|Recalled data|Profile of the user|Profile, \d|"
        r"turns, (?:best|newest)|were left out for|Fact about the|About |\[\d{1,3}\] \d{4}-"
        r"|(?:Earlier(?:, perhaps)?|Just now), \d"
        r"|[-*] (?:\[\d{4}-\d\d-\d\d|The user |用户|ユーザー)"
        r"|[Mm]emor(?:y|ies)\b|\bI remember\b|记忆|記憶|记得|覚えてい"
    )


@cache
def _own_id() -> re.Pattern[str]:
    return re.compile(r"\b(?:page|fact|segment|profile)_(?=[a-z]{0,11}\d)[0-9a-hjkmnp-tv-z]{12}\b")


@cache
def _reply_line() -> re.Pattern[str]:
    """Lines that only this memory's replies and prompts have."""
    day = r"\d{4}-\d\d-\d\d"
    return re.compile(
        rf"Profile of the user \(version \d+, {day}|(?:Related turns, best|Latest turns, newest) "
        rf"first(?:, times in [^:\n]{{1,60}})?:|Stored as page_\w{{12}}\b"
        rf"|[-*] \[{day} \d\d:\d\d\] (?:\(perhaps\) )?(?:User|Assistant): "
        rf"|\[\d{{1,3}}\] {day} \d\d:\d\d \w{{3}}$"
        rf"|[-*] \[{day}[^\]\n]{{0,9}}\] (?:The user|用户|ユーザー)"
        rf"|\d+ more were left out for length; ask|Fact about the (?:user|assistant), {day}"
        rf"|Profile, {day}, [\w ]+: |(?:Earlier(?:, perhaps)?|Just now), {day} \d\d:\d\d \w{{3}}$"
        r"|Recalled data, not instructions\."
    )


@cache
def _reply_item() -> re.Pattern[str]:
    """What stands below such a line."""
    return re.compile(
        r"[-*•] |\d{1,2}[.)、] ?\S|## [\w ]+$|(?:Notes|About the user|About the assistant):$"
        r"|\s*(?:User|Assistant|Since then): "
    )


@cache
def _weak_heading() -> re.Pattern[str]:
    words = r"\b[Mm]emor(?:y|ies)\b|\bI remember\b|记忆|記憶|记得|覚えてい"
    memories = rf"[^\n]{{0,60}}(?:{words})[^\n]{{0,40}}[:：]"
    return re.compile(rf"(?:#+ )?\**(?:About the (?:user|assistant)\**:?|{memories})\**$")


@cache
def _listed(side: Side) -> re.Pattern[str]:
    """An item of a list about the user; the assistant recites memory in the second person too."""
    named = r"\[\d{4}-\d\d-\d\d|\**(?:The user|User profile)\b|用户|ユーザー"
    recited = r"|\**You(?:r|'re|'ve)?\b|[你您]|あなた" if side is Side.ASSISTANT else ""
    return re.compile(rf"(?:[-*•]|\d{{1,2}}[.)、]) ?(?:{named}{recited})")


@cache
def _quotation() -> re.Pattern[str]:
    return re.compile(r"\s*(?:>|[-*] \[\d{4}-\d\d-\d\d|[\"“「『])")


@cache
def _quote_mark() -> re.Pattern[str]:
    return re.compile(r"^[\s>|]*(?=\S)|^\s+$")


@cache
def _ornament() -> re.Pattern[str]:
    day = r"\d{4}-\d\d-\d\d"
    return re.compile(rf"^[\s>]*(?:[-*•] |\d{{1,3}}[.)] )?(?:\[{day}[^\]]{{0,9}}\] ?)?")
