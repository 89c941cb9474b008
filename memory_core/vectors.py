"""Vectors of everything: made in the background, searched in the index or exactly.

The index (Chroma) answers when this process owns it; what it has not taken in yet is scanned
beside it, and where it cannot answer everything is scanned. So the result is the same either way.
"""

import logging
from collections import OrderedDict
from collections.abc import Iterable, Mapping, Sequence

import anyio
import numpy as np
from anyio import to_thread

from memory_core.backends.embedder import Embedder, Vectors
from memory_core.backends.vector_index import VectorIndex
from memory_core.calibration import measure_similarity_threshold
from memory_core.errors import EmbedderError, IndexUnavailable
from memory_core.records import Kind
from memory_core.sentences import pieces
from memory_core.store import vectors as store
from memory_core.store.database import Database

EMBED_BATCH = 32
INDEX_BATCH = 64
CACHE_BYTES = 256 * 1024 * 1024
OVERFETCH = 2
REFRESH_SECONDS = 10.0
REOPEN_SECONDS = 10.0

log = logging.getLogger(__name__)


class VectorMemory:
    """Makes, keeps and searches the vectors of one embedder."""

    def __init__(
        self, database: Database, embedder: Embedder | None, index: VectorIndex | None
    ) -> None:
        self._database = database
        self._embedder = embedder
        self._index = index
        self._cache = ScanCache()
        self._foreign: set[int] = set()
        self._caught_up = False
        self._embedded_to = 0
        self._embedding = anyio.Lock()
        self._feeding = anyio.Lock()
        self._loaded = anyio.Event()
        self.threshold = 1.0
        self.note = "" if embedder is None else "The embedding model is still loading."
        if embedder is None:
            self.note = "No embedding model is configured: recall works by words only."
            self._loaded.set()

    @property
    def ready(self) -> bool:
        """Whether texts can be embedded now."""
        return self._embedder is not None and self._loaded.is_set() and not self.note

    async def load(self, threshold: float | None) -> None:
        """Load the embedder; when it cannot be, `note` says why and recall goes on by words."""
        if self._embedder is None:
            return
        try:
            await self._embedder.load()
            measured = threshold
            if measured is None:
                measured = self._embedder.similarity_threshold
            if measured is None:
                measured = await measure_similarity_threshold(self._embedder)
            self.threshold = measured
            self.note = ""
        except EmbedderError as error:
            log.warning("recall works by words only: %s", error)
            self.note = f"Recall works by words only: {error}"
        finally:
            self._loaded.set()

    async def wait_loaded(self) -> None:
        """Wait until loading has ended, well or not."""
        await self._loaded.wait()

    async def embed_query(self, text: str) -> Vectors | None:
        """The vector of a question, or None while there is no model to ask."""
        if not self.ready or self._embedder is None:
            return None
        try:
            return await self._embedder.embed_query(text)
        except EmbedderError as error:
            log.warning("a query is answered by words only: %s", error)
            return None

    async def of(self, keys: Sequence[int]) -> Mapping[int, Vectors]:
        """The stored vectors of these rows, each the mean of its pieces."""
        if not self.ready or self._embedder is None or not keys:
            return {}
        return await self._database.read(store.vectors_of, self._embedder.name, keys)

    @property
    def model(self) -> str | None:
        """Fingerprint of the embedder in use, or None without one."""
        return self._embedder.name if self.ready and self._embedder is not None else None

    async def embed_backlog(self) -> None:
        """Make the vectors that are missing. Nothing else to do is a matter of one query."""
        if not self.ready or self._embedder is None:
            return
        async with self._embedding:
            while rows := await self._database.read(
                store.unembedded, self._embedder.name, self._embedded_to, EMBED_BATCH
            ):
                await self._embed_rows(self._embedder, rows)
                self._embedded_to = rows[-1].key

    async def _embed_rows(self, embedder: Embedder, rows: Sequence[store.Unembedded]) -> None:
        # Long texts in pieces: one statement drowns in the vector of a long text.
        texts = [pieces(row.text, embedder.window) or [""] for row in rows]
        vectors = await embedder.embed_documents([piece for own in texts for piece in own])
        ends = np.cumsum([len(own) for own in texts])
        each = np.split(vectors, ends[:-1])
        await self._database.write(store.add_vectors, embedder.name, rows, each)

    async def feed_index(self) -> float | None:
        """Bring the index up to date, owning it first if that is possible.

        Returns:
            Seconds until it should be done again, or None when there is no index to feed.
        """
        if self._index is None or not self.ready or self._embedder is None:
            return None
        async with self._feeding:
            try:
                await self._feed(self._index, self._embedder)
            except IndexUnavailable as error:
                log.info("vectors are searched exactly: %s", error)
                return REOPEN_SECONDS
        # Other processes write vectors too, and wake nobody here.
        return REFRESH_SECONDS

    async def _feed(self, index: VectorIndex, embedder: Embedder) -> None:
        if index.state != "open":
            self._caught_up = False
            await index.open(embedder.name, embedder.dimension)
        while rows := await self._database.read(
            store.changed_vectors, embedder.name, index.position, INDEX_BATCH
        ):
            await index.upsert(rows)
        self._caught_up = True

    async def search(
        self, kind: Kind, query: Vectors, scopes: Sequence[int], limit: int
    ) -> list[tuple[int, float]]:
        """The nearest rows of this kind in these scopes: (key, cosine), best first."""
        found: dict[int, float] = {}
        for scope in scopes:
            nearest = await self._search_index(kind, query, scope, limit)
            if nearest is None:
                nearest = await self._scan(kind, query, scope, limit, after=0)
            merge_best(found, nearest)
        return sorted(found.items(), key=lambda pair: (-pair[1], -pair[0]))[:limit]

    async def _search_index(
        self, kind: Kind, query: Vectors, scope: int, limit: int
    ) -> list[tuple[int, float]] | None:
        """Ask the index, and scan what it has not taken in yet; None: it cannot answer."""
        index = self._index
        if index is None or index.state != "open" or not self._caught_up or scope in self._foreign:
            return None
        position = index.position
        tail = await self._scan(kind, query, scope, limit, after=position)
        wanted = limit * OVERFETCH
        try:
            hits = await index.search(kind, query, wanted)
        except IndexUnavailable:
            return None
        mine = [(hit.item_key, hit.cosine) for hit in hits if hit.scope_key == scope]
        if len({key for key, _ in mine}) < limit and len(hits) == wanted:
            # Others' memory crowds this scope out of the neighbourhood; it is small, so scan it.
            self._foreign.add(scope)
            return None
        return mine + tail

    async def _scan(
        self, kind: Kind, query: Vectors, scope: int, limit: int, after: int
    ) -> list[tuple[int, float]]:
        """The nearest of a scope's vectors, or of those behind a change number, exactly."""
        if self.model is None:
            return []
        block = self._cache.get(scope, kind) if after == 0 else Block(change=after)
        rows = await self._database.read(store.scope_vectors, self.model, scope, kind, block.change)
        grown = block.grown(*rows)
        if after == 0 and grown is not block:
            self._cache.put(scope, kind, grown)
        return await to_thread.run_sync(grown.nearest, query, limit * OVERFETCH)

    async def close(self) -> None:
        """Close the index cleanly and let the embedder go."""
        with anyio.CancelScope(shield=True):
            if self._index is not None:
                await self._index.close()
            if self._embedder is not None:
                await self._embedder.close()


