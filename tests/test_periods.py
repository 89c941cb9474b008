"""The periods of time that questions name, and the questions that name none."""

import time
from datetime import UTC, datetime, timedelta, timezone, tzinfo
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.periods import EARLIER_YEARS, Period, periods_of

WORDS = (
    "may May march 5 31 30 12 2022 , . - / to and or between from since before after until by of "
    "in the last this next past week months days year monday weekend summer fall ago few a couple "
    "two yesterday early end half 5月 二月 29日 三十日 2022年 去年 上 上上 这 本 周 星期 末 "
    "一 几 十 天 前 后 之前 以来 から まで 到 从 最近 の 先 先々 今 週 曜 月 年 日 号 "
    "İ ſ K ² ５ ½ 😀 \ud800 feb 29 9999 0 th 1st"
).split()
TUESDAY = datetime(2023, 5, 9, 12, 0, tzinfo=UTC)
SUNDAY = datetime(2023, 5, 14, 12, 0, tzinfo=UTC)


def period_of(question: str, now: datetime, zone: tzinfo) -> Period | None:
    """The likeliest one."""
    return next(periods_of(question, now, zone), None)


def shown(question: str, now: datetime = TUESDAY, zone: tzinfo = UTC) -> str | None:
    """The period by its first day and the day behind its last; ".." where it is open."""
    period = period_of(question, now, zone)
    if period is None:
        return None
    begin, end = (
        at.astimezone(zone).date().isoformat() if at else ".." for at in (period.begin, period.end)
    )
    return f"{begin} {end}"


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("What did we do on 2023-05-08?", "2023-05-08 2023-05-09"),
        ("at 2023-05-08T10:00", "2023-05-08 2023-05-09"),
        ("8 May 2023", "2023-05-08 2023-05-09"),
        ("on the 8th of May", "2023-05-08 2023-05-09"),
        ("May 8th, 2022", "2022-05-08 2022-05-09"),
        ("on December 1,2022", "2022-12-01 2022-12-02"),
        ("What did I do May 8 with Anna?", "2023-05-08 2023-05-09"),
        ("on may 20", "2022-05-20 2022-05-21"),
        ("May 9", "2023-05-09 2023-05-10"),
        ("What did we talk about a year ago today?", "2022-05-09 2022-05-10"),
        ("two weeks ago today", "2023-04-25 2023-04-26"),
        ("两年前的今天我们聊了什么", "2021-05-09 2021-05-10"),
        ("去年今天", "2022-05-09 2022-05-10"),
        ("What did we talk about on Monday?", "2023-05-08 2023-05-09"),
        ("where was I on Tuesday", "2023-05-02 2023-05-03"),
        ("周一聊了什么", "2023-05-08 2023-05-09"),
        ("月曜日に何を話しましたか", "2023-05-08 2023-05-09"),
        ("on Feb. 29", "2020-02-29 2020-03-01"),
        ("5/18/2022", "2022-05-18 2022-05-19"),
        ("18/5/2022", "2022-05-18 2022-05-19"),
        ("5/5/2022", "2022-05-05 2022-05-06"),
        ("May 8-10, 2022", "2022-05-08 2022-05-11"),
        ("from 3 to 6 May 2022", "2022-05-03 2022-05-07"),
        ("2022年5月8日我去了哪里？", "2022-05-08 2022-05-09"),
        ("５月８日", "2023-05-08 2023-05-09"),
        ("在5月20号", "2022-05-20 2022-05-21"),
        ("五月二十一号", "2022-05-21 2022-05-22"),
        ("5月8日到10日", "2023-05-08 2023-05-11"),
        ("去年の12月25日", "2022-12-25 2022-12-26"),
        ("上个月5号", "2023-04-05 2023-04-06"),
        ("先月5日", "2023-04-05 2023-04-06"),
    ],
)
def test_a_date_is_its_day(question: str, days: str) -> None:
    assert shown(question) == days


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("Where was I in May 2022?", "2022-05-01 2022-06-01"),
        ("what happened in may 2022", "2022-05-01 2022-06-01"),
        ("in May", "2023-05-01 2023-06-01"),
        ("in June", "2022-06-01 2022-07-01"),
        ("in mid-May", "2023-05-01 2023-06-01"),
        ("in the second week of November", "2022-11-01 2022-12-01"),
        ("June last year", "2022-06-01 2022-07-01"),
        ("last year in May", "2022-05-01 2022-06-01"),
        ("In 2022, what did I do in May?", "2022-05-01 2022-06-01"),
        ("last May", "2022-05-01 2022-06-01"),
        ("2022年5月", "2022-05-01 2022-06-01"),
        ("5月份我们聊了什么", "2023-05-01 2023-06-01"),
        ("去年五月", "2022-05-01 2022-06-01"),
        ("今年の4月", "2023-04-01 2023-05-01"),
        ("in 2022?", "2022-01-01 2023-01-01"),
        ("2022年我做了什么", "2022-01-01 2023-01-01"),
        ("last summer", "2022-06-01 2022-09-01"),
        ("the summer of 2021", "2021-06-01 2021-09-01"),
        ("去年夏天", "2022-06-01 2022-09-01"),
        ("昨年の夏", "2022-06-01 2022-09-01"),
    ],
)
def test_a_month_a_year_and_a_season_are_whole(question: str, days: str) -> None:
    assert shown(question) == days


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("What did I eat today?", "2023-05-09 2023-05-10"),
        ("yesterday's meeting", "2023-05-08 2023-05-09"),
        ("the day before yesterday", "2023-05-07 2023-05-08"),
        ("last week", "2023-05-01 2023-05-08"),
        ("the week before last", "2023-04-24 2023-05-01"),
        ("this month", "2023-05-01 2023-06-01"),
        ("last month", "2023-04-01 2023-05-01"),
        ("last year", "2022-01-01 2023-01-01"),
        ("in the last 3 days", "2023-05-06 2023-05-10"),
        ("over the past two weeks", "2023-04-25 2023-05-10"),
        ("over the last year", "2022-05-09 2023-05-10"),
        ("over the weekend", "2023-05-06 2023-05-08"),
        ("last weekend", "2023-05-06 2023-05-08"),
        ("last Monday", "2023-05-08 2023-05-09"),
        ("last Tuesday", "2023-05-02 2023-05-03"),
        ("今天", "2023-05-09 2023-05-10"),
        ("昨天", "2023-05-08 2023-05-09"),
        ("前天", "2023-05-07 2023-05-08"),
        ("上周我说了什么", "2023-05-01 2023-05-08"),
        ("上上周", "2023-04-24 2023-05-01"),
        ("上周一", "2023-05-01 2023-05-02"),
        ("上周末", "2023-05-06 2023-05-08"),
        ("上个月", "2023-04-01 2023-05-01"),
        ("这个月", "2023-05-01 2023-06-01"),
        ("去年", "2022-01-01 2023-01-01"),
        ("今年", "2023-01-01 2024-01-01"),
        ("最近3天", "2023-05-06 2023-05-10"),
        ("过去两周", "2023-04-25 2023-05-10"),
        ("今日と", "2023-05-09 2023-05-10"),
        ("昨日は何を", "2023-05-08 2023-05-09"),
        ("一昨日", "2023-05-07 2023-05-08"),
        ("先週の月曜日", "2023-05-01 2023-05-02"),
        ("先週", "2023-05-01 2023-05-08"),
        ("先々週", "2023-04-24 2023-05-01"),
        ("先月", "2023-04-01 2023-05-01"),
        ("この3日間", "2023-05-06 2023-05-10"),
    ],
)
def test_relative_words_are_counted_from_today(question: str, days: str) -> None:
    assert shown(question) == days


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("one day ago", "2023-05-08 2023-05-09"),
        ("3 days ago", "2023-05-05 2023-05-08"),
        ("a few days ago", "2023-05-02 2023-05-09"),
        ("3 weeks ago", "2023-04-14 2023-04-27"),
        ("about two months ago", "2023-02-15 2023-04-15"),
        ("2 years ago", "2020-07-03 2022-07-02"),
        ("3天前", "2023-05-05 2023-05-08"),
        ("他两个月前说的", "2023-02-15 2023-04-15"),
        ("几天前", "2023-05-02 2023-05-09"),
        ("3日前", "2023-05-05 2023-05-08"),
        ("三週間前", "2023-04-14 2023-04-27"),
        ("two weeks before August 11, 2022", "2022-07-22 2022-08-04"),
        ("the week before August 3, 2022", "2022-07-27 2022-08-03"),
        ("the day after August 3, 2022", "2022-08-04 2022-08-05"),
        ("two weeks after August 3, 2022", "2022-08-12 2022-08-25"),
        ("the Sunday before October 25, 2022", "2022-10-23 2022-10-24"),
        ("the Sunday after October 22, 2022", "2022-10-23 2022-10-24"),
    ],
)
def test_distances_have_slack(question: str, days: str) -> None:
    assert shown(question) == days


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("between May 1 and May 8, 2022", "2022-05-01 2022-05-09"),
        ("between August 11 and August 15 2022", "2022-08-11 2022-08-16"),
        ("from November 2021 to February", "2021-11-01 2022-03-01"),
        ("from 2020 to 2022", "2020-01-01 2023-01-01"),
        ("in 2020-2021", "2020-01-01 2022-01-01"),
        ("in May, June and July 2022", "2022-05-01 2022-08-01"),
        ("yesterday and today", "2023-05-08 2023-05-10"),
        ("since last week until yesterday", "2023-05-01 2023-05-09"),
        ("since 2021", "2021-01-01 .."),
        ("What have I done since March?", "2023-03-01 .."),
        ("after March 2022", "2022-04-01 .."),
        ("before May 2022", ".. 2022-05-01"),
        ("before the end of May 2022", ".. 2022-06-01"),
        ("by July 10, 2022", ".. 2022-07-11"),
        ("more than 3 years ago", ".. 2021-07-02"),
        ("从2022年5月到8月", "2022-05-01 2022-09-01"),
        ("从5月1日到8日", "2023-05-01 2023-05-09"),
        ("去年以来", "2022-01-01 .."),
        ("从去年开始", "2022-01-01 .."),
        ("2022年之前", ".. 2022-01-01"),
        ("5月1日之后", "2023-05-02 .."),
        ("5月1日から8日まで", "2023-05-01 2023-05-09"),
        ("昨日まで", ".. 2023-05-09"),
        ("先週から", "2023-05-01 .."),
    ],
)
def test_ranges_may_be_open(question: str, days: str) -> None:
    assert shown(question) == days


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("Where did I live before I moved last year?", ".. 2023-01-01"),
        ("What did she say after the race in May 2022?", "2022-05-01 .."),
        ("去年搬家之前我住哪", ".. 2023-01-01"),
        ("去年の引っ越しの前", ".. 2023-01-01"),
    ],
)
def test_an_event_with_a_date_opens_the_period_on_its_side(question: str, days: str) -> None:
    assert shown(question) == days


