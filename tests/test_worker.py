from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio

from memory_core import StorageError
from memory_core.worker import Worker


@asynccontextmanager
async def at_work(worker: Worker) -> AsyncIterator[None]:
    async with anyio.create_task_group() as group:
        group.start_soon(worker.run)
        with anyio.fail_after(5):
            yield
        group.cancel_scope.cancel()


class Passes:
    """Counts passes; `reached(n)` waits for the n-th to begin."""

    def __init__(self, *, delay: float | None = None, failure: Exception | None = None) -> None:
        self.count = 0
        self._delay = delay
        self._failure = failure
        self._begun = anyio.Event()

    async def __call__(self) -> float | None:
        self.count += 1
        self._begun.set()
        self._begun = anyio.Event()
        if self._failure and self.count == 1:
            raise self._failure
        return self._delay

    async def reached(self, number: int) -> None:
        while self.count < number:
            await self._begun.wait()


async def test_it_works_at_once_and_again_when_woken() -> None:
    passes = Passes()
    worker = Worker("test", passes)
    async with at_work(worker):
        await passes.reached(1)
        worker.wake()
        await passes.reached(2)


async def test_it_works_by_itself_when_its_time_comes() -> None:
    passes = Passes(delay=0.01)
    async with at_work(Worker("test", passes)):
        await passes.reached(4)


async def test_many_wakes_before_a_pass_make_one() -> None:
    passes = Passes()
    worker = Worker("test", passes, settle=0.02)
    async with at_work(worker):
        await passes.reached(1)
        for _ in range(100):
            worker.wake()
        await passes.reached(2)
        await anyio.sleep(0.05)
    assert passes.count == 2


async def test_a_wake_during_a_pass_is_not_lost() -> None:
    count = 0
    again = anyio.Event()

    async def work() -> None:
        nonlocal count
        count += 1
        if count == 1:
            worker.wake()
        else:
            again.set()

    worker = Worker("test", work)
    async with at_work(worker):
        await again.wait()


async def test_a_failed_pass_does_not_end_it() -> None:
    for failure in (StorageError("The disk is full."), LookupError("a bug")):
        passes = Passes(failure=failure)
        worker = Worker("test", passes)
        async with at_work(worker):
            await passes.reached(1)
            worker.wake()
            await passes.reached(2)
