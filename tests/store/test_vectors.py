"""Vectors in the store: what has none yet, what changed since, whose lie where."""

from collections.abc import Sequence

import apsw
import numpy as np
import pytest

from memory_core.backends.embedder import Vectors
from memory_core.records import Kind, Scope
from memory_core.store import vectors
from memory_core.store.vectors import Unembedded
from tests.store.filled import add_page, place, state

OTHER = Scope(user_id="other", assistant_id="a")


def axis(number: int, pieces: int = 1) -> Vectors:
    """So many equal unit vectors, shape (pieces, 4)."""
    return np.tile(np.eye(4, dtype=np.float32)[number], (pieces, 1))


def put(
    connection: apsw.Connection,
    key: int,
    rows: Vectors,
    *,
    kind: Kind = Kind.PAGE,
    scope: int = 1,
    model: str = "m",
) -> None:
    vectors.set_vectors(connection, key, kind, scope, model, rows)


def backlog(connection: apsw.Connection, model: str = "m", after: int = 0) -> list[int]:
    return [row.key for row in vectors.unembedded(connection, model, after, 100)]


def changes(
    connection: apsw.Connection, kinds: Sequence[Kind] = (Kind.PAGE,), after: int = 0
) -> list[tuple[int, int, int]]:
    rows = vectors.changed_vectors(connection, "m", kinds, after, 100)
    return [(row.change, row.item_key, row.piece) for row in rows]


def test_the_backlog_is_what_has_no_vector_of_this_model(connection: apsw.Connection) -> None:
    keys = [add_page(connection) for _ in range(3)]
    put(connection, keys[1], axis(0))
    put(connection, keys[0], axis(0), model="another")
    assert backlog(connection) == [keys[0], keys[2]]
    assert backlog(connection, after=keys[0]) == [keys[2]]
    assert backlog(connection, "another") == keys[1:]
    assert len(vectors.unembedded(connection, "m", 0, 1)) == 1


def test_each_kind_is_known_by_its_text(connection: apsw.Connection) -> None:
    both = add_page(connection, "Hi.", answer="Hello.")
    alone = add_page(connection, "", answer="A note.", scope=OTHER)
    topic = place(connection, both, title="Greetings", summary="They greet.")
    fact = state(connection, "The user greets.")
    assert vectors.unembedded(connection, "m", 0, 100) == [
        Unembedded(key=both, kind=Kind.PAGE, scope=1, text="Hi.\nHello."),
        Unembedded(key=alone, kind=Kind.PAGE, scope=2, text="A note."),
        Unembedded(key=topic, kind=Kind.SEGMENT, scope=1, text="Greetings. They greet."),
        Unembedded(key=fact, kind=Kind.FACT, scope=1, text="The user greets."),
    ]


def test_whoever_embeds_first_is_kept(connection: apsw.Connection) -> None:
    add_page(connection)
    add_page(connection)
    rows = vectors.unembedded(connection, "m", 0, 100)
    vectors.add_vectors(connection, "m", rows[:1], [axis(0)])
    vectors.add_vectors(connection, "m", rows, [axis(1, pieces=2), axis(2, pieces=2)])
    assert changes(connection) == [(1, 1, 0), (2, 2, 0), (3, 2, 1)]
    assert vectors.vectors_of(connection, "m", [1])[1] == pytest.approx(axis(0)[0])


def test_what_is_set_again_replaces_all_pieces_under_newer_change_numbers(
    connection: apsw.Connection,
) -> None:
    for _ in range(2):
        add_page(connection)
    put(connection, 1, axis(0, pieces=3))
    put(connection, 2, axis(1))
    put(connection, 1, axis(2))
    assert changes(connection) == [(4, 2, 0), (5, 1, 0)]
    assert changes(connection, after=4) == [(5, 1, 0)]


