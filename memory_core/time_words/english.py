"""English words for times."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial

from memory_core.dates import DAYS, ENGLISH_DAY, ENGLISH_NUMBER, STEPS, WEEKDAYS
from memory_core.days import (
    OfYear,
    Span,
    around,
    calendar,
    day_of,
    ended,
    moved,
    season,
    weekend,
)
from memory_core.time_words.form import DAY, YEAR, Form, ago, counted, lately

INITIALS = ("jan feb mar apr may jun jul aug sep oct nov dec").split()
SEASONS = {"spring": 3, "summer": 6, "autumn": 9, "fall": 9, "winter": 12}
"""First months, in the northern half of the world."""

SURE_MONTH = (
    "january|february|april|june|july|august|september|october|november|december"
    "|jan|feb|apr|jun|jul|aug|sept|sep|oct|nov|dec"
)
# "may" and "march" are verbs too.
CLEAR_MONTH = rf"{SURE_MONTH}|(?-i:May|March)"
MONTH = rf"{SURE_MONTH}|may|march|mar"
NUMBER = rf"{ENGLISH_NUMBER}|a couple(?: of)?|(?:a )?few|several"
UNIT = r"(?P<unit>day|week|month|year)"
# What a number counts is not said in a year.
COUNTED = (
    "words|characters|lines|tokens|steps|people|users|times|points|calories|pages|items|rows|files"
    "|days|hours|minutes|seconds|ms|miles|metres|meters|km|kg|feet|dollars|euros|yen|yuan|or more"
)
LEADS = r"\b(?:on|since|until|till|before|after|from|by|and|to|of|between|the) $"
SURE_LEADS = r"\b(?:on|since|until|till) $"
PAST = re.compile(
    r"\b(?:did|was|were|had|said|told|talked|went|got|came|happened|been|bought|ate)\b", re.I
)
GOES_ON = r" (?:and|about|at|did|for|in|last|of|on|or|this|to|was|were|with)\b"


def forms() -> Iterator[Form]:
    """Longer expressions first: what one has read, the next ones do not see."""
    yield from _dates()
    yield from _named()
    yield from _relative()
    yield Form(
        rf"(?<![0-9A-Za-z_$€£¥.,:/-])(?P<year>{YEAR})(?![0-9A-Za-z_%:/-]|[.,][0-9]|"
        rf" (?:{COUNTED})\b)",
        _month,
        bare=True,
    )
    led = "|".join(rf"(?<=\b{word} )" for word in ("in", "during", "early", "late", "mid"))
    yield Form(
        rf"\b(?P<month>{CLEAR_MONTH}|(?:{led})(?:may|march))\b\.?(?!['’])", _month, bare=True
    )


def _dates() -> Iterator[Form]:
    day = rf"(?P<day>{DAY})(?P<ordinal>st|nd|rd|th)?\b(?![.:/][0-9]|%)"
    days = rf"(?P<day>{DAY})(?:st|nd|rd|th)? ?(?:-|–|to|and|through|until) ?(?P<last>{DAY})"
    days += r"(?P<ordinal>st|nd|rd|th)?\b(?![.:/-][0-9]|%)"
    month = rf"\b(?P<month>{MONTH})\b\.?"
    year = rf"(?:,? ?(?:of |in )?(?P<year>{YEAR}|last year|this year)\b)?(?!,? (?:of )?next\b)"
    outside = r"(?<![0-9A-Za-z_./:-])"
    yield Form(
        rf"{outside}(?P<year>{YEAR})(?P<sep>[-/])(?P<number>1[0-2]|0?[1-9])(?P=sep)(?P<day>{DAY})"
        r"(?![0-9/_-]|\.[0-9]|(?!T[0-9])[A-Za-z])",
        _month,
    )
    yield Form(
        rf"{outside}(?P<year>{YEAR})-(?P<number>1[0-2]|0[1-9])(?![0-9A-Za-z/_-])", _month, bare=True
    )
    yield Form(
        rf"{outside}(?P<a>{DAY})(?P<sep>[/.-])(?P<b>{DAY})(?P=sep)(?P<year>{YEAR})"
        r"(?![0-9/_-]|\.[0-9]|[A-Za-z])",
        _numeric,
    )
    yield Form(
        rf"{outside}(?P<year>{YEAR}) ?[-–—~] ?(?P<last>{YEAR})(?![0-9/_-])", _years, bare=True
    )
    yield Form(rf"(?<!next ){month} {days}{year}", _days)
    yield Form(rf"{outside}{days}(?: of)? {month}{year}", _days)
    yield Form(rf"(?<!next ){month} (?:the )?{day}{year}", _days)
    yield Form(rf"{outside}{day}(?: of)? {month}{year}", _days)


def _named() -> Iterator[Form]:
    year = rf"(?:,? (?:of |in )?)(?P<year>{YEAR}|last year|this year)\b"
    yield Form(rf"\b(?P<month>{MONTH})\b\.?{year}", _month)
    yield Form(rf"\b(?P<month>{MONTH})\b\.?,? (?:of )?next\b", _nothing)
    yield Form(rf"(?<!\bthe )\b(?P<step>last) (?P<month>{CLEAR_MONTH})\b(?! [0-9])", _month)
    this = rf"{SURE_MONTH}|(?-i:May|March)(?=$|[,.;:?!])"  # and not "this May be"
    yield Form(rf"\b(?P<step>this) (?P<month>{this})\b(?! [0-9])", _month)
    seasons = r"(?P<season>spring|summer|autumn|fall)"
    yield Form(rf"\b{seasons}{year}", _season)
    yield Form(rf"(?<!\bthe )\b(?P<step>last|this) {seasons}\b", _season)
    yield Form(r"(?<!\bthe )\b(?P<step>last) (?P<season>winter)\b", _season)


def _relative() -> Iterator[Form]:
    own = r"(?:['’]s)?\b"
    yield Form(rf"\b(?P<number>{NUMBER}) {UNIT}s? ago,? (?:today|to the day)\b", _day_ago)
    yield Form(
        rf"(?<!half )\b(?P<more>(?:more than|over|at least) )?(?P<number>{NUMBER}) {UNIT}s? ago\b",
        _ago,
    )
    several = r"(?P<number>[0-9]{1,4}|two|three|four|five|six|seven|eight|nine|ten|couple of|few)"
    yield Form(rf"\b(?:the )?(?:last|past) {several} {UNIT}s\b(?! of)", _lately)
    yield Form(rf"\b(?:the last|(?:the )?past) {UNIT}\b(?! of)", _lately)
    yield Form(rf"\bthe {UNIT} before last\b", _before_last)
    yield Form(r"\b(?:the )?(?P<day>day before yesterday)\b", _day)
    yield Form(rf"\b(?P<day>{ENGLISH_DAY}|this afternoon){own}", _day)
    weekdays = "|".join(WEEKDAYS)
    yield Form(rf"(?<!\bthe )\b(?P<step>last|(?:this )?past|this) (?P<day>{weekdays})\b", _weekday)
    parts = "morning|afternoon|evening|night"
    yield Form(rf"\bon (?P<day>{weekdays})\b(?! (?:{parts})s)", _past_weekday)
    yield Form(r"\b(?P<step>last|(?:the |this )?past|previous|this|over the) weekend\b", _weekend)
    yield Form(rf"(?<!\bthe )\b(?P<step>last|this) {UNIT}{own}(?! of)", _unit)
    yield Form(rf"\bthe previous {UNIT}{own}", _unit)


def _nothing(_match: re.Match[str], _today: date) -> None:
    return None


def _year(match: re.Match[str], today: date) -> int | None:
    text = match["year"]
    if not text or text.isdecimal():
        return int(text) if text else None
    return today.year - text.lower().startswith("last")


def _month_number(match: re.Match[str]) -> int:
    return INITIALS.index(match["month"][:3].lower()) + 1


def _is_a_verb(match: re.Match[str]) -> bool:
    """Whether "may 5" or "March 5" may be something else: "May 5 friends come?"."""
    if match["month"].lower() not in ("may", "march", "mar") or match["year"] or match["ordinal"]:
        return False
    before, after = (
        match.string[max(0, match.start() - 9) : match.start()],
        match.string[match.end() :],
    )
    if match["month"].islower():
        return not re.search(SURE_LEADS, before, re.IGNORECASE)
    if re.search(LEADS, before, re.IGNORECASE) or re.match(GOES_ON, after):
        return False
    return bool(re.match(r" [^\W\d_]", after))


def _days(match: re.Match[str], today: date) -> Span | OfYear | None:
    if _is_a_verb(match):
        return None
    first, last = int(match["day"]), int(match.groupdict().get("last") or match["day"])
    year, of_year = _year(match, today), partial(_some_days, _month_number(match), first, last)
    return of_year if year is None else of_year(year)


def _some_days(month: int, first: int, last: int, year: int) -> Span:
    return calendar(year, month, first).to(calendar(year, month, last))


def _month(match: re.Match[str], today: date) -> Span | OfYear:
    """A date in numbers, a month of a year or of none, or a year."""
    parts = match.groupdict()
    if not parts.get("month"):
        year = int(match["year"])
        if parts.get("number"):
            return calendar(year, int(parts["number"]), int(parts.get("day") or 0))
        return around(date(year, 1, 1), "year")
    of_year = partial(_calendar_month, _month_number(match))
    if parts.get("step"):
        last = parts["step"].lower() == "last"
        return ended(of_year, today) if last else of_year(today.year)
    year_said = _year(match, today) if "year" in parts else None
    return of_year if year_said is None else of_year(year_said)


def _calendar_month(month: int, year: int) -> Span:
    return calendar(year, month)


def _numeric(match: re.Match[str], _today: date) -> Span | None:
    """5/8/2023 is in May or in August, 5/18/2023 in May only."""
    a, b, year = int(match["a"]), int(match["b"]), int(match["year"])
    if a == b or b > 12 >= a:
        return calendar(year, a, b)
    return calendar(year, b, a) if a > 12 >= b else None


def _years(match: re.Match[str], _today: date) -> Span:
    return Span(date(int(match["year"]), 1, 1), date(int(match["last"]) + 1, 1, 1))


def _season(match: re.Match[str], today: date) -> Span:
    of_year = partial(_three_months, SEASONS[match["season"].lower()])
    parts = match.groupdict()
    if (parts.get("step") or "").lower() == "last":
        return ended(of_year, today)
    year = today.year if parts.get("step") else _year(match, today)
    return of_year(year or today.year)


def _three_months(month: int, year: int) -> Span:
    return season(year, month)


def _ago(match: re.Match[str], today: date) -> Span | None:
    found = ago(today, match["unit"].lower(), match["number"])
    return Span(date.min, found.end) if match["more"] else found


def _day_ago(match: re.Match[str], today: date) -> Span | None:
    """The same day of another year, month or week."""
    fewest, most = counted(match["number"])
    return day_of(moved(today, match["unit"].lower(), -most)) if fewest == most else None


def _past_weekday(match: re.Match[str], today: date) -> Span | None:
    """The latest such day before today, when something past is asked for."""
    if not PAST.search(match.string):
        return None
    ahead = WEEKDAYS.index(match["day"].lower()) - today.weekday()
    return day_of(today + timedelta(ahead % 7 - 7))


def _lately(match: re.Match[str], today: date) -> Span:
    return lately(today, match["unit"].lower(), match.groupdict().get("number") or "1")


def _before_last(match: re.Match[str], today: date) -> Span:
    unit = match["unit"].lower()
    return around(moved(today, unit, -2), unit)


def _day(match: re.Match[str], today: date) -> Span | None:
    away = DAYS.get(match["day"].lower(), 0)
    return day_of(today + timedelta(away)) if away <= 0 else None


def _weekday(match: re.Match[str], today: date) -> Span | None:
    """The nearest such day before today, or that of this week as far as it has come."""
    ahead = WEEKDAYS.index(match["day"].lower()) - today.weekday()
    if match["step"].lower() != "this":
        return day_of(today + timedelta(ahead % 7 - 7))
    return day_of(today + timedelta(ahead)) if ahead <= 0 else None


def _weekend(match: re.Match[str], today: date) -> Span | None:
    """On a Saturday or Sunday "this weekend" is under way; before that it lies ahead."""
    word, now = match["step"].lower(), today.weekday() >= 5
    if word == "this":
        return weekend(today) if now else None
    return weekend(today) if now and word == "over the" else weekend(today, -1)


def _unit(match: re.Match[str], today: date) -> Span | None:
    unit, step = match["unit"].lower(), STEPS[(match.groupdict().get("step") or "last").lower()]
    return around(moved(today, unit, step), unit) if unit != "day" else None
