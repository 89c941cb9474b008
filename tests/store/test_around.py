"""What stands around a page: turns of its scope, without a long pause, with all their vectors."""

from dataclasses import replace
from datetime import timedelta

import apsw
import numpy as np
import pytest

from memory_core.backends.embedder import Vectors
from memory_core.records import Kind
from memory_core.store.around import ALONE, PAUSE, Beside, read_around
from memory_core.store.vectors import set_vectors
from tests.store.filled import NOW, SCOPE, add_page, place, state

OTHER = replace(SCOPE, user_id="other")
MINUTE = timedelta(minutes=1)


def beside(connection: apsw.Connection, *keys: int) -> dict[int, Beside]:
    return dict(read_around(connection, keys, (), None).beside)


def talk(connection: apsw.Connection, *pauses: timedelta) -> list[int]:
    """A dialogue with so long pauses between its turns."""
    at, keys = NOW, [add_page(connection, at=NOW)]
    for pause in pauses:
        at += pause
        keys.append(add_page(connection, at=at))
    return keys


def put(connection: apsw.Connection, key: int, *axes: int, model: str = "m") -> None:
    rows: Vectors = np.eye(4, dtype=np.float32)[list(axes)]
    set_vectors(connection, key, Kind.PAGE, 1, model, rows)


def test_a_page_stands_between_the_two_turns_before_it_and_the_two_after_it(
    connection: apsw.Connection,
) -> None:
    first, second, third, fourth, fifth, _ = talk(connection, *[MINUTE] * 5)
    assert beside(connection, third) == {third: (first, second, fourth, fifth)}


def test_at_the_ends_of_a_dialogue_there_is_less(connection: apsw.Connection) -> None:
    first, second, third = talk(connection, MINUTE, MINUTE)
    assert beside(connection, first, second, third) == {
        first: (0, 0, second, third),
        second: (0, first, third, 0),
        third: (first, second, 0, 0),
    }
    assert beside(connection, add_page(connection, scope=OTHER)) == {third + 1: ALONE}


def test_turns_of_others_are_stepped_over(connection: apsw.Connection) -> None:
    mine, foreign, answer = (
        add_page(connection),
        add_page(connection, scope=OTHER),
        add_page(connection),
    )
    assert beside(connection, mine, foreign, answer) == {
        mine: (0, 0, answer, 0),
        foreign: ALONE,
        answer: (0, mine, 0, 0),
    }


def test_the_tier_of_a_turn_does_not_matter(connection: apsw.Connection) -> None:
    first, second, third = talk(connection, MINUTE, MINUTE)
    place(connection, first)
    assert beside(connection, second) == {second: (0, first, third, 0)}


@pytest.mark.parametrize(
    ("pauses", "expected"),
    [
        ((PAUSE, PAUSE, PAUSE, PAUSE), (1, 2, 4, 5)),
        ((PAUSE + MINUTE, PAUSE, PAUSE, PAUSE), (0, 2, 4, 5)),
        ((PAUSE, PAUSE + MINUTE, PAUSE, PAUSE), (0, 0, 4, 5)),
        ((PAUSE, PAUSE, PAUSE + MINUTE, PAUSE), (1, 2, 0, 0)),
        ((PAUSE, PAUSE, PAUSE, PAUSE + MINUTE), (1, 2, 4, 0)),
    ],
)
def test_what_lies_behind_a_long_pause_does_not_belong_to_it(
    connection: apsw.Connection, pauses: tuple[timedelta, ...], expected: Beside
) -> None:
    assert talk(connection, *pauses) == [1, 2, 3, 4, 5]
    assert beside(connection, 3) == {3: expected}


def test_an_older_turn_that_arrived_later_stands_apart_as_well(connection: apsw.Connection) -> None:
    now, imported, same_day = talk(connection, -2 * PAUSE, MINUTE)
    assert beside(connection, now, imported) == {now: ALONE, imported: (0, 0, same_day, 0)}


def test_ghosts_and_what_is_no_page_have_no_place(connection: apsw.Connection) -> None:
    page, fact = add_page(connection), state(connection, "The user has a dog.")
    around = read_around(connection, [page, fact, 999], [page, fact, 999], "m")
    assert dict(around.beside) == {page: ALONE}
    assert set(around.pages) == {page}


def test_a_deleted_turn_leaves_its_neighbours_side_by_side(connection: apsw.Connection) -> None:
    first, gone, third = talk(connection, MINUTE, MINUTE)
    connection.execute("DELETE FROM memory WHERE key = ?", (gone,))
    assert beside(connection, first, gone) == {first: (0, 0, third, 0)}


def test_turns_next_to_the_best_are_judged_as_well_and_those_of_others_only_looked_at(
    connection: apsw.Connection,
) -> None:
    keys = talk(connection, *[MINUTE] * 9)
    best, other = keys[2], keys[7]
    around = read_around(connection, [best, other], [best], None)
    assert set(around.pages) == {keys[1], best, keys[3], other}
    assert around.beside == {
        keys[1]: (0, keys[0], best, keys[3]),
        best: (keys[0], keys[1], keys[3], keys[4]),
        keys[3]: (keys[1], best, keys[4], keys[5]),
        other: (keys[5], keys[6], keys[8], keys[9]),
    }


def test_all_pieces_of_all_that_is_looked_at_come_along(connection: apsw.Connection) -> None:
    far, before, page, _, _, out_of_sight = talk(connection, *[MINUTE] * 5)
    put(connection, far, 0)
    put(connection, before, 1, model="another")
    put(connection, page, 2, 3)
    put(connection, out_of_sight, 1)
    around = read_around(connection, [page], [], "m")
    pieces = sorted(zip(around.items, around.vectors.tolist(), strict=True))
    assert pieces == [(far, [1, 0, 0, 0]), (page, [0, 0, 0, 1]), (page, [0, 0, 1, 0])]


def test_without_a_model_and_without_vectors_there_are_no_pieces(
    connection: apsw.Connection,
) -> None:
    page = add_page(connection)
    for around in (
        read_around(connection, [page], [page], None),
        read_around(connection, [page], [page], "m"),
        read_around(connection, [], [], "m"),
    ):
        assert (len(around.items), len(around.vectors)) == (0, 0)


def test_pages_come_back_as_they_were_said(connection: apsw.Connection) -> None:
    key = add_page(connection, "我的狗\x00", answer="🐶")
    page = read_around(connection, [key], [], None).pages[key]
    assert (page.user_input, page.agent_response, page.at) == ("我的狗\x00", "🐶", NOW)
