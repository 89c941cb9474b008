"""The shape of a line in the tables of time words."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date

from memory_core.dates import LONGEST_LIFE, NUMBERS
from memory_core.days import OfYear, Span, away, recent

Meaning = Callable[[re.Match[str], date], Span | OfYear | None]
"""From a match and today to the days that are meant, or to those of a year that was left open.

None: it names no time, or is not clear. May raise ValueError or OverflowError where that is so.
"""

YEAR = r"(?:19|20)[0-9]{2}"
DAY = r"3[01]|[12][0-9]|0?[1-9]"

SOME = dict.fromkeys(("a couple", "a couple of", "couple of"), (2, 3)) | dict.fromkeys(
    ("a few", "few", "several", "几", "幾", "数"), (2, 6)
)
"""Number words that leave it open, and what they may stand for."""


@dataclass(frozen=True, slots=True)
class Form:
    """A pattern with what it means. bare: a time only after "in", "since" and the like."""

    pattern: str
    meaning: Meaning
    bare: bool = False


def counted(text: str) -> tuple[int, int]:
    """The smallest and the largest number that a word may stand for."""
    word = text.lower()
    if word in SOME:
        return SOME[word]
    number = int(word) if word.isdecimal() else NUMBERS[word]
    return number, number


def ago(today: date, unit: str, number: str) -> Span:
    fewest, most = counted(number)
    if unit == "year" and most > LONGEST_LIFE:
        raise ValueError("longer ago than anything that is remembered")
    return away(today, unit, -most).to(away(today, unit, -fewest))


def ahead(day: date, unit: str, number: str) -> Span:
    fewest, most = counted(number)
    return away(day, unit, fewest).to(away(day, unit, most))


def lately(today: date, unit: str, number: str) -> Span:
    return recent(today, unit, counted(number)[1])
