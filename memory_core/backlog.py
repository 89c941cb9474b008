"""The vectors that are still to be made: what that is, is a query, so nothing queued is lost."""

import logging
from collections.abc import AsyncIterator, Callable, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from typing import Any

import anyio
import numpy as np
from filelock import FileLock, Timeout

from memory_core.backends.embedder import Embedder
from memory_core.concurrency import Courtesy
from memory_core.records import Kind
from memory_core.sentences import pieces
from memory_core.store import embedders
from memory_core.store import vectors as store
from memory_core.store.database import Database

EMBED_BATCH = 16
# How long to wait while another process makes vectors, which may be the same ones.
TURN_SECONDS = 1.0
LOOK_SECONDS = 0.02

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Space:
    """One model's vectors. related_from: the cosine from which the model calls texts related;
    threshold: the one in use. window: characters of one piece.
    """

    embedder: Embedder
    name: str
    dimension: int
    window: int
    related_from: float
    threshold: float


class VectorBacklog:
    """Makes vectors of rows that have none. Processes on one store take turns at it."""

    def __init__(self, database: Database, courtesy: Courtesy) -> None:
        self._database = database
        self._courtesy = courtesy
        self._working = anyio.Lock()
        self._turn = FileLock(database.path.with_name("embedding.lock"))
        self._done_to: dict[str, int] = {}
        self._segments_at: dict[str, int] = {}

    async def embed(self, space: Space) -> None:
        """Make all that is missing now; what comes in meanwhile is for the next time.

        Raises:
            EmbedderError: the model did not answer; what is made stays.
        """
        async with self._working:
            newest, change = await self._database.read(store.newest)
            while self._done_to.get(space.name, 0) < newest:
                if not await self._embed_next(space):
                    self._done_to[space.name] = newest
            if change != self._segments_at.get(space.name) and await self._has_others(space):
                while await self._make(space, store.unembedded_segments, space.name):
                    pass
                self._segments_at[space.name] = change

    async def embed_some(self, space: Space) -> bool:
        """Make a batch; false: nothing is missing any more, or only behind what was looked at.

        Raises:
            EmbedderError: the model did not answer; what is made stays.
        """
        async with self._working:
            if await self._embed_next(space):
                return True
            self._done_to[space.name] = 0  # the next time it looks at all once more
            return False

    async def _has_others(self, space: Space) -> bool:
        """Whether other models' processes may move segments, which then lack this one's vector."""
        return await self._database.read(embedders.last_ready, space.name) is not None

    async def _embed_next(self, space: Space) -> bool:
        after = self._done_to.get(space.name, 0)
        rows = await self._make(space, store.unembedded, space.name, after)
        if rows:
            self._done_to[space.name] = rows[-1].key
        return bool(rows)

    async def _make(
        self, space: Space, find: Callable[..., list[store.Unembedded]], *args: Any
    ) -> list[store.Unembedded]:
        """Make the vectors of the next rows that are found; returns these rows."""
        if not await self._database.read(find, *args, 1):
            return []
        await self._courtesy.wait_for_quiet()
        async with self._turn_among_processes():
            rows = await self._database.read(find, *args, EMBED_BATCH)
            if rows:
                await self._embed_rows(space, rows)
        return rows

    async def _embed_rows(self, space: Space, rows: Sequence[store.Unembedded]) -> None:
        # Long texts in pieces: one statement drowns in the vector of a long text.
        texts = [_texts(row, space.window) for row in rows]
        vectors = await space.embedder.embed_documents([piece for own in texts for piece in own])
        ends = np.cumsum([len(own) for own in texts])
        each = np.split(vectors, ends[:-1])
        await self._database.write(store.add_vectors, space.name, rows, each)

    @asynccontextmanager
    async def _turn_among_processes(self) -> AsyncIterator[None]:
        """One process at a time makes vectors, so that none is made twice.

        Only for a moment: a process that hangs must not keep all others from it, and a vector
        made twice is stored once.
        """
        with anyio.move_on_after(TURN_SECONDS):
            while not self._take_turn():  # noqa: ASYNC110 - nothing announces it
                await anyio.sleep(LOOK_SECONDS)
        try:
            yield
        finally:
            self._turn.release()

    def _take_turn(self) -> bool:
        try:
            self._turn.acquire(blocking=False)
        except Timeout:
            return False
        except OSError as error:  # a full disk, for one
            log.info("vectors are made without a turn: %s", error)
        return True


def _texts(row: store.Unembedded, window: int) -> list[str]:
    if row.kind is Kind.SEGMENT:
        return [row.text]  # one vector, as placement gives it
    return pieces(row.text, window) or [""]
