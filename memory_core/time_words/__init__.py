"""Finds the times that a text names: dates, months, years, "last week", 上个月, 先週."""

import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from functools import cache

from memory_core.days import OfYear, Span, around, latest
from memory_core.time_words import english, han
from memory_core.time_words.form import Meaning


@dataclass(frozen=True, slots=True)
class Mention:
    """A time that a text names, at text[start:stop]."""

    start: int
    stop: int
    span: Span
    bare: bool = False
    """A time only after "in", "since" and the like: "2023", "May"."""
    of_year: OfYear | None = None
    """The same days of any year, where the year was left open."""

    @property
    def is_year(self) -> bool:
        return self.span == around(self.span.first, "year")


def mentions_in(text: str, today: date, until: date) -> list[Mention]:
    """What the text names, in its order, without overlaps. Words that only may name a time are
    marked `bare`.

    until: a date whose year is left open is the latest that has begun by then.
    """
    taken = bytearray(len(text))
    found: list[Mention] = []
    for pattern, meaning, bare in _patterns():
        for match in pattern.finditer(text):
            if any(taken[match.start() : match.end()]):
                continue
            taken[match.start() : match.end()] = b"\1" * (match.end() - match.start())
            found += _mention(match, meaning, (today, until), bare)
    return sorted(found, key=lambda mention: mention.start)


def _mention(
    match: re.Match[str], meaning: Meaning, days: tuple[date, date], bare: bool
) -> Iterator[Mention]:
    today, until = days
    try:
        meant = meaning(match, today)
        if meant is None:
            return
        of_year = None if isinstance(meant, Span) else meant
        span = meant if isinstance(meant, Span) else latest(meant, until)
    except (OverflowError, ValueError):  # 30 February, "9999 years ago"
        return
    if span.first < span.end:
        yield Mention(match.start(), match.end(), span, bare, of_year)


@cache
def _patterns() -> tuple[tuple[re.Pattern[str], Meaning, bool], ...]:
    forms = (*han.forms(), *english.forms())
    return tuple(
        (re.compile(form.pattern, re.IGNORECASE | re.ASCII), form.meaning, form.bare)
        for form in forms
    )
