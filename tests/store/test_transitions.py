"""The two steps of the walk: each is written in whole, or, when its plan is stale, not at all."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import apsw
import numpy as np
import pytest

from memory_core.records import About, Kind, ProfileLine
from memory_core.store import facts, profiles, segments, vectors
from memory_core.store.database import Database
from memory_core.store.rows import select
from memory_core.store.segments import StalePlan
from memory_core.store.transitions import Digest, write_digest, write_placement
from tests.store.filled import (
    NOW,
    UNBOUNDED,
    add_page,
    current,
    day,
    place,
    placement,
    state,
    statement,
)

MIDDLE = np.eye(4, dtype=np.float32)[0]
LINE = ProfileLine(section="identity", text="Lives.", at=NOW, confidence=1.0, source_ids=())
PLAIN = Digest(segment_keys=(), page_keys=(), facts=(), profile=None, based_on=None)


def tables(connection: apsw.Connection) -> dict[str, list[Any]]:
    """Everything in the database but the insides of the full-text index."""
    names = select(
        connection,
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'words_%'",
    )
    return {name: select(connection, f"SELECT * FROM {name}") for (name,) in names}


async def nothing_is_written(
    path: Path, prepare: Callable[[apsw.Connection], Any], step: Callable[[apsw.Connection], Any]
) -> None:
    """Check that a step of a stale plan leaves the database as it was."""
    database = await Database.open(path / "memory.db")
    try:
        await database.write(prepare)
        before = await database.read(tables)
        with pytest.raises(StalePlan):
            await database.write(step)
        assert await database.read(tables) == before
    finally:
        await database.close()


def moved(connection: apsw.Connection, *keys: int, into: int | None = None) -> int:
    plan = placement(*keys, into=into, title="new title", news=True)
    return write_placement(connection, 1, plan, "late", day(1), "m", MIDDLE, **UNBOUNDED)


async def test_a_page_placed_meanwhile_stops_the_placement_of_all(tmp_path: Path) -> None:
    def prepare(connection: apsw.Connection) -> None:
        add_page(connection)
        add_page(connection)
        place(connection, 2)

    await nothing_is_written(tmp_path, prepare, lambda connection: moved(connection, 1, 2))


async def test_a_page_placed_meanwhile_leaves_the_joined_segment_as_it_was(tmp_path: Path) -> None:
    def prepare(connection: apsw.Connection) -> None:
        for _ in range(3):
            add_page(connection)
        place(connection, 1)
        place(connection, 3)

    await nothing_is_written(tmp_path, prepare, lambda connection: moved(connection, 2, 3, into=4))


async def test_a_segment_retired_meanwhile_takes_no_page(tmp_path: Path) -> None:
    def prepare(connection: apsw.Connection) -> None:
        for _ in range(2):
            add_page(connection)
        segments.retire_segments(connection, [place(connection, 1)], NOW)

    await nothing_is_written(tmp_path, prepare, lambda connection: moved(connection, 2, into=3))


async def test_a_segment_that_never_was_takes_no_page(tmp_path: Path) -> None:
    await nothing_is_written(tmp_path, add_page, lambda connection: moved(connection, 1, into=999))


def digested(connection: apsw.Connection, digest: Digest) -> None:
    write_digest(connection, 1, digest, "late", day(1), capacity=100)


async def test_a_page_digested_meanwhile_stops_the_whole_digest(tmp_path: Path) -> None:
    def prepare(connection: apsw.Connection) -> None:
        for _ in range(2):
            add_page(connection)
        place(connection, 1, 2, news=True)
        state(connection, "The user likes tea.", source_keys=(1,))
        segments.mark_digested(connection, [], [2], "faster")

    digest = replace(
        PLAIN,
        segment_keys=(3,),
        page_keys=(1, 2),
        facts=(statement("The user likes milk.", replaces=(4,)),),
        profile=(LINE,),
    )
    await nothing_is_written(tmp_path, prepare, lambda connection: digested(connection, digest))


@pytest.mark.parametrize("seen", [True, False])
async def test_a_profile_that_moved_on_stops_the_digest(tmp_path: Path, seen: bool) -> None:
    based_on = []

    def prepare(connection: apsw.Connection) -> None:
        place(connection, add_page(connection))
        if seen:
            profiles.add_profile(connection, 1, [LINE], "model", NOW)
        based_on.append(profiles.latest_profile(connection, (1,)))
        profiles.add_profile(connection, 1, [replace(LINE, text="Lives well.")], "model", day(1))

    def step(connection: apsw.Connection) -> None:
        digested(connection, replace(PLAIN, page_keys=(1,), profile=(), based_on=based_on[0]))

    await nothing_is_written(tmp_path, prepare, step)


def test_a_placed_segment_is_where_its_pages_are(connection: apsw.Connection) -> None:
    key = moved(connection, add_page(connection))
    assert moved(connection, add_page(connection), into=key) == key
    assert vectors.vectors_of(connection, "m", [key])[key] == pytest.approx(MIDDLE)
    (row,) = vectors.changed_vectors(connection, "m", [Kind.SEGMENT], 0, 10)
    assert row.item_key == key


def test_a_segment_changed_without_an_embedder_waits_to_be_embedded_anew(
    connection: apsw.Connection,
) -> None:
    key = moved(connection, add_page(connection))
    plan = placement(add_page(connection), into=key)
    write_placement(connection, 1, plan, "x", NOW, None, None, **UNBOUNDED)
    assert vectors.vectors_of(connection, "m", [key]) == {}
    assert key in [row.key for row in vectors.unembedded(connection, "m", 0, 100)]


def test_a_digest_writes_facts_and_profile_and_marks_what_is_done(
    connection: apsw.Connection,
) -> None:
    first, second = add_page(connection), add_page(connection)
    whole, part = place(connection, first, news=True), place(connection, second, news=True)
    segments.visit(connection, [whole, part], NOW)
    third = add_page(connection)
    place(connection, third, into=part)
    digest = replace(
        PLAIN,
        segment_keys=(whole,),
        page_keys=(first, second),
        facts=(statement("The user lives.", source_keys=(first,)),),
        profile=(LINE,),
    )
    digested(connection, digest)
    left = {segment.key: segment for segment in segments.live_segments(connection, (1,))}
    assert (left[whole].undigested, left[whole].visits, left[whole].news) == (0, 0, False)
    assert (left[part].undigested, left[part].visits, left[part].news) == (1, 1, True)
    (fact,) = facts.all_facts(connection, (1,))
    assert (fact.text, fact.made_by, len(fact.source_ids)) == ("The user lives.", "late", 1)
    profile = profiles.latest_profile(connection, (1,))
    assert profile is not None
    assert (profile.lines, profile.made_by) == ((LINE,), "late")


def test_without_revised_lines_the_profile_is_arranged_from_what_is_true_now(
    connection: apsw.Connection,
) -> None:
    about = replace(
        PLAIN,
        facts=(
            statement("The user lives in Lisbon.", day(-2), attribute="home", section="identity"),
            statement("The user lives in Porto.", day(-1), attribute="home", section="identity"),
            statement("The assistant is kind.", about=About.ASSISTANT),
        ),
    )
    digested(connection, about)
    profile = profiles.latest_profile(connection, (1,))
    assert profile is not None
    assert [line.text for line in profile.lines] == ["The user lives in Porto."]


def test_a_digest_of_nothing_makes_no_profile(connection: apsw.Connection) -> None:
    digested(connection, PLAIN)
    assert profiles.latest_profile(connection, (1,)) is None


def test_a_digest_keeps_the_capacity_of_each_side(connection: apsw.Connection) -> None:
    drafts = tuple(
        statement(f"{about} {number}", day(number), about=about)
        for about in About
        for number in range(4)
    )
    write_digest(connection, 1, replace(PLAIN, facts=drafts), "x", NOW, capacity=2)
    assert current(connection) == ["user 2", "user 3"]
    assert current(connection, About.ASSISTANT) == ["assistant 2", "assistant 3"]


def test_whoever_leaves_for_a_new_segment_leaves_with_it(connection: apsw.Connection) -> None:
    """A kill between the two would leave more segments than there may be."""
    for _ in range(3):
        add_page(connection)
    old = [place(connection, 1), place(connection, 2)]
    oldest: Any = {"capacity": 2, "coldest": lambda live: [live[0].key]}
    new = write_placement(connection, 1, placement(3), "x", NOW, None, None, **oldest)
    left = [segment.key for segment in segments.live_segments(connection, (1,))]
    assert left == [old[1], new]
