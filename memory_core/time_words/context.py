"""What the words around a time make of it: since, before, until, between, 之前, 以来, まで."""

import re
from dataclasses import dataclass
from datetime import timedelta
from enum import Enum, auto
from functools import cache

from memory_core.dates import WEEKDAYS
from memory_core.days import Days, Span, moved
from memory_core.time_words.english import NUMBER
from memory_core.time_words.form import ago, ahead

NEAR = 48
"""Characters before and after a time that are looked at."""


class Side(Enum):
    """Which days are meant, seen from those that are named."""

    IN = auto()
    SINCE = auto()
    AFTER = auto()
    BEFORE = auto()
    UNTIL = auto()
    BETWEEN = auto()
    FROM = auto()
    OF = auto()


SIDES = {
    word: side
    for side, words in {
        Side.IN: "in,during,throughout,around,back in,early,late,mid",
        Side.SINCE: "since,starting,starting from,starting in,starting on,自从,自從",
        Side.AFTER: "after,later than",
        Side.BEFORE: "before,prior to,earlier than",
        Side.UNTIL: "until,till,up to,by,as of,截至,截止到,直到",
        Side.BETWEEN: "between",
        Side.FROM: "from,从,從",
        Side.OF: "of",
    }.items()
    for word in words.split(",")
}


@dataclass(frozen=True, slots=True)
class Around:
    """The words before and after a time. side: None where they say nothing."""

    side: Side | None
    partly: bool
    """A part of it is named: "the end of"."""
    ends: bool
    """The clause ends there, or goes on as it does after a time and not after a name."""


def around_of(text: str, start: int, stop: int) -> Around:
    before, after = text[max(0, start - NEAR) : start], text[stop : stop + NEAR]
    lead = _lead().search(before)
    word = lead["word"] or lead["han"] if lead else None
    side = SIDES[word.lower()] if word else None
    partly = bool(lead and lead["part"])
    side = _side_after(after, side) or side
    if partly:
        side = {Side.BEFORE: Side.UNTIL, Side.AFTER: Side.SINCE}.get(side or Side.IN, side)
    # "Who was invited by May?"
    return Around(side, partly, word != "by" and bool(_clause_end().match(after)))


def bounds_of(span: Span, side: Side | None) -> Days:
    first, end = span.first, span.end
    match side:
        case Side.SINCE:
            return Days(first, None)
        case Side.AFTER:
            return Days(end, None)
        case Side.BEFORE:
            return Days(None, first)
        case Side.UNTIL:
            return Days(None, end)
    return Days(first, end)


def at_a_distance(text: str, start: int, span: Span) -> Span | None:
    """What "two weeks before" or "the Sunday after" makes of a time; None: nothing such is said."""
    said = _distance().search(text[max(0, start - NEAR) : start])
    if said is None:
        return None
    later = said["side"].lower() == "after"
    if said["day"]:
        return _weekday_from(span, WEEKDAYS.index(said["day"].lower()), later)
    unit = said["unit"].lower()
    if said["number"].lower() == "the":
        edge = span.end if later else span.first
        return Span(edge, moved(edge, unit, 1)) if later else Span(moved(edge, unit, -1), edge)
    if later:
        return ahead(span.end - timedelta(1), unit, said["number"])
    return ago(span.first, unit, said["number"])


def event_before(text: str, begin: int, start: int) -> Side | None:
    """Whether the time is that of something which the question only is before or after:
    "before I moved last year", with text[begin:start] as what may say so."""
    found = _event().search(text[max(begin, start - NEAR) : start])
    if found is None:
        return None
    return Side.UNTIL if found["word"].lower() in ("before", "until", "till") else Side.SINCE


def event_after(text: str, stop: int, end: int) -> Side | None:
    """The same in Chinese and Japanese: 去年搬家之前, with text[stop:end] as what may say so."""
    found = _han_event().match(text[stop : min(end, stop + NEAR)])
    if found is None:
        return None
    return Side.UNTIL if "前" in found["word"] else Side.SINCE


