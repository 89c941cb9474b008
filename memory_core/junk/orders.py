"""Orders to this memory that a text brings along: a web page, a mail, a file that was pasted.

Who poisons a memory forges what surrounds its questions, and speaks of "the user" as no user does.
One sign alone may be the user's own ("Ignore my former instructions"), not two in one paragraph.
"""

import re
from collections.abc import Iterator
from functools import cache

from memory_core.junk.reasons import Reason, Span


def order_spans(text: str) -> Iterator[Span]:
    """From the first of at least two kinds of signs in a paragraph to the line end of the last."""
    if not _to_memory().search(text) and not _override().search(text):
        return
    for start, end in _paragraphs(text):
        found = [kind().search(text, start, end) for kind in _SIGNS]
        signs = [sign for sign in found if sign]
        if len(signs) >= 2:
            first, last = min(map(re.Match.start, signs)), max(map(re.Match.end, signs))
            line_end = text.find("\n", last)
            last = len(text) if line_end < 0 else line_end
            yield Span(start=first, end=last, reason=Reason.INJECTED)


def _paragraphs(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = text.find("\n\n", start)
        end = len(text) if end < 0 else end
        yield start, end
        start = end + 2


@cache
def _forged() -> re.Pattern[str]:
    """A border of our questions, or the role of a message of a chat."""
    return re.compile(
        r"</?(?:pages|known|profile|memory|standing|question|system|instructions?)>"
        r"|<\|?(?:im_start|im_end|system|assistant)\|?>|\[/?(?:INST|SYS|SYSTEM)\]"
        r"|\b(?:SYSTEM|System)(?: (?:message|prompt|note|override))?\s?[:：]"
        r"|系统(?:提示|消息|指令)?[:：]|システム[:：]"
    )


@cache
def _override() -> re.Pattern[str]:
    all_former = r"(?:all|any|every|the|your|these|previous|prior|earlier|above|other|of)"
    return re.compile(
        rf"\b(?:ignore|disregard|forget|override)(?: {all_former}){{1,4}} "
        r"(?:instructions?|prompts?|rules|directions|guidelines|messages)\b"
        r"|(?:忽略|无视|無視|忘记|忘掉)[^。\n]{0,12}(?:指令|指示|提示|命令|规则|規則)"
        r"|[^。\n]{0,12}(?:指示|命令|プロンプト|ルール)を(?:すべて|全て)?(?:無視|忘れ)",
        re.I,
    )


@cache
def _to_memory() -> re.Pattern[str]:
    """To keep something about "the user": users say "I"."""
    keep = r"(?:store|save|record|remember|memori[sz]e|add|write|note|keep)"
    return re.compile(
        rf"\b{keep}\b[^.!?\n]{{0,40}}\b(?:the user\b|facts?:|memory:|profile:)"
        r"|(?:记住|記住|保存|存储|記憶|写入)[^。\n]{0,12}(?:用户|用戶|使用者|事实[:：])"
        r"|ユーザー[^。\n]{0,40}(?:記憶|保存|覚え)",
        re.I,
    )


_SIGNS = (_forged, _override, _to_memory)