class Block:
    """Vectors of one scope and kind in memory, in runs as they were read."""

    def __init__(
        self,
        change: int = 0,
        items: tuple[tuple[int, ...], ...] = (),
        runs: tuple[Vectors, ...] = (),
    ) -> None:
        self.change = change
        self._items = items
        self._runs = runs

    @property
    def nbytes(self) -> int:
        return sum(run.nbytes for run in self._runs)

    def grown(self, change: int, items: Sequence[int], rows: Vectors) -> "Block":
        """This block with newer rows; a row that is there again replaces the older one."""
        if not len(items):
            return self
        fresh = set(items)
        runs = [*zip(self._items, self._runs, strict=True)]
        if any(fresh.intersection(old) for old, _ in runs):
            runs = [without(old, run, fresh) for old, run in runs]
        runs.append((tuple(items), rows))
        if len(runs) > 8:
            # Few long runs are faster to scan than many short ones.
            runs = [
                (
                    tuple(item for old, _ in runs for item in old),
                    np.concatenate([run for _, run in runs]),
                )
            ]
        return Block(change, tuple(old for old, _ in runs), tuple(run for _, run in runs))

    def nearest(self, query: Vectors, limit: int) -> list[tuple[int, float]]:
        """The nearest `limit` pieces of each run, in no order, each with its cosine."""
        found: list[tuple[int, float]] = []
        for items, run in zip(self._items, self._runs, strict=True):
            cosines = run @ query
            best = (
                np.argpartition(-cosines, limit)[:limit]
                if len(items) > limit
                else range(len(items))
            )
            found += [(items[index], float(cosines[index])) for index in best]
        return found


class ScanCache:
    """Blocks in memory, the least recently used let go beyond a bound."""

    def __init__(self, limit: int = CACHE_BYTES) -> None:
        self._limit = limit
        self._blocks: OrderedDict[tuple[int, Kind], Block] = OrderedDict()

    def get(self, scope: int, kind: Kind) -> Block:
        if (scope, kind) not in self._blocks:
            return Block()
        self._blocks.move_to_end((scope, kind))
        return self._blocks[(scope, kind)]

    def put(self, scope: int, kind: Kind, block: Block) -> None:
        self._blocks[(scope, kind)] = block
        self._blocks.move_to_end((scope, kind))
        while len(self._blocks) > 1 and sum(b.nbytes for b in self._blocks.values()) > self._limit:
            self._blocks.popitem(last=False)


def without(
    items: tuple[int, ...], rows: Vectors, gone: set[int]
) -> tuple[tuple[int, ...], Vectors]:
    """A run without some of its items."""
    kept = [index for index, item in enumerate(items) if item not in gone]
    return tuple(items[index] for index in kept), rows[kept]


def merge_best(found: dict[int, float], nearest: Iterable[tuple[int, float]]) -> None:
    """Keep the best score of each key."""
    for key, score in nearest:
        if score > found.get(key, -2.0):
            found[key] = score
