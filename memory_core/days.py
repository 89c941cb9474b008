"""Days of the calendar: the weeks, months, years and seasons that words mean."""

from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

LEAP = 8
"""Years, at most, from one 29 February to the next."""


@dataclass(frozen=True, slots=True)
class Days:
    """Whole days, half-open: first <= day < end. None: open on that side."""

    first: date | None
    end: date | None


@dataclass(frozen=True, slots=True)
class Span:
    """Days that are closed on both sides."""

    first: date
    end: date

    def widened(self, days: int) -> "Span":
        return Span(self.first - timedelta(days), self.end + timedelta(days))

    def to(self, later: "Span") -> "Span":
        """From the beginning of this one to the end of the later one."""
        return Span(self.first, later.end)


OfYear = Callable[[int], Span]
"""Days of a year that was left open, such as "8 May". Raises ValueError: not in this year."""


def day_of(first: date, count: int = 1) -> Span:
    return Span(first, first + timedelta(count))


def around(day: date, unit: str) -> Span:
    """The day, week (from Monday), month or year that a day is in."""
    if unit == "day":
        return day_of(day)
    if unit == "week":
        return day_of(day - timedelta(day.weekday()), 7)
    first = day.replace(day=1) if unit == "month" else day.replace(month=1, day=1)
    return Span(first, moved(first, unit, 1))


def moved(day: date, unit: str, count: int) -> date:
    """So many units later; the 31st of a shorter month is its last day."""
    if unit in ("day", "week"):
        return day + timedelta(**{f"{unit}s": count})
    months = day.year * 12 + day.month - 1 + count * (1 if unit == "month" else 12)
    year, month = months // 12, months % 12 + 1
    first = date(year, month, 1)  # ValueError before the calendar is asked: "9999 years ago"
    return first.replace(day=min(day.day, monthrange(year, month)[1]))


def away(today: date, unit: str, count: int) -> Span:
    """What "so many units ago" means (or ahead): that day, week, month or year and half of one.

    People count roughly: a week has 3 days of slack on both sides, a month 2 weeks, a year 26
    weeks, and days one in seven, at least one. One day away is exactly that day.
    """
    span = around(moved(today, unit, count), unit)
    if unit == "day":
        return span.widened(max(1, abs(count) // 7) if abs(count) > 1 else 0)
    return span.widened({"week": 3, "month": 14, "year": 182}[unit])


def recent(today: date, unit: str, count: int) -> Span:
    """The last so many units, to the end of today."""
    return Span(moved(today, unit, -count), today + timedelta(1))


def weekend(today: date, weeks: int = 0) -> Span:
    """Saturday and Sunday of this week, or so many weeks later."""
    return day_of(around(today, "week").first + timedelta(weeks=weeks, days=5), 2)


def calendar(year: int, month: int, day: int = 0) -> Span:
    """A month of a year, or a day of it. ValueError: there is no such day."""
    return day_of(date(year, month, day)) if day else around(date(year, month, 1), "month")


def season(year: int, month: int) -> Span:
    """Three months from this one."""
    first = date(year, month, 1)
    return Span(first, moved(first, "month", 3))


def latest(of_year: OfYear, today: date) -> Span:
    """The latest of these days that has begun. ValueError: there is none."""
    for year in range(today.year, today.year - LEAP - 1, -1):
        span = _existing(of_year, year)
        if span and span.first <= today:
            return span
    raise ValueError("not within years")


def following(of_year: OfYear, day: date) -> Span:
    """The first of these days that does not begin before this day."""
    for year in range(day.year, day.year + LEAP + 1):
        span = _existing(of_year, year)
        if span and span.first >= day:
            return span
    raise ValueError("not within years")


def ended(of_year: OfYear, today: date) -> Span:
    """The latest of these days that is over: "last summer"."""
    span = latest(of_year, today)
    return span if span.end <= today else latest(of_year, span.first - timedelta(1))


def _existing(of_year: OfYear, year: int) -> Span | None:
    try:
        return of_year(year)
    except ValueError:
        return None