@pytest.mark.parametrize(
    "question",
    [
        *("", " ", "?", "\0", "😀", "\ud800", "Hello!", "What is my dog's name?", "我叫什么名字？"),
        *("私の名前は？", "What is my last name?", "the last time we spoke", "What comes first?"),
        *(
            "May I ask something?",
            "It may be 5 o'clock",
            "may 5 people come?",
            "May 5 friends come?",
        ),
        *("the 6 may be wrong", "between 3 and 6 may be used", "This May be wrong", "this may do"),
        *("Is May coming?", "a present from May", "before May came", "since April left"),
        *("in April's opinion", "Who was invited by June?", "Did August call?", "with Jan and Mar"),
        *("They march in the sun", "March 5 miles", "a second march", "Wait a second.", "The Sun"),
        *("Is it fall or spring?", "Did I fall in the summer?", "my plans for the weekend"),
        *(
            "before I moved",
            "after the trip",
            "since when?",
            "搬家之前",
            "我以前住哪里",
            "引っ越す前",
        ),
        *(
            "tomorrow",
            "next week",
            "in May next year",
            "next May 8",
            "in two weeks",
            "this weekend",
        ),
        *("明天", "下周", "三天后", "来週", "下个月5号", "this Friday"),
        *("5/8/2023", "2023-02-30", "30 February", "2月30日", "2023", "room 2022", "$2022"),
        *("in 2000 words", "after 2000 steps", "report-2023-05-08.txt", "192.168.2023.5"),
        *("call 2023-05-0812", "+49 2023 5678", "version 2023.5.8", "2021:2022"),
        *("three times a week", "once a year", "5 years old", "every day", "half a year ago"),
        *("an hour ago", "1000 years ago", "9999 years ago", "0 may", "a two week trip"),
        *("五月天的歌", "十月革命", "八月十五", "三个月", "三年级", "5年的经验", "晚上周围有什么"),
        *("十几天前", "星期一", "周末做什么", "以前天气", "8号楼", "2000年历史", "世界上月亮"),
        "What did I say yesterday about the trip in May 2022?",
        *("thİs week", "last Frİday", "fİve days ago", "aprİl 5, 2022", "thıs week"),
        "in 2019 or 2023",
        "Was it in June 2022 or in August 2022?",
    ],
)
def test_what_names_no_period_gives_none(question: str) -> None:
    assert period_of(question, TUESDAY, UTC) is None


