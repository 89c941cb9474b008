"""Pages that may be answers, with the turns around them and the vectors of all."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime, timedelta

import apsw
import numpy as np

from memory_core.backends.embedder import Vectors
from memory_core.records import Page
from memory_core.store.pages import pages_by_key
from memory_core.store.rows import from_column, marks, select
from memory_core.store.vectors import pieces_of

Beside = tuple[int, int, int, int]
"""Keys of the turns two before, one before, one after and two after; 0 where there is none."""

ALONE: Beside = (0, 0, 0, 0)

PAUSE = timedelta(hours=4)
"""Turns that are further apart do not belong together, though they follow each other."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Surroundings:
    """The pages that are judged, and what stands around them.

    items, vectors: the pieces of all these pages, shape (n, dimension), and the page of each.
    """

    pages: Mapping[int, Page]
    beside: Mapping[int, Beside]
    items: Sequence[int] = ()
    vectors: Vectors = field(default_factory=lambda: np.empty((0, 0), np.float32))


def read_around(
    connection: apsw.Connection, keys: Sequence[int], best: Sequence[int], model: str | None
) -> Surroundings:
    """Read pages, and the turns next to the best of them, with what stands around all of these.

    model: whose vectors; None: none.
    """
    beside = _beside(connection, keys)
    next_to = {key for page in best if page in beside for key in beside[page][1:3]} - {0}
    beside |= _beside(connection, sorted(next_to - beside.keys()))
    pages = pages_by_key(connection, sorted(beside))
    if model is None:
        return Surroundings(pages=pages, beside=beside)
    every = {*beside, *(key for around in beside.values() for key in around)} - {0}
    items, vectors = pieces_of(connection, model, sorted(every))
    return Surroundings(pages=pages, beside=beside, items=items, vectors=vectors)


def _beside(connection: apsw.Connection, keys: Sequence[int]) -> dict[int, Beside]:
    """Around each page that exists: the turns of its scope without a long pause between them."""
    sql = f"""
        SELECT page.key,
            (SELECT key FROM page AS a WHERE a.scope = page.scope AND a.key < page.key
                ORDER BY a.key DESC LIMIT 1 OFFSET 1),
            (SELECT max(key) FROM page AS a WHERE a.scope = page.scope AND a.key < page.key),
            (SELECT min(key) FROM page AS b WHERE b.scope = page.scope AND b.key > page.key),
            (SELECT key FROM page AS b WHERE b.scope = page.scope AND b.key > page.key
                ORDER BY b.key LIMIT 1 OFFSET 1)
        FROM page WHERE page.key IN ({marks(keys)})
    """
    rows = select(connection, sql, tuple(keys))
    times = _times(connection, sorted({key for row in rows for key in row if key is not None}))
    return {row[0]: _together(row, times) for row in rows}


def _times(connection: apsw.Connection, keys: Sequence[int]) -> dict[int, datetime]:
    sql = f"SELECT key, at FROM memory WHERE key IN ({marks(keys)})"
    return {key: from_column(at) for key, at in connection.execute(sql, tuple(keys))}


def _together(row: Sequence[int | None], times: Mapping[int, datetime]) -> Beside:
    page, far_before, before, after, far_after = row

    def joined(one: int | None, other: int | None) -> bool:
        return bool(one and other) and abs(times[one or 0] - times[other or 0]) <= PAUSE

    first, last = joined(before, page), joined(page, after)
    return (
        (far_before or 0) if first and joined(far_before, before) else 0,
        (before or 0) if first else 0,
        (after or 0) if last else 0,
        (far_after or 0) if last and joined(after, far_after) else 0,
    )
