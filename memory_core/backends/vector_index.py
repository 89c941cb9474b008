"""The contract of a vector index: fast, derived from the store, disposable."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from memory_core.backends.embedder import Vectors
from memory_core.records import Kind

MOST_ROWS = 64
"""Rows of one upsert: Chroma is deaf while it writes, so more would hold searches up."""


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorRow:
    """One stored vector. change: monotonic change number; (item_key, piece) is its identity.

    name: the public, random id of the item, by which one history is told from another.
    vector None: it was removed.
    """

    change: int
    item_key: int
    name: str
    piece: int
    kind: Kind
    scope_key: int
    vector: Vectors | None


@dataclass(frozen=True, slots=True, kw_only=True)
class VectorHit:
    """A neighbour: the item, whose it is, and the cosine of its nearest piece."""

    item_key: int
    scope_key: int
    cosine: float


class VectorIndex(Protocol):
    """Nearest neighbours of one model's vectors.

    It is filled by change number: whoever owns it sends the rows behind `position`, in order.
    Losing it costs nothing but time.
    """

    @property
    def position(self) -> int:
        """The change number up to which it holds all vectors; 0 when empty."""
        ...

    @property
    def tail(self) -> str:
        """Name of the item of the row at `position`; "" when empty.

        An owner whose store has another name at that change discards the index: the store was
        put back from a copy, and what is in the index is another history.
        """
        ...

    @property
    def state(self) -> str:
        """ "closed", "opening", "open", "not owned", or "failed: ..." for a person."""
        ...

    async def open(self, model: str, dimension: int) -> None:
        """Become the owner and open the index for this model; an index of another is discarded.

        Raises:
            IndexUnavailable: another process owns it, or it cannot be started.
        """
        ...

    async def upsert(self, rows: Sequence[VectorRow]) -> None:
        """Take rows in, in order of change; `position` follows. At most 64 at a time.

        Raises:
            IndexUnavailable: it is not open, or died.
        """
        ...

    async def search(self, kind: Kind, query: Vectors, limit: int) -> list[VectorHit]:
        """The nearest pieces of this kind, whosever they are, best first; at most `limit`.

        An item can come more than once, one hit a piece.

        Raises:
            IndexUnavailable: it is not open, or died.
        """
        ...

    async def discard(self) -> None:
        """Throw away what it holds and begin anew at position 0; it stays open.

        Raises:
            IndexUnavailable: it is not open, or died.
        """
        ...

    async def close(self) -> None:
        """Close it cleanly, so that the next owner can trust it, and give the ownership up."""
        ...


def check_rows(rows: Sequence[VectorRow], dimension: int) -> None:
    """Refuse what no index takes: too many rows, or vectors of another length.

    Raises:
        ValueError: the caller is wrong.
    """
    if len(rows) > MOST_ROWS:
        raise ValueError(f"An index takes at most {MOST_ROWS} rows at a time, got {len(rows)}.")
    for row in rows:
        if row.vector is not None:
            check_vector(row.vector, dimension)


def check_vector(vector: Vectors, dimension: int) -> None:
    """Refuse a vector of another length, or with values that are no numbers.

    Raises:
        ValueError: the caller is wrong.
    """
    if vector.shape != (dimension,):
        raise ValueError(f"A vector of shape {vector.shape} is not of dimension {dimension}.")
    if not np.isfinite(vector).all():
        raise ValueError("A vector holds values that are not finite.")
