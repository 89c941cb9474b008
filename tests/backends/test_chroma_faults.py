"""An index whose process crashes, or whose files are taken away under it."""

import asyncio
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path

import pytest

from memory_core.backends.breaker import FIRST_PAUSE, HEALTHY_AFTER
from memory_core.backends.chroma_files import DATA, PROOF
from memory_core.backends.chroma_index import ChromaIndex
from memory_core.backends.chroma_owner import lock_path
from memory_core.backends.embedder import Vectors
from memory_core.errors import IndexUnavailable
from memory_core.records import Kind
from tests.backends.indexes import DIMENSION, MODEL, Clock, fill, found, opened, row, vectors

posix = pytest.mark.skipif(os.name != "posix", reason="signals, and files removed while open")
pytestmark = posix


async def crash(index: ChromaIndex, at: signal.Signals = signal.SIGSEGV) -> None:
    assert index.pid
    os.kill(index.pid, at)


async def is_rebuilt(directory: Path, some: Vectors) -> None:
    """The next owner begins at 0 and, when it is filled, finds everything."""
    async with opened(ChromaIndex(directory)) as index:
        assert (index.position, index.tail, await found(index, some[0])) == (0, "", [])
        await fill(index, some)
        nearest = [(await found(index, vector))[0] for vector in some[::10]]
        assert nearest == list(range(1, len(some) + 1, 10))


async def until(condition: Callable[[], bool]) -> None:
    for _ in range(20_000):
        if condition():
            return
        await asyncio.sleep(0.001)
    pytest.fail("it did not come true")


async def test_a_crash_while_it_opens_is_not_met_again(tmp_path: Path) -> None:
    directory, some = tmp_path / "index", vectors(300)
    async with opened(ChromaIndex(directory)) as index:
        await fill(index, some)
    index = ChromaIndex(directory)
    async with asyncio.TaskGroup() as group:
        opening = group.create_task(refused(index))
        await until(lambda: not (directory / PROOF).exists())  # from here on it is Chroma's
        await crash(index)
    assert "Segmentation fault" in opening.result()
    assert index.state == f"failed: {opening.result()}"
    await index.close()
    await is_rebuilt(directory, some)


async def refused(index: ChromaIndex) -> str:
    with pytest.raises(IndexUnavailable) as failure:
        await index.open(MODEL, DIMENSION)
    return str(failure.value)


async def test_a_crash_while_rows_come_in_is_not_met_again(tmp_path: Path) -> None:
    directory, some = tmp_path / "index", vectors(1500)
    index = ChromaIndex(directory)
    async with opened(index):
        filling = asyncio.create_task(fill(index, some))
        await until(lambda: index.position >= 900)  # the graph's files are about to be written
        await crash(index)
        with pytest.raises(IndexUnavailable, match="Segmentation fault"):
            await filling
        assert (index.position, index.tail) == (0, "")
    await is_rebuilt(directory, some)


async def test_after_a_crash_while_it_closes_it_is_whole_or_empty(tmp_path: Path) -> None:
    directory, some = tmp_path / "index", vectors(100)
    for delay in (0.0, 0.01):
        index = ChromaIndex(directory)
        await index.open(MODEL, DIMENSION)
        assert index.position in (0, len(some))
        await fill(index, some, start=index.position)
        assert [(await found(index, vector))[0] for vector in some] == list(range(1, 101))
        pid = index.pid
        assert pid
        closing = asyncio.create_task(index.close())
        await asyncio.sleep(delay)
        try:
            os.kill(pid, signal.SIGSEGV)
        except ProcessLookupError:
            assert delay
        await closing
        assert index.state == "closed"
    async with opened(ChromaIndex(directory)) as index:
        assert index.position in (0, len(some))
        await fill(index, some, start=index.position)
        assert [(await found(index, vector))[0] for vector in some] == list(range(1, 101))


