"""Where a message passes on what somebody else wrote: a mail, a biography, a post.

Whoever pastes announces it first, with a question or a colon, or the text has a letter's form.
"""

import re
from functools import cache


def before_pasted(text: str) -> str:
    """The message up to the text that it passes on; a letter without lead-in is left out whole."""
    announced = _announced().search(text)
    if announced:
        text = text[: announced.end()]
    return "\n".join(_before_letter(_before_lead_in_ends(text.splitlines())))


def _before_lead_in_ends(lines: list[str]) -> list[str]:
    """The lines up to the first one that announces those after it."""
    for n, line in enumerate(lines):
        if _leads_in().search(line) and not _own_heading().fullmatch(line.strip()):
            return lines[: n + 1]
    return lines


def _before_letter(lines: list[str]) -> list[str]:
    """The lines before a salutation; none when there is only the end of a letter."""
    for n, line in enumerate(lines):
        if _salutation().match(line):
            return lines[:n]
    closes = any(_closing().match(line) for line in lines[1:])
    return [] if closes else lines


@cache
def _announced() -> re.Pattern[str]:
    """A colon after the name of a text, or after somebody's saying or writing."""
    texts = (
        "bio|biography|message|mail|e-?mail|letter|text|post|poem|article|story|excerpt|passage|"
        "paragraph|review|transcript|quote|statement|profile|comment|tweet|caption|description|"
        "essay|resume|résumé|cv|lyrics|draft|template|dialogue|conversation|chat|speech|sentence|"
        "example|song|reply|response"
    )
    saying = (
        r"(?:wrote|writes|written|replied|texted|posted|sent|reads|goes"
        r"|(?<!\bI )(?<!\bI've )(?:says|said|say|tells?|told|asks?|asked|answered))"
    )
    han = (
        "写道|写着|写的|回复道?|问道?|告诉我|发来的?|发给我的?|简介|邮件|短信|微信|来信|的信|消息|"
        "留言|日记|作文|文章|段话|这段|段子|歌词|评论|帖子|原文|内容|如下|下面|的话|(?<![我你您])说"
    )
    return re.compile(
        rf"\b(?:{texts})s?(?: (?:from|of|by|to) (?:[\w']+ ?){{1,3}})?\s?[:：]"
        rf"|\b{saying}\b(?! you\b)[^.:：!?,;\n]{{0,30}}[:：]"
        rf"|(?:{han})[:：]|这是[^，。：:\n]{{0,20}}的[^，。：:\n]{{0,10}}[:：]",
        re.IGNORECASE,
    )


@cache
def _leads_in() -> re.Pattern[str]:
    """A line with a question, or with a colon at its end."""
    asking = (
        r"(?:how (?:do|can|should|would|to)|what (?:do|does|should|would|can)|is (?:this|my|it)|"
        r"can you|could you|does this|do you|help me|please (?:help|check|look|reply|read))\b"
    )
    return re.compile(
        rf"[?？](?:\W|$)|[:：]\W*$|[吗呢]\W*$|怎么|怎样|如何|^\W*{asking}", re.IGNORECASE
    )


@cache
def _own_heading() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?:a|some|quick|small|short|few|little|bit|an|more|facts?|things?|info|update|"
        r"updates|news|about me|about myself|my|remember|please|note|also|these|this|that|to)"
        r"[ ,]*)+[:：]|(?:请|一些|关于我|自我介绍|更新|补充|记住|请记住|以下|我的|近况|情况)+[:：]",
        re.IGNORECASE,
    )


@cache
def _salutation() -> re.Pattern[str]:
    """The first line of a letter, or a line of its head."""
    reader = r"(?:assistant|ai|chatgpt|claude)\b"
    name = r"(?: (?-i:[A-Z][\w.'-]*)| all| team| there| everyone| both| folks| again)"
    return re.compile(
        rf"\s*(?:(?:hi|hello|hey|good (?:morning|afternoon|evening)){name}{{0,3}}\s*[,，]\s*$"
        rf"|dear (?!{reader})[\w .'-]{{1,40}}[,，:：]|to whom it may concern"
        r"|(?:from|to|sent|cc|subject|re|fwd?)[:：]\s?\S"
        r"|(?:尊敬|敬爱|亲爱)的[^，,。：:\n]{1,15}[，,：:！!]|(?:发件人|收件人|主题|抄送)[:：]"
        r"|[\u4e00-\u9fff]{1,6}(?:[您你]好)[，,：:]\s*$)",
        re.IGNORECASE,
    )


@cache
def _closing() -> re.Pattern[str]:
    return re.compile(
        r"\s*(?:(?:(?:kind|best|warm|many)? ?(?:regards|wishes)|best|cheers|sincerely|yours|love"
        r"|yours (?:sincerely|truly|faithfully)|sincerely yours|take care|xoxo)\s*[,，.]*\s*$"
        r"|(?:此致|敬礼|祝好|敬上|谨上|顺祝\S{0,6})\W*$)",
        re.IGNORECASE,
    )
