"""The walk short -> mid -> long, in passes over whatever is due.

The backlog is a query over the tiers, so a crash loses nothing and a start goes on where it was.
Models are asked outside any transaction. Of all processes on one store, one at a time walks.
"""

import logging
from collections.abc import Awaitable, Callable, Sequence
from datetime import datetime, timedelta
from functools import partial

import anyio
from filelock import FileLock, Timeout

from memory_core import digest
from memory_core.errors import EmbedderError, ModelError, ModelUnavailable
from memory_core.place import place_batch
from memory_core.short_term import wait_for_batch
from memory_core.store import jobs, segments
from memory_core.store.segments import StalePlan
from memory_core.walk import Walk

PLACE = "place"
DIGEST = "digest"
ATTEMPTS = 8
STALE_PLANS = 3
FIRST_DELAY = timedelta(seconds=15)
LONGEST_DELAY = timedelta(hours=1)
SCOPES_AT_ONCE = 8
# Another process may die with work undone: look now and then.
SWEEP_SECONDS = 60.0
TAKEN_SECONDS = 1.0
EMBEDDER_SECONDS = 30.0

log = logging.getLogger(__name__)


class Consolidator:
    """Carries pages through the tiers, one pass at a time."""

    def __init__(self, walk: Walk) -> None:
        self._walk = walk
        self._passes = anyio.Lock()
        # The kernel frees it when its holder dies, however that happens.
        self._turn = FileLock(walk.database.path.with_name("consolidation.lock"))

    async def run_pass(self, *, close_batches: bool = False, wait: bool = False) -> float:
        """Do all the work that is due.

        Args:
            close_batches: take what waits now, without letting batches fill.
            wait: while another process is at it, wait for the turn instead of leaving it the work.

        Returns:
            Seconds until there may be more to do.
        """
        await self._walk.vectors.wait_loaded()
        async with self._passes:
            while not self._take_turn():
                if not wait:
                    return TAKEN_SECONDS
                await anyio.sleep(TAKEN_SECONDS)
            try:
                return await self._pass(close_batches)
            finally:
                self._turn.release()

    def _take_turn(self) -> bool:
        try:
            self._turn.acquire(blocking=False)
        except Timeout:
            return False
        return True

    async def _pass(self, close_batches: bool) -> float:
        try:
            # Without the embedder nothing can be placed: that is no failure of any one scope.
            await self._walk.vectors.embed_backlog()
        except EmbedderError as error:
            log.warning("consolidation waits: %s", error)
            return EMBEDDER_SECONDS
        begun = self._walk.clock()
        while True:
            wait, placed = await self._place_all(close_batches)
            # Between batches, so that what one batch corrects is known when the next is placed.
            await self._digest_all()
            if not placed:
                break
        return max(0.1, min(wait, await self._until_retry(begun), SWEEP_SECONDS))

    async def _until_retry(self, begun: datetime) -> float:
        retry = await self._walk.database.read(jobs.next_try, begun)
        return SWEEP_SECONDS if retry is None else (retry - self._walk.clock()).total_seconds()

    async def _place_all(self, close_batches: bool) -> tuple[float, bool]:
        """Place one batch of every scope whose batch is closed.

        Returns:
            Seconds until the next batch of the others is, and whether anything was placed.
        """
        walk, limits = self._walk, self._walk.limits
        # Batches save model calls; rules cost nothing, so with them nothing waits.
        idle = timedelta(0) if walk.model is None or close_batches else limits.idle
        found = await walk.database.read(segments.overflows, limits.short_term)
        waits = {o.scope_key: wait_for_batch(o, walk.clock(), limits.batch, idle) for o in found}
        due = [scope for scope, wait in waits.items() if not wait]
        placed = await self._each(PLACE, due, partial(place_batch, walk))
        wait = min([wait.total_seconds() for wait in waits.values() if wait], default=SWEEP_SECONDS)
        return wait, placed

    async def _digest_all(self) -> None:
        found = await self._walk.database.read(segments.undigested_segments)
        due = [scope for scope, own in found.items() if digest.due(self._walk, own)]
        await self._each(DIGEST, due, partial(digest.digest_hot, self._walk))

    async def _each(
        self, kind: str, scopes: Sequence[int], work: Callable[[int], Awaitable[bool]]
    ) -> bool:
        """Do the work of these scopes side by side; one that fails holds up no other.

        Returns:
            Whether any of them got something done.
        """
        slots = anyio.CapacityLimiter(SCOPES_AT_ONCE)
        done: list[bool] = []

        async def attempt(scope: int) -> None:
            async with slots:
                done.append(await self._attempt(kind, scope, work))

        async with anyio.create_task_group() as group:
            for scope in scopes:
                group.start_soon(attempt, scope)
        return any(done)

    async def _attempt(self, kind: str, scope: int, work: Callable[[int], Awaitable[bool]]) -> bool:
        database = self._walk.database
        if not await database.read(jobs.may_try, kind, scope, self._walk.clock()):
            return False
        for _ in range(STALE_PLANS):
            try:
                worked = await work(scope)
            except StalePlan:
                log.info("%s of scope %d: another process was faster", kind, scope)
                continue
            except (ModelError, EmbedderError) as error:
                await self._postpone(kind, scope, error)
                return False
            if await database.read(jobs.attempts_of, kind, scope):
                await database.write(jobs.record_success, kind, scope)
            return worked
        return False

    async def _postpone(self, kind: str, scope: int, error: ModelError | EmbedderError) -> None:
        """Note the failure and its cause; back off, and park after enough attempts."""
        now = self._walk.clock()
        attempts = await self._walk.database.read(jobs.attempts_of, kind, scope)
        delay = min(LONGEST_DELAY, FIRST_DELAY * 2**attempts)
        if isinstance(error, ModelUnavailable) and error.retry_after is not None:
            delay = max(delay, timedelta(seconds=min(error.retry_after, 86_400)))
        again = None if attempts + 1 >= ATTEMPTS else now + delay
        await self._walk.database.write(jobs.record_failure, kind, scope, str(error), again)
        log.warning("%s of scope %d failed (attempt %d): %s", kind, scope, attempts + 1, error)
