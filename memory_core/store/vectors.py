"""Vectors: what still has none, what changed since, what lies near."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import apsw
import numpy as np

from memory_core.backends.embedder import Vectors
from memory_core.backends.vector_index import VectorRow
from memory_core.records import Kind
from memory_core.store.rows import marks, select


@dataclass(frozen=True, slots=True, kw_only=True)
class Unembedded:
    """A row without a vector of the model at hand, and the text it is known by."""

    key: int
    kind: Kind
    scope: int
    text: str


_TEXTS = """
    SELECT memory.key, memory.kind, memory.scope, page.user_input, page.agent_response,
        coalesce(fact.text, segment.title || '. ' || segment.summary)
    FROM memory LEFT JOIN page USING (key) LEFT JOIN fact USING (key)
        LEFT JOIN segment USING (key)
"""
_LACKS = """
    NOT EXISTS (SELECT 1 FROM vector WHERE vector.item = memory.key AND vector.model = ?)
"""


def unembedded(connection: apsw.Connection, model: str, after: int, limit: int) -> list[Unembedded]:
    """The next rows behind `after` that have no vector of this model, by key."""
    sql = f"{_TEXTS} WHERE memory.key > ? AND {_LACKS} ORDER BY memory.key LIMIT ?"
    return [_unembedded(row) for row in connection.execute(sql, (after, model, limit))]


def unembedded_segments(connection: apsw.Connection, model: str, limit: int) -> list[Unembedded]:
    """Segments that have no vector of this model: they lose it when another model moves them."""
    sql = f"{_TEXTS} WHERE segment.key IS NOT NULL AND {_LACKS} LIMIT ?"
    return [_unembedded(row) for row in connection.execute(sql, (model, limit))]


def lack_vectors(connection: apsw.Connection, model: str) -> bool:
    """Whether any row has no vector of this model."""
    return bool(select(connection, f"SELECT 1 FROM memory WHERE {_LACKS} LIMIT 1", (model,)))


def _unembedded(row: tuple[Any, ...]) -> Unembedded:
    key, kind, scope, user, agent, text = row
    return Unembedded(
        key=key, kind=Kind(kind), scope=scope, text=text or f"{user}\n{agent}".strip()
    )


def newest(connection: apsw.Connection) -> tuple[int, int]:
    """Key of the row that came in last, and the last change of a vector; 0 when there is none."""
    sql = """
        SELECT (SELECT coalesce(max(key), 0) FROM memory),
            (SELECT coalesce(max(change), 0) FROM vector)
    """
    key, change = select(connection, sql)[0]
    return key, change


def add_vectors(
    connection: apsw.Connection,
    model: str,
    rows: Sequence[Unembedded],
    vectors: Sequence[Vectors],
) -> None:
    """Store the vectors of rows that had none, each of shape (pieces, dimension)."""
    sql = "SELECT 1 FROM vector WHERE item = ? AND model = ?"
    for row, own in zip(rows, vectors, strict=True):
        # Another process may have been faster; its vectors are as good.
        if connection.execute(sql, (row.key, model)).fetchone() is None:
            set_vectors(connection, row.key, row.kind, row.scope, model, own)


def set_vectors(
    connection: apsw.Connection,
    key: int,
    kind: Kind,
    scope: int,
    model: str,
    vectors: Vectors,
) -> None:
    """Store the vectors of a row's pieces, shape (pieces, dimension); older ones are replaced."""
    connection.execute("DELETE FROM vector WHERE item = ? AND model = ?", (key, model))
    connection.executemany(
        "INSERT INTO vector (item, piece, model, kind, scope, data) VALUES (?, ?, ?, ?, ?, ?)",
        [
            (key, piece, model, kind, scope, np.ascontiguousarray(vector, dtype="<f4").tobytes())
            for piece, vector in enumerate(vectors)
        ],
    )


def drop_vectors(connection: apsw.Connection, key: int) -> None:
    """Forget the vectors of a row whose text has changed."""
    connection.execute("DELETE FROM vector WHERE item = ?", (key,))


def name_of_change(connection: apsw.Connection, model: str, change: int) -> str:
    """The public id of the row whose vector took a change number; "" when there is none."""
    sql = """
        SELECT memory.id FROM vector JOIN memory ON memory.key = vector.item
        WHERE change = ? AND model = ?
    """
    found = select(connection, sql, (change, model))
    return str(found[0][0]) if found else ""


def changed_vectors(
    connection: apsw.Connection, model: str, kinds: Sequence[Kind], after: int, limit: int
) -> list[VectorRow]:
    """Vectors written after a change number, in order, for an index that catches up."""
    # By change: with vector_by_scope each batch would read and sort the whole index.
    sql = f"""
        SELECT change, item, memory.id, piece, vector.kind, vector.scope, data
        FROM vector NOT INDEXED JOIN memory ON memory.key = vector.item
        WHERE model = ? AND vector.kind IN ({marks(kinds)}) AND change > ?
        ORDER BY change LIMIT ?
    """
    rows = connection.execute(sql, (model, *kinds, after, limit))
    return [
        VectorRow(
            change=change,
            item_key=item,
            name=name,
            piece=piece,
            kind=Kind(kind),
            scope_key=scope,
            vector=np.frombuffer(data, dtype="<f4"),
        )
        for change, item, name, piece, kind, scope, data in rows
    ]


def scope_vectors(
    connection: apsw.Connection, model: str, scope: int, kind: Kind, after: int
) -> tuple[int, list[int], Vectors]:
    """Vectors of one scope and kind written after a change number.

    Returns:
        The newest change seen, the item of each row, and the rows, shape (n, dimension).
    """
    sql = """
        SELECT change, item, data FROM vector
        WHERE model = ? AND scope = ? AND kind = ? AND change > ? ORDER BY change
    """
    rows = select(connection, sql, (model, scope, kind, after))
    if not rows:
        return after, [], np.empty((0, 0), dtype=np.float32)
    matrix = np.frombuffer(b"".join(row[2] for row in rows), dtype="<f4")
    return rows[-1][0], [row[1] for row in rows], matrix.reshape(len(rows), -1)


def vectors_of(connection: apsw.Connection, model: str, keys: Sequence[int]) -> dict[int, Vectors]:
    """The mean direction of each row's pieces, shape (dimension,), unit length."""
    sql = f"SELECT item, data FROM vector WHERE model = ? AND item IN ({marks(keys)})"
    sums: dict[int, Vectors] = {}
    for item, data in connection.execute(sql, (model, *keys)):
        vector = np.frombuffer(data, dtype="<f4")
        sums[item] = sums[item] + vector if item in sums else vector
    return {key: total / max(float(np.linalg.norm(total)), 1e-12) for key, total in sums.items()}


def pieces_of(
    connection: apsw.Connection, model: str, keys: Sequence[int]
) -> tuple[list[int], Vectors]:
    """All pieces of these rows by item: the item of each, and the rows, shape (n, dimension)."""
    sql = f"""
        SELECT item, data FROM vector WHERE model = ? AND item IN ({marks(keys)}) ORDER BY item
    """
    rows = select(connection, sql, (model, *keys))
    if not rows:
        return [], np.empty((0, 0), dtype=np.float32)
    matrix = np.frombuffer(b"".join(row[1] for row in rows), dtype="<f4")
    return [row[0] for row in rows], matrix.reshape(len(rows), -1)
