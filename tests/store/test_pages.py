"""Pages: the window is the newest that no segment holds, and what waits behind it is the rest."""

from datetime import datetime

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.evidence import bm25_shares
from memory_core.records import Page, PageDraft, Scope
from memory_core.store import pages, segments
from memory_core.store.database import Database
from memory_core.store.search import read_words
from memory_core.store.segments import StalePlan
from tests.store.filled import NOW, SCOPE, add_page, day, placement

CAPACITY = 3
OTHER = Scope(user_id="u", assistant_id="a", cube="other")

Step = tuple[str, int, int, bool]
steps = st.lists(
    st.tuples(
        st.sampled_from(["add", "place", "place again"]),
        st.integers(0, 1),  # the scope
        st.integers(1, 4),  # so many of the oldest that wait are placed
        st.booleans(),  # in the newest segment instead of a new one
    ),
    max_size=30,
)


def keys(found: tuple[Page, ...]) -> list[int]:
    return [page.key for page in found]


class Expected:
    """What two scopes should hold, kept in lists."""

    def __init__(self) -> None:
        self.waiting: list[list[int]] = [[], []]
        self.placed: list[dict[int, int]] = [{}, {}]


@settings(max_examples=20, deadline=None)
@given(steps=steps)
async def test_each_page_is_in_one_tier_whatever_is_added_and_placed(
    tmp_path_factory: pytest.TempPathFactory, steps: list[Step]
) -> None:
    database = await Database.open(tmp_path_factory.mktemp("walk") / "memory.db")
    expected = Expected()
    try:
        for step in [("add", 0, 1, False), ("add", 1, 1, False), *steps]:
            await take(database, expected, step)
            for scope in (0, 1):
                await check(database, scope, expected)
    finally:
        await database.close()


async def take(database: Database, expected: Expected, step: Step) -> None:
    what, scope, count, join = step
    waiting, placed = expected.waiting[scope], expected.placed[scope]
    if what == "add":
        owner = (SCOPE, OTHER)[scope]
        added = await database.write(
            pages.add_page,
            owner,
            PageDraft(user_input="x", agent_response="", at=NOW),
            NOW,
            CAPACITY,
        )
        waiting.append(await database.read(newest_key))
        assert (added.short_term_count, added.pending) == (
            min(len(waiting), CAPACITY),
            max(0, len(waiting) - CAPACITY),
        )
    elif what == "place":
        due = keys(await database.read(pages.overflow, scope + 1, CAPACITY, count))
        assert due == waiting[: min(count, max(0, len(waiting) - CAPACITY))]
        into = max(placed.values()) if join and placed else None
        plan = placement(*due, into=into)
        segment = await database.write(segments.apply_placement, scope + 1, plan, "x", NOW)
        del waiting[: len(due)]
        placed |= dict.fromkeys(due, segment)
    elif placed:  # another process comes late with the same plan
        plan = placement(*waiting[-1:], min(placed))
        with pytest.raises(StalePlan):
            await database.write(segments.apply_placement, scope + 1, plan, "x", NOW)


async def check(database: Database, scope: int, expected: Expected) -> None:
    waiting, placed = expected.waiting[scope], expected.placed[scope]
    window = await database.read(pages.window, (scope + 1,), CAPACITY)
    behind = await database.read(pages.overflow, scope + 1, CAPACITY, 1000)
    in_segments = await database.read(segments.pages_of, sorted(set(placed.values())))
    assert keys(window) == waiting[-CAPACITY:]
    assert keys(behind) == waiting[:-CAPACITY]
    assert {page.key: page.segment_key for page in in_segments} == placed
    overflows = await database.read(segments.overflows, CAPACITY)
    pending = {overflow.scope_key: overflow.pending for overflow in overflows}
    assert pending.get(scope + 1, 0) == len(behind)


def newest_key(connection: apsw.Connection) -> int:
    ((key,),) = connection.execute("SELECT max(key) FROM page")
    return int(key)


def test_the_window_goes_by_arrival_not_by_the_time_it_was_said(
    connection: apsw.Connection,
) -> None:
    late = add_page(connection, at=day(3))
    early = add_page(connection, at=day(-3))
    assert keys(pages.window(connection, (1,), 1)) == [early]
    assert keys(pages.overflow(connection, 1, 1, 10)) == [late]


def test_the_window_of_several_scopes_is_the_newest_of_all(connection: apsw.Connection) -> None:
    mine, others = add_page(connection), add_page(connection, scope=OTHER)
    newest = add_page(connection)
    assert keys(pages.window(connection, (1, 2), 2)) == [others, newest]
    assert keys(pages.window(connection, (1,), 2)) == [mine, newest]
    assert pages.window(connection, (), 2) == ()
    assert pages.count_unplaced(connection, ()) == 0


def test_pages_are_read_back_as_they_were_and_ghosts_are_not(connection: apsw.Connection) -> None:
    at = datetime.fromisoformat("0999-12-31T23:59:59.999999+00:00")
    draft = PageDraft(user_input="猫\x00🐱", agent_response="", at=at, meta_data={"a": [None, "é"]})
    added = pages.add_page(connection, SCOPE, draft, NOW, 7)
    read = pages.pages_by_key(connection, [1, 99])
    assert list(read) == [1]
    page = read[1]
    assert (page.id, page.user_input, page.at, page.meta_data) == (
        added.id,
        "猫\x00🐱",
        at,
        {"a": [None, "é"]},
    )
    assert page.segment_key is None


@pytest.mark.parametrize("asked", ["2026-03-07", "March 2026", "3月7日"])
def test_a_page_is_found_by_its_date_as_people_write_it(
    connection: apsw.Connection, asked: str
) -> None:
    key = add_page(connection, "lunch", at=datetime.fromisoformat("2026-03-07T10:00:00+00:00"))
    add_page(connection, "lunch", at=datetime.fromisoformat("2025-11-20T10:00:00+00:00"))
    found = bm25_shares(read_words(connection, [SCOPE], asked).pages)
    assert max(found, key=lambda k: found[k]) == key
