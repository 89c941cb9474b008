"""Relative day words made absolute: "yesterday" means nothing a week later."""

import re
from collections.abc import Callable
from datetime import date, datetime, timedelta
from functools import cache, partial

LONGEST_LIFE = 150
"""Years from which "2019年前" is no distance."""

WEEK_OF = "week of "

Meaning = Callable[[date, re.Match[str]], str]
"""From the day a text was said, and a match in it, to the absolute date as it is shown."""


def _meanings(**words: str) -> dict[str, str]:
    return {word: meaning for meaning, listed in words.items() for word in listed.split(",")}


def _numbers(first: int, *words: str) -> dict[str, int]:
    return {word: n for n, listed in enumerate(words, first) for word in listed.split(",")}


NUMBERS = _numbers(
    *(1, "a,an,one,一", "a couple of,two,二,两,兩", "three,三", "four,四", "five,五", "six,六"),
    *("seven,七", "eight,八", "nine,九", "ten,十", "十一", "十二"),
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")
HAN_WEEKDAYS = _numbers(0, "一", "二", "三", "四", "五", "六", "日,天")
STEPS = _numbers(-2, "上上,先々", "last,上,前,先", "this,这,這,本,今", "next,下,后,後,来")
DAYS = _numbers(
    *(-3, "大前天", "day before yesterday,前天,一昨日,おととい"),
    "yesterday,last night,昨天,昨晚,昨日,昨夜",
    "today,tonight,this morning,this evening,今天,今晚,今早,今日,今夜",
    "tomorrow,明天,明晚,明早,明日",
    *("day after tomorrow,后天,後天,明後日,あさって", "大后天"),
)
YEARS = _numbers(-2, "前年,一昨年", "去年,昨年", "今年", "明年,来年", "后年,後年")
UNITS = _meanings(
    day="day,天,日",
    week="week,周,週,星期,礼拜,个星期,週間",
    month="month,月,个月,個月,か月,ヶ月,カ月",
    year="year,年",
)

ENGLISH_NUMBER = r"[0-9]{1,4}|a couple of|an?|one|two|three|four|five|six|seven|eight|nine|ten"
ENGLISH_DAY = r"last night|this morning|this evening|today|tonight|yesterday|tomorrow"
HAN_NUMBER = r"[0-9]{1,4}|十[一二]|[一二两兩三四五六七八九十]"
NO_HAN_NUMBER = r"(?<![0-9第零〇百千万一二两兩三四五六七八九十几幾数])"
HAN_UNIT = r"天|日|周|週間|週|星期|礼拜|个星期|[个個かヶカ]月|年"
HAN_WEEK = r"周|週|星期|礼拜"
# 晚上/世界上/早上 and 天下/手下 end in the character that a week or month may follow.
HAN_STEP = r"(?<![晚早马身路界桌网以之世地天手上])(?P<step>上上|[上下这這本])[个個]?"
HAN_DAY = (
    r"大前天|大后天|昨天|昨晚|一昨日|昨日|昨夜|今天|今晚|今早|今日|今夜|明天|明晚|明早|明後日|明日"
    r"|おととい|あさって|(?<![以之目从大天日午年周月期])前天"
    r"|(?<![以之然最今大午天日年周月期])[后後]天(?![性免培])"
)
HAN_YEAR = r"去年|今年|明年|一昨年|昨年|来年|(?<![以之目])前年|(?<![以之然最今])[后後]年"


def resolve_relative(text: str, at: datetime) -> str:
    """The text with an absolute date in parentheses after each relative day word.

    Days become "2023-05-07", weeks their Monday ("week of 2023-05-01"), months "2023-04", years
    "2022", counted from the date of `at` in its own zone: that of who said it. What a parenthesis
    follows already stays as it is, so doing it twice changes nothing. English, Chinese and
    Japanese.
    """
    today = at.date()
    for pattern, meaning in _expressions():
        text = pattern.sub(partial(_dated, today, meaning), text)
    return text


def _dated(today: date, meaning: Meaning, match: re.Match[str]) -> str:
    try:
        found = meaning(today, match)
    except (OverflowError, ValueError):  # beyond the calendar: "9999 years ago"
        return match[0]
    if match[0].isascii():
        return f"{match[0]} ({found})"
    week = "の週" if match[0][0] in "先今来" or match[0].endswith("週間前") else "那一周"
    return f"{match[0]}（{found.removeprefix(WEEK_OF) + week if WEEK_OF in found else found}）"


def _day(today: date, match: re.Match[str]) -> str:
    return _shifted(today, "day", DAYS[match[1].lower()])


def _year(today: date, match: re.Match[str]) -> str:
    return _shifted(today, "year", YEARS[match[1]])


def _ago(today: date, match: re.Match[str]) -> str:
    return _shifted(today, match["unit"].lower(), -_number(match["number"]))


def _ahead(today: date, match: re.Match[str]) -> str:
    return _shifted(today, match["unit"].lower(), _number(match["number"]))


def _period(today: date, match: re.Match[str]) -> str:
    return _shifted(today, UNITS[match["unit"].lower()], STEPS[match["step"].lower()])


def _han_distance(today: date, match: re.Match[str]) -> str:
    unit, count = UNITS[match["unit"]], _number(match["number"])
    if unit == "year" and count > LONGEST_LIFE:
        raise ValueError(f"{count} is a year, not a distance")
    return _shifted(today, unit, STEPS[match["step"]] * count)


def _weekday(today: date, match: re.Match[str]) -> str:
    """The nearest such day before today, or after it, or today and after it for "this"."""
    step = STEPS[match["step"].lower()]
    ahead = (WEEKDAYS.index(match["day"].lower()) - today.weekday()) % 7
    days = ahead - 7 if step < 0 else ahead if step == 0 else ahead or 7
    return (today + timedelta(days=days)).isoformat()


def _han_weekday(today: date, match: re.Match[str]) -> str:
    """Such a day of the week that is meant: weeks begin on Monday."""
    monday = today - timedelta(days=today.weekday()) + timedelta(weeks=STEPS[match["step"]])
    return (monday + timedelta(days=HAN_WEEKDAYS[match["day"]])).isoformat()


def _number(text: str) -> int:
    return int(text) if text.isdecimal() else NUMBERS[text.lower()]


def _shifted(today: date, unit: str, count: int) -> str:
    if unit == "day":
        return (today + timedelta(days=count)).isoformat()
    if unit == "week":
        monday = today - timedelta(days=today.weekday()) + timedelta(weeks=count)
        return f"{WEEK_OF}{monday.isoformat()}"
    months = today.year * 12 + today.month - 1 + (count if unit == "month" else 12 * count)
    first = date(months // 12, months % 12 + 1, 1)
    return first.isoformat()[:7] if unit == "month" else first.isoformat()[:4]


@cache
def _expressions() -> tuple[tuple[re.Pattern[str], Meaning], ...]:
    """Longer expressions first: the parenthesis they get keeps the shorter ones away."""
    number, unit = rf"(?P<number>{ENGLISH_NUMBER})", r"(?P<unit>day|week|month|year)s?"
    weekdays = "|".join(WEEKDAYS)
    english = (
        (rf"\b{number} {unit} ago\b", _ago),
        (rf"\bin {number} {unit}\b(?! a row)", _ahead),
        (r"\b(day before yesterday|day after tomorrow)", _day),
        (rf"\b({ENGLISH_DAY})(?:['’]s)?+\b", _day),
        (rf"(?<!\bthe )\b(?P<step>last|this|next) (?P<day>{weekdays})\b", _weekday),
        (r"(?<!\bthe )\b(?P<step>last|next|this) (?P<unit>week|month|year)(?:['’]s)?+\b", _period),
    )
    distance = rf"{NO_HAN_NUMBER}(?P<number>{HAN_NUMBER})(?P<unit>{HAN_UNIT})"
    han = (
        (rf"{distance}[之以]?(?P<step>[前后後])(?!半)", _han_distance),
        (rf"{HAN_STEP}(?:{HAN_WEEK})(?P<day>[一二三四五六日天])(?![天个])", _han_weekday),
        (rf"{HAN_STEP}(?P<unit>{HAN_WEEK})(?![末期围到边岁一二三四五六日])", _period),
        (r"(?<![晚早马身路以之上])(?P<step>上上|[上下这這])(?P<unit>[个個]月)", _period),
        (r"(?P<step>本)(?P<unit>月)(?![0-9])", _period),
        (r"(?P<step>先々|[先今来])(?P<unit>週)(?!間)", _period),
        (r"(?P<step>先々|[先今来])(?P<unit>月)(?![亮球光])", _period),
        (rf"({HAN_DAY})", _day),
        (rf"(?<![0-9一])({HAN_YEAR})", _year),
    )
    undated = r"(?!\s?[(（])"
    return tuple(
        (re.compile(rf"(?:{pattern}){undated}", re.IGNORECASE | re.ASCII), meaning)
        for pattern, meaning in (*english, *han)
    )
