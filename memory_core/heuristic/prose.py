"""Which part of a message is the writer's own running text.

Code, logs, quotations, transcripts and long pasted texts say things in other people's names.
"""

import re
from functools import cache

from memory_core.heuristic.pasted import before_pasted
from memory_core.heuristic.retraction import last_word

LONGEST = 8_000
"""Characters of a message that are looked at, half from each end."""

PASTED_FROM = 2_000
"""Characters from which a message holds a pasted text, and only its short ends are its writer's."""

OWN_PARAGRAPH = 400
"""Longest first or last paragraph that is taken for the writer's own around a pasted text."""


def own_words(text: str) -> str:
    """The message without what its writer does not say of themselves; "" when nothing is left."""
    if len(text) > LONGEST:
        text = f"{text[: LONGEST // 2]}\n\n{text[-LONGEST // 2 :]}"
    text = _fenced().sub("\n", text).replace("’", "'")
    if _task_on_text().search(text):
        return ""
    lines = before_pasted(text).splitlines()
    own = [line for line in lines if not _foreign_line().match(line.strip())]
    kept = "\n".join(_without_transcript(own, is_log=len(own) < len(lines)))
    kept = _quoted().sub(_without_speech, last_word(kept))
    return kept if len(kept) <= PASTED_FROM else _ends(kept)


def _without_transcript(lines: list[str], *, is_log: bool) -> list[str]:
    """Drop lines that begin with somebody's name and a colon, and what stands between them.

    "Me: ..." is the writer's own where it stands alone, and a part of it in a transcript or log.
    """
    spoken = [n for n, line in enumerate(lines) if _labelled().match(line)]
    own = [n for n, line in enumerate(lines) if _labelled_me().match(line)]
    if spoken or is_log or len(own) > 1:
        spoken = sorted((*spoken, *own))
    if not spoken:
        return lines
    return lines[: spoken[0]] + lines[spoken[-1] + 1 :]


def _without_speech(match: re.Match[str]) -> str:
    """Keep a quoted title, drop quoted speech."""
    inner = match[0][1:-1].strip()
    speech = len(inner) > 60 or _speech().search(inner[:-1]) is not None
    return " " if speech else match[0]


def _ends(text: str) -> str:
    paragraphs = [part for part in re.split(r"\n\s*\n", text) if part.strip()]
    ends = (paragraphs[0], paragraphs[-1]) if len(paragraphs) > 1 else ()
    return "\n".join(part for part in ends if len(part) <= OWN_PARAGRAPH)


@cache
def _fenced() -> re.Pattern[str]:
    return re.compile(r"(```|~~~)(?:(?!\1)[\s\S])*(?:\1|\Z)|`[^`\n]*`|<(\w+)>[^<]*</\2>")


@cache
def _task_on_text() -> re.Pattern[str]:
    """Messages about a text, or that ask for one: what follows is its content."""
    return re.compile(
        r"^\W*(?:(?:please|can you|could you|would you|help me(?: to)?|i need you to|pls)[, ]+)*"
        r"(?:translate|proof-?read|rewrite|rephrase|paraphrase|summari[sz]e"
        r"|(?:polish|edit|fix|correct|improve|check) (?:this|these|the|my|following)\b|(?:write|"
        "draft|compose|generate|create) "
        r"(?:me )?(?:an?|some|the|my) |continue (?:the|this)|classify|extract)"
        r"|\b(?:role-?play|pretend (?:to be|that|you|i)|act as|imagine (?:that |you|i)|in this "
        "story"
        r"|lyrics?:|quote:|translate (?:this|the following|into|to)|for example, a user)"
        r"|^\W*(?:(?:请|麻烦|帮我|帮忙|能不能|可以|你能)+(?:把)?)?"
        "(?:翻译|润色|改写|总结|概括|校对|修改|续写|写一[篇封首个段份]|写[篇封首个段份]|扩写|"
        "缩写|提取|分析)"
        "|(?:翻译成|翻译一下|翻译这|改写成|角色扮演|假装|扮演|想象一下|下面(?:这段|的文字|"
        "是一段)|歌词[:：])"
        r"|^\W*(?:翻訳|要約|添削|校正)|(?:翻訳して|要約して|添削して|書き直して)",
        re.IGNORECASE,
    )


@cache
def _foreign_line() -> re.Pattern[str]:
    return re.compile(
        r"\s*(?:>|[{}\[\]<|]|\"[\w ]+\"\s*:|//|#!|/\*|\$ |\d{4}-\d\d-\d\d[ T]\d|\[?\d\d:\d\d"
        r"|(?:ERROR|INFO|WARN(?:ING)?|DEBUG|TRACE|FATAL)\b|(?:File|Traceback|at) [\"(\w]+.*:\d+"
        r"|(?:def|class|import|from|return|const|let|var|function|public|private|if|for|while)\b"
        r".*[;{:()=]$|(?:SELECT|INSERT|UPDATE|DELETE|CREATE)\b.*|[\w.-]+ ?= ?\S+$"
        r"|.*(?:=>|==|&&|\|\||</|\(\)|;$).*)"
    )


@cache
def _labelled() -> re.Pattern[str]:
    """A speaker's label: "Anna: ...", "小王：...", but not "PS: ..."."""
    own = r"(?!(?:PS|P\.S\.|Note|FYI|Update|Correction|Edit|Reminder|Btw|Me|Fact|TLDR|Remember|"
    own += r"Important|Rule|Intro|Context|Please|Always|Also)\b)"
    return re.compile(
        rf"\s*(?:[-*]\s*)?(?:{own}(?:[A-Z][\w.'-]*(?: [A-Z][\w.'-]*)?"
        r"|user|assistant|system|human|bot)\s?[:：]\s"
        r"|(?!补充|更正|备注|注意|另外|对了|其实|我|请|记住|目标|纠正)[\u4e00-\u9fff]{1,4}[:：])"
    )


@cache
def _labelled_me() -> re.Pattern[str]:
    return re.compile(r"\s*(?:[-*]\s*)?(?:me|我)\s?[:：]", re.IGNORECASE)


@cache
def _quoted() -> re.Pattern[str]:
    return re.compile(r"“[^“”\n]*”|\"[^\"\n]*\"|「[^「」\n]*」|『[^『』\n]*』|‘[^‘’\n]*’")


@cache
def _speech() -> re.Pattern[str]:
    return re.compile(
        r"^(?:I|I'm|my|we|please|you|我|你|他|她|私|僕)\b|^[我你他她私僕]|[.!?。！？]", re.I
    )
