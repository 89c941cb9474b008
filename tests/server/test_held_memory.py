from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import anyio
import pytest

from memory_core import ConfigError, MemoryCore, StorageError
from server.held_memory import HeldMemory, Opener
from tests.server.stand_in import StandInMemory


class Shop:
    """Opens memories, or fails to; says what happened."""

    def __init__(self, *failures: Exception) -> None:
        self.failures = list(failures)
        self.opened = 0
        self.closed = 0

    def find(self) -> Opener:
        return self.open

    @asynccontextmanager
    async def open(self) -> AsyncIterator[MemoryCore]:
        if self.failures:
            raise self.failures.pop(0)
        self.opened += 1
        yield StandInMemory()
        self.closed += 1


async def test_it_opens_once_for_many_and_closes_when_stopped() -> None:
    shop = Shop()
    held = HeldMemory(shop.find)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(held.hold)
        assert await held.get() is await held.get()
        assert (shop.opened, shop.closed) == (1, 0)
        held.stop()
    assert (shop.opened, shop.closed) == (1, 1)


async def test_a_failure_is_told_at_once_and_tried_again_later() -> None:
    shop = Shop(ConfigError("Set this."), OSError("secret text"))
    held = HeldMemory(shop.find, try_again_after=0.0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(held.hold)
        with pytest.raises(StorageError, match=r"not open.*Set this"):
            await held.get()
        with pytest.raises(StorageError, match="OSError; the log file") as caught:
            await held.get()
        assert "secret text" not in str(caught.value)
        assert isinstance(await held.get(), StandInMemory)
        held.stop()


async def test_it_is_not_tried_again_before_its_time() -> None:
    shop = Shop(ConfigError("Set this."))
    held = HeldMemory(shop.find, try_again_after=1_000.0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(held.hold)
        for _ in range(3):
            with pytest.raises(StorageError):
                await held.get()
        held.stop()
    assert shop.opened == 0


async def test_stopping_gives_up_an_opening_that_hangs() -> None:
    asked = anyio.Event()

    @asynccontextmanager
    async def hang() -> AsyncIterator[MemoryCore]:
        asked.set()
        await anyio.sleep_forever()
        yield StandInMemory()

    held = HeldMemory(lambda: hang)
    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(held.hold)
            held.want()
            await asked.wait()
            held.stop()


async def test_stopping_before_anybody_asked_opens_nothing() -> None:
    shop = Shop()
    held = HeldMemory(shop.find)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(held.hold)
        held.stop()
    assert shop.opened == 0


async def test_a_memory_whose_file_was_replaced_is_opened_again_once_for_all() -> None:
    shop = Shop()
    held = HeldMemory(shop.find)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(held.hold)
        old = await held.get()
        new = await held.renew(old)
        assert new is not old
        assert await held.renew(old) is new
        assert await held.get() is new
        assert (shop.opened, shop.closed) == (2, 1)
        held.stop()
    assert (shop.opened, shop.closed) == (2, 2)


async def test_one_that_cannot_be_closed_well_is_opened_again_all_the_same() -> None:
    opened = 0

    @asynccontextmanager
    async def open_it() -> AsyncIterator[MemoryCore]:
        nonlocal opened
        opened += 1
        yield StandInMemory()
        if opened == 1:
            raise StorageError("The file was replaced.")

    held = HeldMemory(lambda: open_it)
    with anyio.fail_after(10):
        async with anyio.create_task_group() as tasks:
            tasks.start_soon(held.hold)
            old = await held.get()
            assert await held.renew(old) is not old
            held.stop()
    assert opened == 2


async def test_one_that_cannot_be_opened_again_is_a_failure_like_any_other() -> None:
    shop = Shop()
    held = HeldMemory(shop.find, try_again_after=0.0)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(held.hold)
        old = await held.get()
        shop.failures.append(StorageError("The disk is full."))
        with pytest.raises(StorageError, match=r"not open.*disk is full"):
            await held.renew(old)
        assert await held.get() is not old
        held.stop()
    assert (shop.opened, shop.closed) == (2, 2)