def test_change_numbers_are_never_used_again(connection: apsw.Connection) -> None:
    add_page(connection)
    put(connection, 1, axis(0, pieces=2))
    vectors.drop_vectors(connection, 1)
    assert changes(connection) == []
    assert backlog(connection) == [1]
    put(connection, 1, axis(0))
    assert changes(connection) == [(3, 1, 0)]


def test_an_index_hears_of_its_kinds_and_its_model_in_bounded_steps(
    connection: apsw.Connection,
) -> None:
    page = add_page(connection)
    topic, fact = place(connection, page), state(connection, "A fact.")
    put(connection, topic, axis(0), kind=Kind.SEGMENT)
    put(connection, fact, axis(1), kind=Kind.FACT)
    put(connection, page, axis(2, pieces=3))
    put(connection, page, axis(3), model="another")
    assert [item for _, item, _ in changes(connection, (Kind.FACT, Kind.SEGMENT))] == [topic, fact]
    assert changes(connection, ()) == []
    first = vectors.changed_vectors(connection, "m", (Kind.PAGE,), 0, 2)
    (last,) = vectors.changed_vectors(connection, "m", (Kind.PAGE,), first[-1].change, 2)
    assert [row.piece for row in (*first, last)] == [0, 1, 2]
    assert last.vector is not None
    assert (last.kind, last.scope_key, last.vector.tolist()) == (Kind.PAGE, 1, [0, 0, 1, 0])


def test_a_scan_reads_one_scope_one_kind_one_model_and_what_is_new(
    connection: apsw.Connection,
) -> None:
    page, fact = add_page(connection), state(connection, "A fact.")
    foreign = add_page(connection, scope=OTHER)
    put(connection, page, axis(0, pieces=2))
    put(connection, fact, axis(1), kind=Kind.FACT)
    put(connection, foreign, axis(2), scope=2)
    put(connection, page, axis(3), model="another")
    change, items, rows = vectors.scope_vectors(connection, "m", 1, Kind.PAGE, 0)
    assert (change, items, rows.tolist()) == (2, [page, page], axis(0, pieces=2).tolist())
    assert rows.dtype == np.float32
    change, items, rows = vectors.scope_vectors(connection, "m", 1, Kind.PAGE, change)
    assert (change, items, rows.size) == (2, [], 0)


def test_a_row_stands_where_its_pieces_point_together(connection: apsw.Connection) -> None:
    add_page(connection)
    put(connection, 1, np.concatenate([axis(0), axis(1)]))
    put(connection, 1, axis(3), model="another")
    found = vectors.vectors_of(connection, "m", [1, 99])
    assert list(found) == [1]
    assert found[1] == pytest.approx(np.array([0.5, 0.5, 0, 0]) ** 0.5)


def test_pieces_that_point_apart_are_no_division_by_zero(connection: apsw.Connection) -> None:
    add_page(connection)
    put(connection, 1, np.concatenate([axis(0), -axis(0)]))
    assert np.isfinite(vectors.vectors_of(connection, "m", [1])[1]).all()


def test_vectors_go_with_what_they_belong_to(connection: apsw.Connection) -> None:
    add_page(connection)
    put(connection, 1, axis(0))
    connection.execute("DELETE FROM memory")
    assert changes(connection) == []


def test_pieces_are_handed_out_with_their_rows_of_this_model_only(
    connection: apsw.Connection,
) -> None:
    long, short, lost = (add_page(connection) for _ in range(3))
    put(connection, long, np.eye(4, dtype=np.float32)[:2])
    put(connection, short, axis(2))
    put(connection, short, axis(3), model="another")
    put(connection, lost, axis(3))
    items, pieces = vectors.pieces_of(connection, "m", [long, short, 99])
    found = sorted(zip(items, pieces.tolist(), strict=True))
    assert found == [(long, [0, 1, 0, 0]), (long, [1, 0, 0, 0]), (short, [0, 0, 1, 0])]
    for nothing in ([], [99]):
        items, pieces = vectors.pieces_of(connection, "m", nothing)
        assert (items, len(pieces)) == ([], 0)
