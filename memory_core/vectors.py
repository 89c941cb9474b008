"""Vectors of everything: made in the background, searched in the index or exactly.

The index (Chroma) answers when this process owns it; what it has not taken in yet is scanned
beside it, and where it cannot answer everything is scanned. So the result is the same either way.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence

import anyio
import numpy as np
from anyio import to_thread

from memory_core.backends.embedder import Embedder, Vectors
from memory_core.backends.vector_index import VectorIndex
from memory_core.calibration import measure_similarity_threshold
from memory_core.concurrency import Courtesy
from memory_core.errors import EmbedderError, IndexUnavailable
from memory_core.records import Kind
from memory_core.scan import Block, ScanCache
from memory_core.sentences import pieces
from memory_core.store import vectors as store
from memory_core.store.database import Database

EMBED_BATCH = 16
INDEX_BATCH = 64
# Kinds that grow without bound. Segments and facts have a capacity, so a scan of them takes less
# than a millisecond, an exchange with the index four.
INDEXED = (Kind.PAGE,)
OVERFETCH = 2
# Pieces of one long page may lie side by side: so many of them are taken for each page wanted.
PIECES = 4
REFRESH_SECONDS = 10.0
REOPEN_SECONDS = 10.0

log = logging.getLogger(__name__)


class VectorMemory:
    """Makes, keeps and searches the vectors of one embedder."""

    def __init__(
        self,
        database: Database,
        embedder: Embedder | None,
        index: VectorIndex | None,
        courtesy: Courtesy,
    ) -> None:
        self._database = database
        self._courtesy = courtesy
        self._embedder = embedder
        self._index = index
        self._cache = ScanCache()
        self._foreign: set[int] = set()
        self._caught_up = False
        self._embedded_to = 0
        self._loading = anyio.Lock()
        self._embedding = anyio.Lock()
        self._feeding = anyio.Lock()
        self._tried = anyio.Event()
        self._usable: Embedder | None = None
        self.threshold = 1.0
        self.related_from = 0.0
        self.note = "The embedding model is still loading: this answer is by words only."
        if embedder is None:
            self.note = "No embedding model is configured: recall works by words only."
            self._tried.set()

    @property
    def model(self) -> str | None:
        """Fingerprint of the embedder in use, or None without one."""
        return None if self._usable is None else self._usable.name

    async def load(self, threshold: float | None) -> bool:
        """Load the embedder; when it cannot be, `note` says why and recall goes on by words.

        Args:
            threshold: the cosine from which things are related; None: the embedder's own.

        Returns:
            Whether there is nothing left to load.
        """
        async with self._loading:
            if self._embedder is None or self._usable is not None:
                return True
            try:
                await self._embedder.load()
                self.related_from = await self._related_from(self._embedder)
                self.threshold = self.related_from if threshold is None else threshold
                self._usable, self.note = self._embedder, ""
            except EmbedderError as error:
                log.warning("recall works by words only: %s", error)
                self.note = f"Recall works by words only: {error}"
            finally:
                self._tried.set()
            return self._usable is not None

    async def _related_from(self, embedder: Embedder) -> float:
        known = embedder.similarity_threshold
        return await measure_similarity_threshold(embedder) if known is None else known

    async def wait_loaded(self) -> None:
        """Wait until loading has been tried, well or not."""
        await self._tried.wait()

    async def embed_query(self, text: str) -> Vectors | None:
        """The vector of a question, or None while there is no model to ask."""
        if self._usable is None:
            return None
        try:
            return await self._usable.embed_query(text)
        except EmbedderError as error:
            log.warning("a query is answered by words only: %s", error)
            return None

    async def of(self, keys: Sequence[int]) -> Mapping[int, Vectors]:
        """The stored vectors of these rows, each the mean of its pieces."""
        if self.model is None or not keys:
            return {}
        return await self._database.read(store.vectors_of, self.model, keys)

    async def embed_backlog(self) -> None:
        """Make the vectors that are missing. What that is, is one query.

        Raises:
            EmbedderError: the model did not answer; `note` says so until it does.
        """
        if self._usable is None:
            return
        async with self._embedding:
            try:
                await self._embed_all(self._usable)
                self.note = ""
            except EmbedderError as error:
                self.note = f"What is new is found by words only, for now: {error}"
                raise

    async def _embed_all(self, embedder: Embedder) -> None:
        # What comes in meanwhile is for the next pass, so that the index gets its turn too.
        newest = await self._database.read(store.newest_key)
        while self._embedded_to < newest:
            rows = await self._database.read(
                store.unembedded, embedder.name, self._embedded_to, EMBED_BATCH
            )
            if not rows:
                return
            await self._courtesy.wait_for_quiet()
            await self._embed_rows(embedder, rows)
            self._embedded_to = rows[-1].key

    async def _embed_rows(self, embedder: Embedder, rows: Sequence[store.Unembedded]) -> None:
        # Long texts in pieces: one statement drowns in the vector of a long text.
        texts = [self._texts(row, embedder.window) for row in rows]
        vectors = await embedder.embed_documents([piece for own in texts for piece in own])
        ends = np.cumsum([len(own) for own in texts])
        each = np.split(vectors, ends[:-1])
        await self._database.write(store.add_vectors, embedder.name, rows, each)

    @staticmethod
    def _texts(row: store.Unembedded, window: int) -> list[str]:
        if row.kind is Kind.SEGMENT:
            return [row.text]  # one vector, as placement gives it
        return pieces(row.text, window) or [""]

    async def feed_index(self) -> float | None:
        """Bring the index up to date, owning it first if that is possible.

        Returns:
            Seconds until it should be done again, or None when there is no index to feed.
        """
        if self._index is None or self._usable is None:
            return None
        async with self._feeding:
            try:
                await self._feed(self._index, self._usable)
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
            store.changed_vectors, embedder.name, INDEXED, index.position, INDEX_BATCH
        ):
            await self._courtesy.wait_for_quiet()
            await index.upsert(rows)
        self._caught_up = True

    async def search(
        self, kind: Kind, query: Vectors, scopes: Sequence[int], limit: int
    ) -> list[tuple[int, float]]:
        """The nearest rows of this kind in these scopes: (key, cosine), best first."""
        nearest: list[tuple[int, float]] = []
        for scope in scopes:
            indexed = await self._search_index(kind, query, scope, limit)
            if indexed is None:
                indexed = await self._scan(kind, query, scope, limit, after=0)
            nearest += indexed
        best = best_of(nearest).items()
        return sorted(best, key=lambda pair: (-pair[1], -pair[0]))[:limit]

    async def _search_index(
        self, kind: Kind, query: Vectors, scope: int, limit: int
    ) -> list[tuple[int, float]] | None:
        """Ask the index, and scan what it has not taken in yet; None: it cannot answer."""
        index = self._index
        if index is None or index.state != "open" or kind not in INDEXED:
            return None
        if not self._caught_up or scope in self._foreign:
            return None
        position = index.position
        tail = await self._scan(kind, query, scope, limit, after=position)
        wanted = limit * OVERFETCH
        try:
            hits = await index.search(kind, query, wanted)
        except IndexUnavailable:
            return None
        mine = [(hit.item_key, hit.cosine) for hit in hits if hit.scope_key == scope]
        if len(mine) < limit and len(hits) == wanted:
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
        return await to_thread.run_sync(grown.nearest, query, limit * PIECES)

    async def close(self) -> None:
        """Close the index cleanly and let the embedder go."""
        with anyio.CancelScope(shield=True):
            if self._index is not None:
                await self._index.close()
            if self._embedder is not None:
                await self._embedder.close()


def best_of(nearest: Iterable[tuple[int, float]]) -> dict[int, float]:
    """The best score of each key."""
    found: dict[int, float] = {}
    for key, score in nearest:
        if score > found.get(key, -2.0):
            found[key] = score
    return found
