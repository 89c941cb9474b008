"""The walk short -> mid -> long, in passes over whatever is due.

The backlog is a query over the tiers, so a crash loses nothing and a start goes on where it was.
Models are asked outside any transaction. Processes on one store share the work: each job is one
kind of work for one scope, and who has claimed it works on it alone (`store/jobs.py`).
"""

import logging
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from contextlib import asynccontextmanager
from datetime import datetime, timedelta
from functools import partial

import anyio

from memory_core import digest
from memory_core.concurrency import alongside
from memory_core.errors import BudgetSpent, EmbedderError, ModelError, ModelUnavailable
from memory_core.holders import is_dead, own_name
from memory_core.place import place_batches
from memory_core.short_term import time_to_close, wait_for_batch
from memory_core.store import jobs, segments, upgrades
from memory_core.store.segments import StalePlan
from memory_core.upgrade import upgrade
from memory_core.walk import Walk

PLACE = "place"
DIGEST = "digest"
UPGRADE = "upgrade"
ATTEMPTS = 8
STALE_PLANS = 3
FIRST_DELAY = timedelta(seconds=15)
LONGEST_DELAY = timedelta(hours=1)
SCOPES_AT_ONCE = 8
# Another process may die with work undone: look now and then.
SWEEP_SECONDS = 60.0
OTHERS_SECONDS = 0.5
EMBEDDER_SECONDS = 30.0

log = logging.getLogger(__name__)


class Consolidator:
    """Carries pages through the tiers, one pass at a time."""

    def __init__(self, walk: Walk) -> None:
        self._walk = walk
        self._passes = anyio.Lock()
        self._holder = own_name()

    async def run_pass(self, *, close_batches: bool = False, wait: bool = False) -> float:
        """Do all the work that is due and that no other process is at.

        Args:
            close_batches: take what waits now, without letting batches fill.
            wait: wait for what others are at, and look whether they left something.

        Returns:
            Seconds until there may be more to do.
        """
        await self._walk.embedding.wait_loaded()
        async with self._passes:
            seconds = await self._pass(close_batches)
            while wait and await self._others_at_work():
                await anyio.sleep(OTHERS_SECONDS)
                seconds = await self._pass(close_batches)
            return seconds

    async def _others_at_work(self) -> bool:
        return await self._walk.database.read(
            jobs.are_held, self._holder, self._walk.clock(), is_dead
        )

    async def _pass(self, close_batches: bool) -> float:
        embedding = self._walk.embedding
        if embedding.space is None and embedding.switching:
            return EMBEDDER_SECONDS  # soon there are vectors again, and placement compares them
        try:
            # Without the embedder nothing can be placed: that is no failure of any one scope.
            await embedding.embed_backlog()
        except EmbedderError as error:
            log.warning("consolidation waits: %s", error)
            return EMBEDDER_SECONDS
        if self._walk.model is not None and (rest := await self._walk.budget.rest()):
            return min(rest, SWEEP_SECONDS)
        begun = self._walk.clock()
        for holder in await self._walk.database.read(jobs.dead_holders, is_dead):
            await self._walk.database.write(jobs.release, holder)
        try:
            wait = await self._walk_on(close_batches)
        except BaseException:
            with anyio.CancelScope(shield=True):
                await self._walk.database.write(jobs.release, self._holder)
            raise
        return max(0.1, min(wait, await self._until_retry(begun), SWEEP_SECONDS))

    async def _walk_on(self, close_batches: bool) -> float:
        """Work until nothing is due; how long until the next batch is."""
        while True:
            wait, placed = await self._place_all(close_batches)
            # Between batches, so that what one batch corrects is known when the next is placed.
            await self._digest_all()
            if not placed:
                break
        # What is new comes first; what rules have done already can wait for the next pass.
        return 0.0 if await self._upgrade_some() else wait

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
        now = walk.clock()
        waits = {o.scope_key: wait_for_batch(o, now, limits.batch, idle) for o in found}
        filling = {o.scope_key for o in found if time_to_close(o, now, idle)}
        due = [scope for scope, wait in waits.items() if not wait]

        async def place(scope: int) -> bool:
            return await place_batches(walk, scope, whole_only=scope in filling)

        placed = await self._each(PLACE, due, place)
        wait = min([wait.total_seconds() for wait in waits.values() if wait], default=SWEEP_SECONDS)
        return wait, placed

    async def _digest_all(self) -> None:
        found = await self._walk.database.read(segments.undigested_segments)
        due = [scope for scope, own in found.items() if digest.due(self._walk, own)]
        await self._each(DIGEST, due, partial(digest.digest_hot, self._walk))

    async def _upgrade_some(self) -> bool:
        """Let the model look at some of what rules have distilled; whether there was any."""
        if self._walk.model is None:
            return False
        scopes = await self._walk.database.read(upgrades.scopes_to_upgrade)
        return await self._each(UPGRADE, scopes, partial(upgrade, self._walk))

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
        """Claim the job and do it; false: nothing came of it, or it is not ours to do now."""
        database, now = self._walk.database, self._walk.clock
        failed = await database.write(jobs.claim, kind, scope, self._holder, now(), is_dead)
        if failed is None:
            return False
        try:
            async with self._keeping_leases():
                worked = await self._planned_anew(kind, scope, work)
        except BudgetSpent as spent:
            await database.write(jobs.put_back, kind, scope, self._holder)
            log.info("%s of scope %d: %s", kind, scope, spent)
            return False
        except (ModelError, EmbedderError) as error:
            await self._postpone(kind, scope, error, failed)
            return False
        await database.write(jobs.finish, kind, scope, self._holder)
        return worked

    async def _planned_anew(
        self, kind: str, scope: int, work: Callable[[int], Awaitable[bool]]
    ) -> bool:
        """Do the work, again when another process has changed what it was planned on."""
        for _ in range(STALE_PLANS):
            try:
                return await work(scope)
            except StalePlan:
                log.info("%s of scope %d: another process was faster", kind, scope)
        return False

    @asynccontextmanager
    async def _keeping_leases(self) -> AsyncIterator[None]:
        """Prolong this process's leases as long as the context lasts."""

        async def renew() -> None:
            while True:
                await anyio.sleep(jobs.LEASE.total_seconds() / 3)
                await self._walk.database.write(jobs.renew, self._holder, self._walk.clock())

        async with alongside(renew):
            yield

    async def _postpone(
        self, kind: str, scope: int, error: ModelError | EmbedderError, failed: int
    ) -> None:
        """Note the failure and its cause; back off, and park after enough attempts."""
        delay = min(LONGEST_DELAY, FIRST_DELAY * 2**failed)
        if isinstance(error, ModelUnavailable) and error.retry_after is not None:
            longest = jobs.LONGEST_WAIT.total_seconds()
            delay = max(delay, timedelta(seconds=min(error.retry_after, longest)))
        again = None if failed + 1 >= ATTEMPTS else self._walk.clock() + delay
        await self._walk.database.write(
            jobs.record_failure, kind, scope, self._holder, str(error), again
        )
        log.warning("%s of scope %d failed (attempt %d): %s", kind, scope, failed + 1, error)
