"""Chinese and Japanese words for times."""

import re
from collections.abc import Iterator
from datetime import date, timedelta
from functools import partial

from memory_core.dates import (
    DAYS,
    HAN_DAY,
    HAN_NUMBER,
    HAN_STEP,
    HAN_UNIT,
    HAN_WEEK,
    HAN_WEEKDAYS,
    HAN_YEAR,
    NO_HAN_NUMBER,
    NUMBERS,
    STEPS,
    UNITS,
    YEARS,
)
from memory_core.days import OfYear, Span, around, calendar, day_of, moved, season, weekend
from memory_core.time_words.form import DAY, YEAR, Form, ago, counted, lately

SEASONS = {"春": 3, "夏": 6, "秋": 9}
JAPANESE_WEEKDAYS = "月火水木金土日"
NUMBER = rf"(?P<number>{HAN_NUMBER}|[几幾数])"
PAST = re.compile("[了过過]|聊|[说說](?!明)|(?:まし|でし|だっ|っ|い|し)た")
JAPANESE_STEP = r"(?P<step>先々|[先今来])"


def forms() -> Iterator[Form]:
    """Longer expressions first: what one has read, the next ones do not see."""
    yield from _dates()
    yield from _relative()


def _dates() -> Iterator[Form]:
    year = rf"(?<![0-9一])(?:(?P<year>{YEAR})年|(?P<word>{HAN_YEAR}))[の的]?"
    month = r"(?<![0-9十个個])(?P<month>1[0-2]|0?[1-9]|十[一二]?|[一二三四五六七八九])月"
    number = rf"{DAY}|三十一?|二?十[一二三四五六七八九]?|[一二三四五六七八九]"
    day = rf"(?P<day>{number})[日号號]"
    days = rf"(?P<day>{number})[日号號]? ?(?:到|至|から|-|~|〜|—) ?(?P<last>{number})[日号號]"
    some = rf"[の的]?(?:{days}|{day.replace('day', 'only')})"
    yield Form(rf"{year}{month}{some}", _date)
    yield Form(rf"{month}{some}", _date)
    yield Form(rf"{HAN_STEP}月[の的]?{day}", _day_of_month)
    yield Form(rf"{JAPANESE_STEP}月の?{day}", _day_of_month)
    yield Form(rf"{year}{month}份?", _date)
    yield Form(rf"{year}(?P<season>[春夏秋])[天季]?", _season)
    yield Form(rf"{month}(?:份|(?![天亮球光十]|革命))", _date)
    yield Form(rf"(?<![0-9])(?P<year>{YEAR})年(?![来间間]|[の的]?[历歷]史)", _date)


def _relative() -> Iterator[Form]:
    distance = rf"{NUMBER}(?:多)?(?P<unit>{HAN_UNIT})"
    yield Form(rf"{NO_HAN_NUMBER}{distance}[之以]?前的?(?:今天|今日)", _day_ago)
    yield Form(rf"(?P<word>{HAN_YEAR})[的の]?(?:今天|今日)", _day_of_year)
    yield Form(rf"{NO_HAN_NUMBER}{distance}[之以]?前(?![半后後面])", _ago)
    yield Form(
        rf"(?:最近|过去|過去|(?<![附靠接])近|ここ|この|[这這](?!一[天日]))[的の]?{distance}(?!前)",
        _lately,
    )
    yield Form(rf"{HAN_STEP}(?:{HAN_WEEK})(?P<day>[一二三四五六日天])(?![天个])", _weekday)
    yield Form(rf"{JAPANESE_STEP}週の?(?P<japanese>[月火水木金土日])曜", _weekday)
    yield Form(
        rf"(?<![每上下这這本隔双單单])(?:{HAN_WEEK})(?P<day>[一二三四五六日天])(?![天个年周次到至])",
        _past_weekday,
    )
    yield Form(r"(?<![毎週])(?P<japanese>[月火水木金土日])曜(?!から|まで)", _past_weekday)
    yield Form(rf"{HAN_STEP}(?:{HAN_WEEK})末", _weekend)
    yield Form(rf"{JAPANESE_STEP}週の?末", _weekend)
    yield Form(rf"{HAN_STEP}(?P<unit>{HAN_WEEK})(?![末期围到边岁一二三四五六日])", _unit)
    yield Form(rf"{HAN_STEP}(?P<unit>月)(?![亮球光台])", _unit)
    yield Form(rf"{JAPANESE_STEP}(?P<unit>週)(?!間)", _unit)
    yield Form(rf"{JAPANESE_STEP}(?P<unit>月)(?![亮球光])", _unit)
    yield Form(rf"(?P<day>{HAN_DAY})", _day)
    yield Form(rf"(?<![0-9一])(?P<word>{HAN_YEAR})", _year_word)


