"""Segments: what joins them, what warms them, and that a stale plan changes nothing."""

import apsw
import pytest

from memory_core.records import Scope
from memory_core.store import segments
from memory_core.store.segments import StalePlan
from tests.store.filled import NOW, add_page, day, place

OTHER = Scope(user_id="other", assistant_id="a")


def test_a_segment_counts_its_pages_and_those_not_yet_digested(
    connection: apsw.Connection,
) -> None:
    first, second, third = (add_page(connection) for _ in range(3))
    key = place(connection, first, second)
    place(connection, third, into=key)
    segments.mark_digested(connection, [], [first], "model")
    (segment,) = segments.live_segments(connection, (1,))
    assert (segment.key, segment.pages, segment.undigested) == (key, 3, 2)
    unread = segments.pages_of(connection, [key], undigested=True)
    assert [page.key for page in unread] == [second, third]


def test_what_joins_says_anew_what_a_segment_is_about(connection: apsw.Connection) -> None:
    key = place(connection, add_page(connection), at=day(-9))
    place(
        connection,
        add_page(connection),
        into=key,
        title="猫",
        summary="三毛是一只猫。",
        keywords=("猫", "o'\"k"),
        at=day(-5),
    )
    (segment,) = segments.live_segments(connection, (1,))
    assert (segment.title, segment.summary) == ("猫", "三毛是一只猫。")
    assert segment.keywords == ("猫", "o'\"k")
    assert segment.last_visit_at == day(-5)


def test_an_older_page_does_not_cool_a_segment_nor_take_its_news(
    connection: apsw.Connection,
) -> None:
    key = place(connection, add_page(connection), at=day(-1), news=True)
    place(connection, add_page(connection), into=key, at=day(-30), news=False)
    segments.visit(connection, [key], day(-60))
    (segment,) = segments.live_segments(connection, (1,))
    assert (segment.last_visit_at, segment.news, segment.visits) == (day(-1), True, 1)


def test_after_a_digest_only_what_is_new_counts(connection: apsw.Connection) -> None:
    page = add_page(connection)
    key = place(connection, page, news=True)
    segments.visit(connection, [key, key], NOW)
    segments.mark_digested(connection, [key], [page], "heuristic")
    (segment,) = segments.live_segments(connection, (1,))
    assert (segment.visits, segment.undigested, segment.news) == (0, 0, False)
    assert segments.undigested_segments(connection) == {}


def test_pages_are_digested_once(connection: apsw.Connection) -> None:
    page = add_page(connection)
    key = place(connection, page)
    segments.mark_digested(connection, [key], [page], "first")
    with pytest.raises(StalePlan):
        segments.mark_digested(connection, [key], [page], "second")


def test_work_is_found_by_scope(connection: apsw.Connection) -> None:
    key = place(connection, add_page(connection))
    foreign = add_page(connection, scope=OTHER)
    with pytest.raises(StalePlan):
        place(connection, foreign)
    found = segments.undigested_segments(connection)
    assert {scope: [s.key for s in own] for scope, own in found.items()} == {1: [key]}


def test_a_retired_segment_is_gone_but_its_pages_are_not(connection: apsw.Connection) -> None:
    page = add_page(connection)
    key = place(connection, page)
    segments.retire_segments(connection, [key], NOW)
    assert segments.live_segments(connection, (1,)) == ()
    assert segments.segments_by_key(connection, [key]) == {}
    assert segments.undigested_segments(connection) == {}
    (kept,) = segments.pages_of(connection, [key])
    assert kept.tier == "mid"
    with pytest.raises(StalePlan):
        place(connection, add_page(connection), into=key)


def test_overflows_tell_how_much_waits_since_when(connection: apsw.Connection) -> None:
    for minute in range(3):
        add_page(connection, at=day(-100), now=day(minute))
    add_page(connection, scope=OTHER)
    (overflow,) = segments.overflows(connection, 1)
    assert (overflow.scope_key, overflow.pending) == (1, 2)
    assert overflow.last_added_at == day(2)
    assert segments.overflows(connection, 3) == []


def test_the_page_before_is_the_one_that_came_before_in_the_same_scope(
    connection: apsw.Connection,
) -> None:
    first = add_page(connection)
    add_page(connection, scope=OTHER)
    second = add_page(connection)
    before = segments.page_before(connection, 1, second)
    assert before is not None
    assert before.key == first
    assert segments.page_before(connection, 1, first) is None
