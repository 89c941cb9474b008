"""Orders to this memory that a text brings along: a web page, a mail, a file that was pasted.

Who poisons a memory forges what surrounds its questions, and speaks of "the user" as no user does.
One of the two may be the user's own ("Ignore my former instructions"), both together are not.
"""

import re
from collections.abc import Iterator
from functools import cache

from memory_core.junk.reasons import Reason, Span

NEAR = 300
"""Characters within which both signs stand."""


def order_spans(text: str) -> Iterator[Span]:
    """Of each order to keep something about "the user" that stands near a sign of a forgery: both,
    and what is between them, to the end of the sentence.
    """
    signs = sorted(found.span() for kind in (_forged, _override) for found in kind().finditer(text))
    done = 0
    for order in _to_memory().finditer(text) if signs else ():
        near = [s for s in signs if s[0] < order.end() + NEAR and s[1] > order.start() - NEAR]
        if not near or order.start() < done:
            continue
        last = max(order.end(), near[-1][1])
        border = _end().search(text, last)
        done = border.end() if border else len(text)
        yield Span(start=min(order.start(), near[0][0]), end=done, reason=Reason.INJECTED)


@cache
def _end() -> re.Pattern[str]:
    return re.compile(r"[.!?](?=\s|$)|[。！？]|(?=\n)")


@cache
def _forged() -> re.Pattern[str]:
    """A border of our questions, the role of a message of a chat, or somebody addressed by it."""
    role = r"(?:system|developer)(?: (?:message|prompt|note|override|update|instruction)s?)?"
    return re.compile(
        r"</?(?:pages|known|profile|memory|standing|question|system|instructions?)>"
        r"|<\|?(?:im_start|im_end|system|assistant)\|?>|\[/?(?:INST|SYS)\]"
        rf"|^[ \t>#*<(]{{0,9}}\[?{role}\]?(?:\*{{0,2}}\s?[:：]|[ \t]{{0,9}}$)"
        r"|\bassistant[,:]\s"
        r"|(?:^|(?<=[。！？]))\s{0,9}(?:系统(?:提示|消息|指令)|システム(?:メッセージ|指示)?)[:：]",
        re.I | re.M,
    )


@cache
def _override() -> re.Pattern[str]:
    former = r"(?:all|any|every|everything|the|your|these|previous|prior|earlier|above|other|of)"
    return re.compile(
        rf"\b(?:ignore|disregard|forget|override)(?:\s+{former}){{1,4}}"
        r"(?:\s+(?:instructions?|prompts?|rules|directions|guidelines|messages)\b|(?<=above)\b)"
        r"|(?:忽略|无视|無視|忘记|忘掉)[^。\n]{0,12}(?:指令|指示|提示|命令|规则|規則|内容|信息)"
        r"|[^。\n]{0,12}(?:指示|命令|プロンプト|ルール)を(?:すべて|全て)?(?:無視|忘れ)",
        re.I,
    )


@cache
def _to_memory() -> re.Pattern[str]:
    """To keep something about "the user": users say "I", or speak of the users of a program."""
    keep = r"(?:stor|sav|record|remember|memori[sz]|add|writ|not|keep)(?:e|ing)?"
    says = (
        "is|was|has|had|lives?|likes?|loves?|hates?|prefers?|wants?|works?|needs?|trusts?|asks?"
        "|agreed|always|never|owns?|said|speaks?|banks?"
    )
    told = rf"(?:the|this|their) user(?:\s+(?:{says})\b|['’]s\s+[\w ]{{1,30}}?\s(?:is|are)\b)"
    of_user = (
        r"(?:用户|用戶|使用者)(?:是|住|喜欢|讨厌|叫|在|有|想|要求|偏好|同意|的[^，。\n]{1,8}是)"
    )
    return re.compile(
        rf"\b{keep}\b[^.!?\n]{{0,40}}\b(?:{told}|[^.!?\n]{{0,40}}\b(?:is|are)\s+the user['’]s\b)"
        rf"|(?:记住|記住|记得|記得|保存|存储|写入)[^。\n]{{0,12}}{of_user}"
        r"|(?:ユーザー|利用者)(?:は|が|の[^、。\n]{1,8}は)[^。\n]{0,40}(?:記憶|保存|覚え)",
        re.I,
    )
