"""A vector index in memory, for tests and for stores that are small: exact, and lost at exit."""

from collections.abc import Sequence

from memory_core.backends.embedder import Vectors
from memory_core.backends.vector_index import VectorHit, VectorRow, check_rows, check_vector
from memory_core.errors import IndexUnavailable
from memory_core.records import Kind


class MemoryIndex:
    """A `VectorIndex` that compares a query with every vector it holds.

    It keeps its vectors when it is closed, as long as the same model opens it again.
    """

    def __init__(self) -> None:
        self._rows: dict[tuple[Kind, int, int], VectorRow] = {}
        self._made_with = ("", 0)
        self._position, self._tail = 0, ""
        self._state = "closed"

    @property
    def position(self) -> int:
        return self._position

    @property
    def tail(self) -> str:
        return self._tail

    @property
    def state(self) -> str:
        return self._state

    async def open(self, model: str, dimension: int) -> None:
        if self._made_with != (model, dimension):
            self._empty()
        self._made_with = (model, dimension)
        self._state = "open"

    async def upsert(self, rows: Sequence[VectorRow]) -> None:
        self._require_open()
        check_rows(rows, self._made_with[1])
        for row in rows:
            identity = (row.kind, row.item_key, row.piece)
            if row.vector is None:
                self._rows.pop(identity, None)
            else:
                self._rows[identity] = row
            if row.change > self._position:
                self._position, self._tail = row.change, row.name

    async def search(self, kind: Kind, query: Vectors, limit: int) -> list[VectorHit]:
        self._require_open()
        check_vector(query, self._made_with[1])
        hits = [
            VectorHit(
                item_key=row.item_key, scope_key=row.scope_key, cosine=float(row.vector @ query)
            )
            for row in self._rows.values()
            if row.kind is kind and row.vector is not None
        ]
        return sorted(hits, key=lambda hit: -hit.cosine)[: max(limit, 0)]

    async def discard(self) -> None:
        self._require_open()
        self._empty()

    async def close(self) -> None:
        self._state = "closed"

    def _empty(self) -> None:
        self._rows, self._position, self._tail = {}, 0, ""

    def _require_open(self) -> None:
        if self._state != "open":
            raise IndexUnavailable(f"The vector index is not open ({self._state}).")
