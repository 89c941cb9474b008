"""Relative day words and the dates they mean."""

from datetime import UTC, datetime, timedelta, timezone

import pytest

from memory_core.dates import resolve_relative

TUESDAY = datetime(2023, 5, 9, 12, 0, tzinfo=UTC)


@pytest.mark.parametrize(
    ("said", "meant"),
    [
        ("I ran yesterday.", "I ran yesterday (2023-05-08)."),
        ("Today's plan", "Today's (2023-05-09) plan"),
        (
            "tomorrow or the day after tomorrow",
            "tomorrow (2023-05-10) or the day after tomorrow (2023-05-11)",
        ),
        ("the day before yesterday", "the day before yesterday (2023-05-07)"),
        ("last night", "last night (2023-05-08)"),
        ("last week", "last week (week of 2023-05-01)"),
        ("next month", "next month (2023-06)"),
        ("last year", "last year (2022)"),
        ("over the last year", "over the last year"),
        ("3 days ago", "3 days ago (2023-05-06)"),
        ("two months ago", "two months ago (2023-03)"),
        ("in a week", "in a week (week of 2023-05-15)"),
        ("last Friday", "last Friday (2023-05-05)"),
        ("next Tuesday", "next Tuesday (2023-05-16)"),
        ("this Tuesday", "this Tuesday (2023-05-09)"),
        ("9999 years ago", "9999 years ago"),
        ("Yesterdays are gone", "Yesterdays are gone"),
        ("我昨天去了公园", "我昨天（2023-05-08）去了公园"),
        (
            "今天、明天、后天、前天",
            "今天（2023-05-09）、明天（2023-05-10）、后天（2023-05-11）、前天（2023-05-07）",
        ),
        ("大前天和大后天", "大前天（2023-05-06）和大后天（2023-05-12）"),
        ("上周五", "上周五（2023-05-05）"),
        ("下周", "下周（2023-05-15那一周）"),
        ("上个月和下个月", "上个月（2023-04）和下个月（2023-06）"),
        ("去年、明年", "去年（2022）、明年（2024）"),
        ("三天前", "三天前（2023-05-06）"),
        ("5年前", "5年前（2018）"),
        ("两个星期前", "两个星期前（2023-04-24那一周）"),
        ("以前天气很好，晚上周末，2019年前，后天性", "以前天气很好，晚上周末，2019年前，后天性"),
        ("今日と昨日と明日", "今日（2023-05-09）と昨日（2023-05-08）と明日（2023-05-10）"),
        ("先週、来月、三日前", "先週（2023-05-01の週）、来月（2023-06）、三日前（2023-05-06）"),
        ("他三天前、3カ月前", "他三天前（2023-05-06）、3カ月前（2023-02）"),
        ("上上周五、上上个月", "上上周五（2023-04-28）、上上个月（2023-03）"),
        ("先々週と一昨年", "先々週（2023-04-24の週）と一昨年（2021）"),
        ("十几天前", "十几天前"),
        ("thİs week, Frİday, fıve days ago", "thİs week, Frİday, fıve days ago"),
        ("", ""),
        ("\ud800 no dates 😀", "\ud800 no dates 😀"),
    ],
)
def test_a_relative_day_gets_its_date(said: str, meant: str) -> None:
    assert resolve_relative(said, TUESDAY) == meant


@pytest.mark.parametrize(
    "said", ["today's news of last week, two days ago", "上周五和昨天，三天前", "先週の昨日"]
)
def test_doing_it_twice_changes_nothing(said: str) -> None:
    once = resolve_relative(said, TUESDAY)
    assert resolve_relative(once, TUESDAY) == once


def test_the_date_is_that_of_who_says_it() -> None:
    late_in_tokyo = datetime(2023, 5, 10, 1, 0, tzinfo=timezone(timedelta(hours=9)))
    assert resolve_relative("today", late_in_tokyo) == "today (2023-05-10)"


def test_the_ends_of_the_calendar_are_no_error() -> None:
    first = datetime(1, 1, 1, tzinfo=UTC)
    assert resolve_relative("yesterday, last year, last month", first) == (
        "yesterday, last year, last month"
    )