def joiner(gap: str) -> str | None:
    """How the text between two times joins them: "to", "and" or "," (or not at all)."""
    found = _joiner().fullmatch(gap) if len(gap) <= NEAR else None
    if found is None:
        return None
    return "to" if found["to"] else "and" if found["and"] else ","


def _weekday_from(span: Span, weekday: int, later: bool) -> Span:
    if later:
        day = span.end + timedelta((weekday - span.end.weekday()) % 7)
    else:
        day = span.first - timedelta((span.first.weekday() - weekday - 1) % 7 + 1)
    return Span(day, day + timedelta(1))


def _side_after(after: str, before: Side | None) -> Side | None:
    found = _suffix().match(after)
    if found is None or found.lastgroup is None:
        return None
    if found.lastgroup == "ONWARDS":
        return Side.SINCE if before in (Side.FROM, Side.IN, None) else None
    return Side[found.lastgroup]


PART = (
    r"(?:very )?(?:early|late|mid)[ -]"
    r"|(?:beginning|start|middle|end|(?:first|second) half|(?:first|second|third|fourth|last) week)"
    r" of "
)


@cache
def _lead() -> re.Pattern[str]:
    english = "|".join(sorted((word for word in SIDES if word.isascii()), key=len, reverse=True))
    han = "|".join(word for word in SIDES if not word.isascii())
    return re.compile(
        rf"(?:\b(?P<word>{english})[ -])?(?:\bthe )?(?:\b(?P<part>{PART}))?(?:\bthe )?$"
        rf"|(?P<han>{han})$",
        re.IGNORECASE | re.ASCII,
    )


@cache
def _suffix() -> re.Pattern[str]:
    return re.compile(
        r"(?P<ONWARDS> (?:onwards?|on(?= ?$|[,.?!])))"
        r"|(?P<SINCE>以来|以來|至今|以降|到现在|到現在|(?:起|开始|開始)(?![诉床来飞])|から)"
        r"|(?P<BEFORE>[之以]前|より前|の前(?!半)|前(?=$|[ ,.?!、。我的你他她にのはも]))"
        r"|(?P<AFTER>[之以][后後]|より後|の後|[后後](?=$|[ ,.?!、。我的你他她にのはも]))"
        r"|(?P<UNTIL>まで|[为為]止)"
        r"|(?P<BETWEEN>之间|之間|の間)"
    )


@cache
def _clause_end() -> re.Pattern[str]:
    return re.compile(
        r" ?(?:$|[^\w\s]|(?:and|to|or|of|in|last|this|until|till|about|with|at|on|for|from)\b)"
    )


@cache
def _distance() -> re.Pattern[str]:
    return re.compile(
        rf"\b(?:(?P<number>the|{NUMBER}) (?P<unit>day|week|month|year)s?"
        rf"|(?P<day>{'|'.join(WEEKDAYS)})) (?P<side>before|after) $",
        re.IGNORECASE | re.ASCII,
    )


@cache
def _event() -> re.Pattern[str]:
    return re.compile(
        r"\b(?P<word>before|after|since|until|till)\b[^,.;:?!]*$", re.IGNORECASE | re.ASCII
    )


@cache
def _han_event() -> re.Pattern[str]:
    return re.compile(r"[^,.;:?!、。]*?(?P<word>[之以][前后後]|の[前後]|[前後]に|てから)")


@cache
def _joiner() -> re.Pattern[str]:
    return re.compile(
        r",? ?(?:(?P<to>to|up to|until|till|through|[-–—~〜到至]|から)"
        r"|(?P<and>and|or|&|[和与與跟及或とや、])|(?<=,) ?)"
        rf" ?(?:in |on )?(?:the )?(?:{PART})?(?:the )?",
        re.IGNORECASE | re.ASCII,
    )