@pytest.mark.parametrize(
    ("question", "days"),
    [
        ("over the weekend", "2023-05-13 2023-05-15"),
        ("this weekend", "2023-05-13 2023-05-15"),
        ("last weekend", "2023-05-06 2023-05-08"),
        ("这周末", "2023-05-13 2023-05-15"),
        ("last Sunday", "2023-05-07 2023-05-08"),
        ("this Monday", "2023-05-08 2023-05-09"),
        ("this week", "2023-05-08 2023-05-15"),
    ],
)
def test_on_a_weekend_it_is_the_one_under_way(question: str, days: str) -> None:
    assert shown(question, SUNDAY) == days


def test_days_are_those_of_the_zone() -> None:
    tokyo = timezone(timedelta(hours=9))
    late = datetime(2023, 5, 8, 16, 0, tzinfo=UTC)  # the 9th in Tokyo
    assert period_of("today", late, tokyo) == Period(
        datetime(2023, 5, 8, 15, tzinfo=UTC), datetime(2023, 5, 9, 15, tzinfo=UTC)
    )
    assert period_of("5月8日", late, UTC) == Period(
        datetime(2023, 5, 8, tzinfo=UTC), datetime(2023, 5, 9, tzinfo=UTC)
    )


def test_a_day_on_which_the_clock_changes_is_shorter_or_longer() -> None:
    berlin = ZoneInfo("Europe/Berlin")
    hours = []
    for question in ("on 26 March 2023", "on 29 October 2023", "on 30 October 2023"):
        period = period_of(question, TUESDAY, berlin)
        assert period is not None and period.begin is not None and period.end is not None
        hours.append((period.end - period.begin) / timedelta(hours=1))
    assert hours == [23, 25, 24]


