"""What only an index in a process of its own has to stand: owners, deaths and torn files."""

import os
import signal
import subprocess
import sys
from collections.abc import Awaitable, Callable
from pathlib import Path

import anyio
import pytest

from memory_core.backends.breaker import FIRST_PAUSE
from memory_core.backends.chroma_index import ChromaIndex
from memory_core.errors import IndexUnavailable
from memory_core.records import Kind
from tests.backends.indexes import DIMENSION, MODEL, Clock, fill, found, opened, vectors

posix = pytest.mark.skipif(os.name != "posix", reason="signals")

# A parent that opens an index, says so, and closes it when its input ends.
PARENT = """
import asyncio, sys
from pathlib import Path
from memory_core.backends.breaker import FIRST_PAUSE
from memory_core.backends.chroma_index import ChromaIndex
from tests.backends.indexes import DIMENSION, MODEL, fill, vectors

async def main():
    index = ChromaIndex(Path(sys.argv[1]))
    await index.open(MODEL, DIMENSION)
    await fill(index, vectors(100))
    sys.stdout.write(f"open {index.position}\\n")
    sys.stdout.flush()
    await asyncio.to_thread(sys.stdin.read)
    await index.close()
    sys.stdout.write("closed\\n")

asyncio.run(main())
"""


def start_parent(
    directory: Path, cwd: Path, environ: dict[str, str] | None = None
) -> subprocess.Popen[str]:
    root = str(Path(__file__).parents[2])
    return subprocess.Popen(
        [sys.executable, "-c", PARENT, str(directory)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        cwd=cwd,
        env=os.environ | {"PYTHONPATH": root} | (environ or {}),
    )


async def eventually(attempt: Callable[[], Awaitable[bool]]) -> None:
    for _ in range(500):
        if await attempt():
            return
        await anyio.sleep(0.02)
    pytest.fail("it did not come true")


async def can_be_opened(index: ChromaIndex) -> bool:
    try:
        await index.open(MODEL, DIMENSION)
    except IndexUnavailable:
        assert index.state == "not owned"
        return False
    return True


def is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


async def kill_child(index: ChromaIndex) -> None:
    assert index.pid
    os.kill(index.pid, signal.SIGKILL)
    with pytest.raises(IndexUnavailable, match="ended"):
        await index.search(Kind.PAGE, vectors(1)[0], 1)
    assert index.state.startswith("failed: ")


async def test_a_second_owner_waits_until_the_process_of_the_first_is_gone(tmp_path: Path) -> None:
    first, second = ChromaIndex(tmp_path / "index"), ChromaIndex(tmp_path / "index")
    async with opened(first):
        await fill(first, vectors(5))
        with pytest.raises(IndexUnavailable, match="Another process"):
            await second.open(MODEL, DIMENSION)
        assert (second.state, second.position) == ("not owned", 0)
        with pytest.raises(IndexUnavailable, match="not owned"):
            await second.search(Kind.PAGE, vectors(1)[0], 1)
        assert await found(first, vectors(1)[0])
        pid = first.pid
        assert pid and is_alive(pid)
    assert not is_alive(pid)
    assert first.pid is None
    async with opened(second):
        assert second.position == 5


@posix
async def test_after_a_killed_child_the_index_starts_empty(tmp_path: Path) -> None:
    clock = Clock()
    index = ChromaIndex(tmp_path / "index", clock=clock)
    some = vectors(100)
    async with opened(index):
        await fill(index, some)
        await kill_child(index)
        assert index.position == 0
        # Opening these would be an error at best, and the end of the process at worst.
        files = [path for path in (tmp_path / "index").rglob("*") if path.is_file()]
        assert files
        for path in files:
            path.write_bytes(b"\x00garbage" * 100)
        clock.now += FIRST_PAUSE
        await index.open(MODEL, DIMENSION)
        assert (index.state, index.position, await found(index, some[0])) == ("open", 0, [])
        await fill(index, some)
    async with opened(ChromaIndex(tmp_path / "index")) as again:
        assert again.position == 100


@posix
async def test_a_death_is_noticed_without_a_request_and_counts_as_a_failure(tmp_path: Path) -> None:
    clock = Clock()
    index = ChromaIndex(tmp_path / "index", clock=clock)

    async def noticed() -> bool:
        return index.state.startswith("failed: ")

    async with opened(index):
        await fill(index, vectors(5))
        assert index.pid
        os.kill(index.pid, signal.SIGKILL)
        await eventually(noticed)
        with pytest.raises(IndexUnavailable, match="next try in 10 s"):
            await index.open(MODEL, DIMENSION)
        clock.now += FIRST_PAUSE
        await index.open(MODEL, DIMENSION)
        assert (index.state, index.position) == ("open", 0)


@posix
async def test_a_child_that_does_not_answer_is_killed(tmp_path: Path) -> None:
    index = ChromaIndex(tmp_path / "index", answer_seconds=0.5)
    async with opened(index):
        assert index.pid
        pid = index.pid
        os.kill(pid, signal.SIGSTOP)
        with pytest.raises(IndexUnavailable, match="in time"):
            await index.search(Kind.PAGE, vectors(1)[0], 1)
        assert index.state.startswith("failed: ")
    assert index.state == "closed"
    assert not is_alive(pid)


@posix
async def test_the_child_outlives_an_interrupt_and_ends_cleanly_when_told(tmp_path: Path) -> None:
    index = ChromaIndex(tmp_path / "index")
    async with opened(index):
        await fill(index, vectors(5))
        assert index.pid
        os.kill(index.pid, signal.SIGINT)
        assert len(await found(index, vectors(1)[0])) == 5
        os.kill(index.pid, signal.SIGTERM)
        again = ChromaIndex(tmp_path / "index")
        await eventually(lambda: can_be_opened(again))
        assert again.position == 5
        await again.close()


@posix
async def test_when_the_parent_is_killed_the_child_closes_cleanly(tmp_path: Path) -> None:
    parent = start_parent(tmp_path / "index", tmp_path)
    with parent:
        assert parent.stdout
        assert await anyio.to_thread.run_sync(parent.stdout.readline) == "open 100\n"
        parent.kill()
    index = ChromaIndex(tmp_path / "index")
    await eventually(lambda: can_be_opened(index))
    try:
        assert index.position == 100
        assert (await found(index, vectors(100)[42]))[0] == 43
    finally:
        await index.close()


async def test_the_child_neither_prints_nor_reads_what_is_the_parents(tmp_path: Path) -> None:
    (tmp_path / ".env").write_text("ANONYMIZED_TELEMETRY=nonsense\n")
    environ = {"IS_PERSISTENT": "nonsense", "CHROMA_SERVER_HTTP_PORT": "nonsense"}
    parent = start_parent(tmp_path / "index", tmp_path, environ)
    output, _ = await anyio.to_thread.run_sync(parent.communicate, "ignored")
    assert output == "open 100\nclosed\n"
    assert (tmp_path / "index.log").read_bytes() == b""


async def test_a_cancelled_call_leaves_the_index_usable(tmp_path: Path) -> None:
    some = vectors(128)
    async with opened(ChromaIndex(tmp_path / "index")) as index:
        await fill(index, some[:64])
        for item in range(1, 31):
            async with anyio.create_task_group() as group:
                group.start_soon(fill, index, some, 64)
                group.start_soon(found, index, some[0])
                await anyio.lowlevel.checkpoint()
                await anyio.lowlevel.checkpoint()
                group.cancel_scope.cancel()
            assert (await found(index, some[item - 1]))[0] == item
        await fill(index, some, 64)
        assert (await found(index, some[127]))[0] == 128


async def test_a_cancelled_open_gives_the_ownership_up(tmp_path: Path) -> None:
    index = ChromaIndex(tmp_path / "index")
    with anyio.move_on_after(0.1) as scope:
        await index.open(MODEL, DIMENSION)
    assert scope.cancelled_caught
    assert index.state == "closed"
    async with opened(index):
        assert index.state == "open"


async def test_a_directory_that_cannot_be_made_is_reported(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("no directory")
    index = ChromaIndex(tmp_path / "file" / "index")
    with pytest.raises(IndexUnavailable, match="cannot be started"):
        await index.open(MODEL, DIMENSION)
    assert index.state.startswith("failed: ")
