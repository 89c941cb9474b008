import time

import anyio
import pytest

from memory_core import StorageError
from memory_core.concurrency import Courtesy, together


async def test_works_run_side_by_side() -> None:
    first, second = anyio.Event(), anyio.Event()

    async def one() -> None:
        first.set()
        await second.wait()

    async def two() -> None:
        await first.wait()
        second.set()

    with anyio.fail_after(5):
        await together(one, two)


async def test_the_first_failure_is_raised_as_itself_and_ends_the_others() -> None:
    ended = anyio.Event()

    async def fail() -> None:
        raise StorageError("The disk is full.")

    async def wait() -> None:
        try:
            await anyio.sleep_forever()
        finally:
            ended.set()

    with pytest.raises(StorageError, match="disk"):
        await together(wait, fail)
    assert ended.is_set()


async def test_background_work_waits_for_quiet_but_not_for_ever() -> None:
    courtesy = Courtesy(quiet=0.03, patience=0.2)
    await courtesy.wait_for_quiet()  # nobody called yet

    courtesy.note_call()
    begun = time.monotonic()
    await courtesy.wait_for_quiet()
    assert time.monotonic() - begun >= 0.025

    async def call_for_ever() -> None:
        while True:
            courtesy.note_call()
            await anyio.sleep(0.005)

    async with anyio.create_task_group() as group:
        group.start_soon(call_for_ever)
        with anyio.fail_after(5):
            await courtesy.wait_for_quiet()
        group.cancel_scope.cancel()
