"""What goes on beside the callers: vectors, the walk through the tiers, and rest."""

import logging
import time

import anyio
from anyio.abc import TaskGroup

from memory_core.config import Settings
from memory_core.consolidate import Consolidator
from memory_core.embedding import RELOAD_SECONDS
from memory_core.errors import EmbedderError, MemstrataError
from memory_core.recall import Found, Recall
from memory_core.records import Added, Recollection
from memory_core.walk import Walk
from memory_core.worker import Worker

USES_KEPT = 1_000
SETTLE_SECONDS = 0.1
# Other processes write too, and wake nobody here.
LOOK_SECONDS = 0.5

log = logging.getLogger(__name__)


class Background:
    """Two workers of one memory, which wake when something was said or recalled."""

    def __init__(self, settings: Settings, walk: Walk, recall: Recall) -> None:
        self._idle_after = settings.idle_release_seconds
        self._database = walk.database
        self._embedding = walk.embedding
        self._vectors = walk.vectors
        self._courtesy = walk.courtesy
        self._recall = recall
        self._consolidator = Consolidator(walk)
        self._uses: list[Found] = []
        self._opened_at = time.monotonic()
        self._tasks: TaskGroup
        self._walking = Worker("consolidation", self._consolidation_pass, settle=SETTLE_SECONDS)
        self._indexing = Worker("vector index", self._index_pass, settle=SETTLE_SECONDS)

    def start(self, group: TaskGroup) -> None:
        """Work until the group is cancelled."""
        self._tasks = group
        group.start_soon(self._indexing.run)
        if not self._database.read_only:
            group.start_soon(self._walking.run)

    def note_added(self, added: Added) -> None:
        """A page has come: it has no vectors yet, and another may have left the window."""
        self._courtesy.note_call()
        self._indexing.wake()
        if added.pending:
            self._walking.wake()

    def note_use(self, shown: Recollection) -> None:
        """Something was recalled: written later, as a reader does not wait for a write."""
        self._indexing.wake()  # it may have been at rest
        if len(self._uses) < USES_KEPT and not self._database.read_only:
            used = Found(
                pages=shown.pages,
                window={},
                user_facts=shown.user_facts,
                assistant_facts=shown.assistant_facts,
            )
            self._uses.append(used)
            self._walking.wake()

    async def consolidate(self) -> None:
        """See `MemoryCore.consolidate`."""
        self._courtesy.note_call()
        await self._embedding.load(at_once=True)
        await self._index_pass()
        await self._consolidator.run_pass(close_batches=True, wait=True)
        await self._index_pass()

    def begin_consolidation(self) -> anyio.Event:
        """See `MemoryCore.begin_consolidation`."""
        done = anyio.Event()
        self._tasks.start_soon(self._consolidate_quietly, done)
        return done

    async def _consolidate_quietly(self, done: anyio.Event) -> None:
        try:
            await self.consolidate()
        except MemstrataError as error:
            log.warning("consolidation on demand: %s", error)
        finally:
            done.set()

    async def _consolidation_pass(self) -> float | None:
        if self._uses:
            await self._courtesy.wait_for_quiet()
        while self._uses:
            await self._recall.note_use(self._uses.pop())
        seconds = await self._consolidator.run_pass()
        if self._is_idle():
            await self._rest()
        return seconds

    async def _index_pass(self) -> float | None:
        """Make vectors and feed the index, a little at a time while there is a switch to make."""
        if self._is_idle():
            await self._rest()
            return None
        loaded = await self._embedding.load()
        space = self._embedding.space
        try:
            await self._embedding.embed_backlog()
            if space is not None and self._was_called() and not self._database.read_only:
                await self._vectors.feed_index(space)
            if await self._embedding.advance_switch():
                return 0.0
            await self._embedding.tend()
        except EmbedderError as error:
            log.warning("what is new has no vectors yet: %s", error)
            return RELOAD_SECONDS
        if not loaded:
            return RELOAD_SECONDS
        return None if self._embedding.space is None else LOOK_SECONDS

    def _was_called(self) -> bool:
        """Who is not asked leaves the index to others: clients may start a server twice."""
        return self._courtesy.seconds_since_call < self._idle_after

    def _is_idle(self) -> bool:
        age = time.monotonic() - self._opened_at
        return not self._was_called() and age >= self._idle_after

    async def _rest(self) -> None:
        """Let go what an idle server does not need; the next call takes it up again."""
        await self._vectors.rest()
        await self._embedding.rest()
        await self._recall.rest()