def _year(match: re.Match[str], today: date) -> int | None:
    parts = match.groupdict()
    if parts.get("word"):
        return today.year + YEARS[parts["word"]]
    return int(parts["year"]) if parts.get("year") else None


def _date(match: re.Match[str], today: date) -> Span | OfYear:
    """A day, some days or the whole of a month, or a year."""
    parts, year = match.groupdict(), _year(match, today)
    if not parts.get("month"):
        return around(date(int(match["year"]), 1, 1), "year")
    month = _number(match["month"])
    first = _number(parts.get("day") or parts.get("only") or "0")
    of_year = partial(_days, month, first, _number(parts.get("last") or "0") or first)
    return of_year if year is None else of_year(year)


def _number(text: str) -> int:
    """Of digits, or Chinese from 一 to 三十一."""
    if text.isdecimal():
        return int(text)
    tens, ten, ones = text.rpartition("十")
    return (10 * NUMBERS.get(tens, 1) if ten else 0) + NUMBERS.get(ones, 0)


def _days(month: int, first: int, last: int, year: int) -> Span:
    return calendar(year, month, first).to(calendar(year, month, last))


def _day_of_month(match: re.Match[str], today: date) -> Span | None:
    step = STEPS[match["step"]]
    month = moved(today, "month", step)
    return calendar(month.year, month.month, _number(match["day"])) if step <= 0 else None


def _season(match: re.Match[str], today: date) -> Span:
    return season(_year(match, today) or today.year, SEASONS[match["season"]])


def _ago(match: re.Match[str], today: date) -> Span:
    return ago(today, UNITS[match["unit"]], match["number"])


def _lately(match: re.Match[str], today: date) -> Span:
    return lately(today, UNITS[match["unit"]], match["number"])


def _weekday(match: re.Match[str], today: date) -> Span | None:
    """Such a day of the week that is meant, as far as it has come: weeks begin on Monday."""
    japanese = match.groupdict().get("japanese")
    weekday = JAPANESE_WEEKDAYS.index(japanese) if japanese else HAN_WEEKDAYS[match["day"]]
    week = around(today, "week").first + timedelta(weeks=STEPS[match["step"]])
    day = week + timedelta(weekday)
    return day_of(day) if day <= today else None


def _day_ago(match: re.Match[str], today: date) -> Span | None:
    """The same day of another year, month or week."""
    fewest, most = counted(match["number"])
    return day_of(moved(today, UNITS[match["unit"]], -most)) if fewest == most else None


def _day_of_year(match: re.Match[str], today: date) -> Span | None:
    away = YEARS[match["word"]]
    return day_of(moved(today, "year", away)) if away < 0 else None


def _past_weekday(match: re.Match[str], today: date) -> Span | None:
    """The latest such day before today, when something past is asked for."""
    if not PAST.search(match.string):
        return None
    japanese = match.groupdict().get("japanese")
    weekday = JAPANESE_WEEKDAYS.index(japanese) if japanese else HAN_WEEKDAYS[match["day"]]
    return day_of(today + timedelta((weekday - today.weekday()) % 7 - 7))


def _weekend(match: re.Match[str], today: date) -> Span | None:
    span = weekend(today, STEPS[match["step"]])
    return span if span.first <= today else None


def _unit(match: re.Match[str], today: date) -> Span | None:
    unit, step = UNITS[match["unit"]], STEPS[match["step"]]
    return around(moved(today, unit, step), unit) if step <= 0 else None


def _day(match: re.Match[str], today: date) -> Span | None:
    away = DAYS[match["day"]]
    return day_of(today + timedelta(away)) if away <= 0 else None


def _year_word(match: re.Match[str], today: date) -> Span | None:
    away = YEARS[match["word"]]
    return around(moved(today, "year", away), "year") if away <= 0 else None