async def test_an_index_that_fails_is_left_alone_for_longer_each_time(tmp_path: Path) -> None:
    clock = Clock()
    (tmp_path / "file").write_text("no directory")
    index = ChromaIndex(tmp_path / "file" / "index", clock=clock)
    for pause in (FIRST_PAUSE, 2 * FIRST_PAUSE, 4 * FIRST_PAUSE):
        assert "cannot be started" in await refused(index)
        cause = index.state
        assert "cannot be started" in cause
        clock.now += pause - 1
        assert "next try in 1 s" in await refused(index)
        assert index.state == cause
        clock.now += 1
    (tmp_path / "file").unlink()
    async with opened(index):
        assert index.state == "open"


async def test_an_index_that_has_worked_for_a_while_is_given_another_chance(
    tmp_path: Path,
) -> None:
    clock = Clock()
    index = ChromaIndex(tmp_path / "index", clock=clock)
    for searches, times in ((1, 1), (HEALTHY_AFTER - 1, 2), (HEALTHY_AFTER, 1)):
        await index.open(MODEL, DIMENSION)
        for _ in range(searches):
            await found(index, vectors(1)[0])
        await crash(index, signal.SIGKILL)
        with pytest.raises(IndexUnavailable, match="ended"):
            await index.upsert([row(1, 1, None)])
        assert f"failed {times} times" in await refused(index)
        clock.now += 10 * FIRST_PAUSE
    await index.close()


async def test_another_owner_is_no_failure(tmp_path: Path) -> None:
    clock = Clock()
    async with opened(ChromaIndex(tmp_path / "index")):
        other = ChromaIndex(tmp_path / "index", clock=clock)
        for _ in range(3):
            assert "Another process" in await refused(other)
    async with opened(other):
        assert other.state == "open"


@pytest.mark.parametrize("what", ["index", "."])
async def test_a_directory_removed_in_use_ends_the_index_and_the_next_is_rebuilt(
    tmp_path: Path, what: str
) -> None:
    base, some = tmp_path / "base", vectors(300)
    directory = base / "index"
    index = ChromaIndex(directory)
    async with opened(index):
        await fill(index, some[:200])
        shutil.rmtree(base / what)
        async with asyncio.timeout(60):
            with pytest.raises(IndexUnavailable):
                await asyncio.gather(
                    fill(index, some, 200), *(found(index, vector) for vector in some[:20])
                )
            with pytest.raises(IndexUnavailable):
                await index.search(Kind.PAGE, some[0], 1)
        assert index.state.startswith("failed: ")
    await is_rebuilt(directory, some)


async def test_a_file_that_another_program_wrote_to_ends_the_index(tmp_path: Path) -> None:
    directory, some = tmp_path / "index", vectors(100)
    async with opened(ChromaIndex(directory)) as index:
        await fill(index, some)
        path = directory / DATA / "chroma.sqlite3"
        path.write_bytes(path.read_bytes())
        with pytest.raises(IndexUnavailable, match="another program"):
            await fill(index, some)
    async with opened(ChromaIndex(directory)) as index:
        await fill(index, some)
        path.write_bytes(path.read_bytes())
    await is_rebuilt(directory, some)


async def test_an_owner_whose_lock_was_removed_harms_the_next_one_not(tmp_path: Path) -> None:
    directory, some = tmp_path / "index", vectors(200)
    first, second = ChromaIndex(directory), ChromaIndex(directory)
    async with opened(first):
        await fill(first, some[:100])
        lock_path(directory).unlink()
        async with opened(second):
            assert (second.position, await found(second, some[0])) == (0, [])
            await fill(second, some)
            with pytest.raises(IndexUnavailable, match="lock"):
                await first.search(Kind.PAGE, some[0], 1)
            assert [(await found(second, some[i]))[0] for i in (0, 99, 199)] == [1, 100, 200]
    async with opened(ChromaIndex(directory)) as third:
        assert third.position == 200
        assert [(await found(third, some[i]))[0] for i in (0, 99, 199)] == [1, 100, 200]


async def test_an_owner_whose_lock_was_removed_leaves_no_proof(tmp_path: Path) -> None:
    directory = tmp_path / "index"
    async with opened(ChromaIndex(directory)) as index:
        await fill(index, vectors(100))
        lock_path(directory).unlink()
    assert not (directory / PROOF).exists()
