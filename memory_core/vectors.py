"""Vectors searched: in the index (Chroma), exactly, or both.

The index answers when this process owns it; what it has not taken in yet is scanned beside it, and
where it cannot answer everything is scanned. So the result is the same either way.
"""

import logging
import math
import time
from collections.abc import Callable, Iterable, Mapping, Sequence

import anyio
from anyio import to_thread

from memory_core.backends.embedder import Vectors
from memory_core.backends.vector_index import VectorIndex
from memory_core.backlog import Space
from memory_core.concurrency import Courtesy
from memory_core.embedding import Asked
from memory_core.errors import IndexUnavailable
from memory_core.records import Kind
from memory_core.scan import Block, ScanCache
from memory_core.store import vectors as store
from memory_core.store.database import Database

INDEX_BATCH = 64
# Kinds that grow without bound. Segments and facts have a capacity, so a scan of them takes less
# than a millisecond, an exchange with the index four.
INDEXED = (Kind.PAGE,)
OVERFETCH = 2
# Pieces of one long page may lie side by side: so many of them are taken for each page wanted.
PIECES = 4
REOPEN_SECONDS = 10.0

log = logging.getLogger(__name__)


class VectorMemory:
    """Searches the vectors of a store. Owns the index."""

    def __init__(
        self,
        database: Database,
        index: VectorIndex | None,
        courtesy: Courtesy,
        tick: Callable[[], float] = time.monotonic,
    ) -> None:
        self._database = database
        self._courtesy = courtesy
        self._index = index
        self._tick = tick
        self._cache = ScanCache()
        self._foreign: set[int] = set()
        self._indexed = ""
        self._caught_up = False
        self._reopen_at = -math.inf
        self._feeding = anyio.Lock()

    @property
    def index_state(self) -> str:
        """As in `VectorIndex`; "off" without one."""
        return "off" if self._index is None else self._index.state

    @property
    def index_position(self) -> int:
        """The change number up to which the index holds all vectors."""
        return 0 if self._index is None else self._index.position

    async def of(self, space: Space | None, keys: Sequence[int]) -> Mapping[int, Vectors]:
        """The stored vectors of these rows, each the mean of its pieces."""
        if space is None or not keys:
            return {}
        return await self._database.read(store.vectors_of, space.name, keys)

    async def feed_index(self, space: Space) -> None:
        """Bring the index up to date, owning it first if that is possible."""
        if self._index is None or (self._index.state != "open" and self._tick() < self._reopen_at):
            return
        async with self._feeding:
            try:
                await self._feed(self._index, space)
            except IndexUnavailable as error:
                self._reopen_at = self._tick() + REOPEN_SECONDS
                log.info("vectors are searched exactly: %s", error)

    async def _feed(self, index: VectorIndex, space: Space) -> None:
        if index.state != "open" or self._indexed != space.name:
            self._caught_up = False
            await index.open(space.name, space.dimension)
            self._indexed = space.name
            await self._check_history(index, space)
        while rows := await self._database.read(
            store.changed_vectors, space.name, INDEXED, index.position, INDEX_BATCH
        ):
            await self._courtesy.wait_for_quiet()
            await index.upsert(rows)
        self._caught_up = True

    async def _check_history(self, index: VectorIndex, space: Space) -> None:
        """A store that was put back from a copy took other changes than the index knows."""
        position = index.position
        if not position:
            return
        name = await self._database.read(store.name_of_change, space.name, position)
        if name != index.tail:
            log.warning("the vector index is of another history of the store; it is made anew")
            await index.discard()

    async def search(
        self, kind: Kind, asked: Asked, scopes: Sequence[int], limit: int
    ) -> list[tuple[int, float]]:
        """The nearest rows of this kind in these scopes: (key, cosine), best first."""
        nearest: list[tuple[int, float]] = []
        for scope in scopes:
            indexed = await self._search_index(kind, asked, scope, limit)
            if indexed is None:
                indexed = await self._scan(kind, asked, scope, limit, after=0)
            nearest += indexed
        best = best_of(nearest).items()
        return sorted(best, key=lambda pair: (-pair[1], -pair[0]))[:limit]

    async def _search_index(
        self, kind: Kind, asked: Asked, scope: int, limit: int
    ) -> list[tuple[int, float]] | None:
        """Ask the index, and scan what it has not taken in yet; None: it cannot answer."""
        index = self._index
        if index is None or index.state != "open" or kind not in INDEXED:
            return None
        if not self._caught_up or scope in self._foreign or self._indexed != asked.space.name:
            return None
        position = index.position
        tail = await self._scan(kind, asked, scope, limit, after=position)
        wanted = limit * OVERFETCH
        try:
            hits = await index.search(kind, asked.vector, wanted)
        except IndexUnavailable:
            return None
        mine = [(hit.item_key, hit.cosine) for hit in hits if hit.scope_key == scope]
        if len(mine) < limit and len(hits) == wanted:
            # Others' memory crowds this scope out of the neighbourhood; it is small, so scan it.
            self._foreign.add(scope)
            return None
        return mine + tail

    async def _scan(
        self, kind: Kind, asked: Asked, scope: int, limit: int, after: int
    ) -> list[tuple[int, float]]:
        """The nearest of a scope's vectors, or of those behind a change number, exactly."""
        model = asked.space.name
        block = self._cache.get(model, scope, kind) if after == 0 else Block(change=after)
        rows = await self._database.read(store.scope_vectors, model, scope, kind, block.change)
        grown = block.grown(*rows)
        if after == 0 and grown is not block:
            self._cache.put(model, scope, kind, grown)
        return await to_thread.run_sync(grown.nearest, asked.vector, limit * PIECES)

    async def rest(self) -> None:
        """Close the index cleanly, so that another process can have it, and let memory go."""
        with anyio.CancelScope(shield=True):
            self._caught_up = False
            self._reopen_at = -math.inf
            self._cache = ScanCache()
            if self._index is not None:
                await self._index.close()


def best_of(nearest: Iterable[tuple[int, float]]) -> dict[int, float]:
    """The best score of each key."""
    found: dict[int, float] = {}
    for key, score in nearest:
        if score > found.get(key, -2.0):
            found[key] = score
    return found