def test_a_day_without_a_midnight_begins_at_its_first_moment() -> None:
    # Clocks in Cairo went from 0:00 to 1:00 on this day.
    period = period_of("on 28 April 2023", TUESDAY, ZoneInfo("Africa/Cairo"))
    assert period is not None
    assert period.begin == datetime(2023, 4, 27, 22, tzinfo=UTC)


def test_a_period_holds_its_begin_and_not_its_end() -> None:
    period = period_of("yesterday", TUESDAY, UTC)
    assert period is not None and period.begin is not None and period.end is not None
    assert period.holds(period.begin)
    assert not period.holds(period.end)
    assert not period.holds(period.begin - timedelta(microseconds=1))
    assert Period(None, None).holds(TUESDAY)


@pytest.mark.parametrize("year", [1, 9999])
@pytest.mark.parametrize(
    "question", ["yesterday", "last year", "this year", "in May", "去年", "3天前"]
)
def test_the_ends_of_the_calendar_are_no_error(question: str, year: int) -> None:
    month, day = (1, 1) if year == 1 else (12, 31)
    period_of(question, datetime(year, month, day, tzinfo=UTC), UTC)


def test_only_the_beginning_of_a_long_text_is_looked_at() -> None:
    assert shown("last week " + "x" * 100_000) == "2023-05-01 2023-05-08"
    assert shown("x" * 2000 + " last week") is None


def test_a_text_full_of_dates_names_no_period() -> None:
    assert shown(" ".join(f"2023-05-0{day}: rain." for day in range(1, 10))) is None


@pytest.mark.parametrize(
    "piece",
    [
        *(
            "1",
            "1-",
            "2023-",
            "1 and ",
            "12 ",
            "5月",
            "may ",
            "May 1 ",
            "a couple of ",
            "from 1 to ",
        ),
        *(
            "the end of ",
            "before x ",
            "early ",
            "between ",
            "上",
            "一",
            "前",
            "最近",
            "ﷺ",
            " ",
            "\n",
        ),
    ],
)
def test_no_text_takes_long(piece: str) -> None:
    period_of(piece, TUESDAY, UTC)
    started = time.process_time()
    period_of(piece * 200_000, TUESDAY, UTC)
    assert time.process_time() - started < 1  # some 0.03 s; what goes wrong takes minutes


@settings(max_examples=300, deadline=None)
@given(st.lists(st.sampled_from([*WORDS, " ", " "]), max_size=16))
def test_no_mixture_of_words_is_an_error_or_a_period_without_days(words: list[str]) -> None:
    leap_day = datetime(2024, 2, 29, 23, 59, tzinfo=UTC)
    for text in ("".join(words), " ".join(words)):
        period = period_of(text, leap_day, UTC)
        if period and period.begin and period.end:
            assert period.begin < period.end


def test_a_year_that_is_left_open_may_be_an_earlier_one() -> None:
    found = [*periods_of("What did we do on 8 May?", TUESDAY, UTC)]
    assert [period.begin.year for period in found if period.begin] == [*range(2023, 2012, -1)]
    assert len(found) == EARLIER_YEARS + 1
    assert {(period.begin.month, period.begin.day) for period in found if period.begin} == {(5, 8)}
    leap = [*periods_of("on 29 February", TUESDAY, UTC)]
    assert [period.begin.year for period in leap if period.begin] == [2020, 2016, 2012]


@pytest.mark.parametrize("question", ["on 8 May 2022", "last week", "上个月", "Hello!", "tomorrow"])
def test_a_time_with_its_year_is_meant_once_at_most(question: str) -> None:
    assert len([*periods_of(question, TUESDAY, UTC)]) <= 1


@pytest.mark.parametrize(
    "question",
    [
        "What shall I cook on Monday?",
        "on Monday evenings",
        "周一要开会吗",
        "每周一聊了什么",
        "月曜日は何をしますか",
    ],
)
def test_a_weekday_is_one_of_the_past_only_where_the_past_is_asked_for(question: str) -> None:
    assert shown(question) is None
