"""Files that cannot be written, are in use, or were put in place by hand."""

import os
import shutil
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import anyio
import apsw
import pytest

from memory_core import StorageError, StoreReplaced
from memory_core.records import PageDraft
from memory_core.store import pages
from memory_core.store.backup import back_up
from memory_core.store.database import Database
from memory_core.store.integrity import faults_in
from memory_core.store.rows import select
from memory_core.store.schema import migrations
from memory_core.store.transactions import suspect
from tests.store.damaged import fill, spoil
from tests.store.filled import NOW, SCOPE

ROOT = Path(__file__).parents[2]
posix = pytest.mark.skipif(os.name != "posix", reason="users and modes of files")


def draft(text: str = "hello") -> PageDraft:
    return PageDraft(user_input=text, agent_response="", at=NOW)


async def add(database: Database, text: str = "hello") -> None:
    await database.write(pages.add_page, SCOPE, draft(text), NOW, 7)


async def texts(database: Database) -> list[str]:
    rows = await database.read(select, "SELECT user_input FROM page ORDER BY key")
    return [text for (text,) in rows]


READ_ONLY_USE = """
import os, sys
from pathlib import Path
import anyio
from memory_core import StorageError
from memory_core.records import Scope
from memory_core.store.database import Database
from memory_core.store.rows import scope_key, select
from memory_core.store.schema import migrations

async def main(path):
    database = await Database.open(path)
    print(database.read_only, len(await database.read(select, "SELECT 1 FROM page")))
    print(*database.notes)
    try:
        await database.write(scope_key, Scope(user_id="u", assistant_id="new"))
    except StorageError as error:
        print("refused:", error)
    await database.close()

# What is imported on first use has to be there before the rights are given up.
migrations()
anyio.run(anyio.to_thread.run_sync, os.getuid)
if os.getuid() == 0:
    os.setgroups([])
    os.setgid(65534)
    os.setuid(65534)
try:
    anyio.run(main, Path(sys.argv[1]))
except StorageError as error:
    print("not opened:", error)
"""


WITH_ALL_RIGHTS = READ_ONLY_USE.replace("os.getuid() == 0", "False")
GARBLE = """
import sys
with open(sys.argv[1], "r+b") as file:
    file.write(b"garbage!" * 4)
"""


def used_by_another(path: Path) -> str:
    """What a user who may not write there sees; whatever the modes say, root may."""
    return run_program(READ_ONLY_USE, path)


def run_program(text: str, path: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", text, path],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    return f"{done.stdout}{done.stderr}" if done.returncode else done.stdout


@contextmanager
def locked_up(directory: Path) -> Iterator[None]:
    """Nobody but root may write here, everybody may read."""
    for place in (directory, *directory.parents):
        if place.owner() == directory.owner() and not place.stat().st_mode & 0o005:
            place.chmod(place.stat().st_mode | 0o055)
    for file in directory.iterdir():
        file.chmod(0o444)
    directory.chmod(0o555)
    try:
        yield
    finally:
        directory.chmod(0o755)
        for file in directory.iterdir():
            file.chmod(0o644)


def beside(path: Path, pattern: str) -> list[Path]:
    """Files in the same directory."""
    return sorted(path.parent.glob(pattern))


async def a_memory_in(directory: Path) -> Path:
    os.mkdir(directory)
    database = await Database.open(directory / "memory.db")
    await add(database)
    await database.close()
    return directory / "memory.db"


@posix
async def test_a_directory_that_may_not_be_written_is_read(tmp_path: Path) -> None:
    path = await a_memory_in(tmp_path / "data")
    with locked_up(path.parent):
        said = await anyio.to_thread.run_sync(used_by_another, path)
    assert said.startswith("True 1\nThe memory is read only: ")
    assert "refused: The memory is read only" in said and "data_storage_path" in said


@posix
async def test_so_is_one_whose_server_runs_as_another_user(tmp_path: Path) -> None:
    path = await a_memory_in(tmp_path / "data")
    database = await Database.open(path)
    await add(database)
    with locked_up(path.parent):
        said = await anyio.to_thread.run_sync(used_by_another, path)
    await database.close()
    assert said.startswith("True 2\nThe memory is read only: ")


@posix
async def test_a_directory_that_may_not_even_be_seen_is_a_clear_error(tmp_path: Path) -> None:
    path = await a_memory_in(tmp_path / "data")
    with locked_up(path.parent):
        os.chmod(path.parent, 0)
        said = await anyio.to_thread.run_sync(used_by_another, path)
    assert said.startswith("not opened: ") and "data_storage_path" in said


@posix
async def test_one_that_must_be_brought_up_to_date_first_says_so(tmp_path: Path) -> None:
    directory = tmp_path / "data"
    directory.mkdir()
    connection = apsw.Connection(str(directory / "memory.db"))
    connection.execute(migrations()[0][1])
    connection.pragma("user_version", 1)
    connection.close()
    with locked_up(directory):
        said = await anyio.to_thread.run_sync(used_by_another, directory / "memory.db")
    assert said.startswith("not opened: ") and "older version" in said


async def test_a_database_that_another_program_locks_is_a_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    database = await Database.open(path, busy_timeout=0.05)
    other = apsw.Connection(str(path))
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(StorageError, match=r"Another program keeps it locked"):
        await add(database)
    other.execute("ROLLBACK")
    other.close()
    await add(database)
    assert await texts(database) == ["hello"]
    await database.close()


async def test_a_reader_does_not_answer_from_a_file_that_was_replaced(tmp_path: Path) -> None:
    path = await a_memory_in(tmp_path / "data")
    database = await Database.open(path)
    shutil.copy(path, tmp_path / "copy")
    os.replace(tmp_path / "copy", path)
    with pytest.raises(StoreReplaced, match="removed or replaced"):
        await texts(database)
    await database.close()
    with pytest.raises(StoreReplaced, match="closed"):
        await texts(database)


async def test_the_database_of_another_program_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    connection = apsw.Connection(str(path))
    connection.execute("CREATE TABLE notes (text)")
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StorageError, match="another program"):
        await Database.open(path)
    assert path.read_bytes() == before


async def test_a_backup_put_in_place_is_a_memory_with_a_log_again(tmp_path: Path) -> None:
    path = await a_memory_in(tmp_path / "data")
    back_up(path, tmp_path / "backup.db")
    path = tmp_path / "elsewhere" / "memory.db"
    path.parent.mkdir()
    shutil.copy(tmp_path / "backup.db", path)
    database = await Database.open(path)
    await add(database, "after")
    assert await texts(database) == ["hello", "after"]
    assert await database.read(lambda c: c.pragma("journal_mode")) == "wal"
    await database.close()
    assert faults_in(path) == ()


async def test_it_gets_no_log_while_another_program_reads_it(tmp_path: Path) -> None:
    path = await a_memory_in(tmp_path / "data")
    back_up(path, tmp_path / "memory.db")
    path = tmp_path / "memory.db"
    other = apsw.Connection(str(path))
    other.execute("BEGIN")
    assert select(other, "SELECT count(*) FROM page") == [(1,)]
    database = await Database.open(path, busy_timeout=0.05)
    assert await database.read(lambda c: c.pragma("journal_mode")) == "delete"
    other.close()
    await add(database)
    await database.close()
    database = await Database.open(path)
    assert await database.read(lambda c: c.pragma("journal_mode")) == "wal"
    assert await texts(database) == ["hello", "hello"]
    await database.close()


async def test_the_log_of_the_file_before_is_not_written_into_a_backup(tmp_path: Path) -> None:
    path = await a_memory_in(tmp_path / "data")
    back_up(path, tmp_path / "backup.db")
    killed = tmp_path / "killed"
    killed.mkdir()
    database = await Database.open(path)
    for number in range(30):
        await add(database, f"{number} " * 500)
    shutil.copy(path.with_name("memory.db-wal"), killed / "memory.db-wal")
    await database.close()
    shutil.copy(tmp_path / "backup.db", killed / "memory.db")
    database = await Database.open(killed / "memory.db")
    assert await texts(database) == ["hello"]
    await database.close()
    assert faults_in(killed / "memory.db") == ()
    assert [file.stat().st_size > 0 for file in killed.glob("*damaged*-wal")] == [True]


async def test_a_live_process_goes_on_with_the_file_that_another_has_put_right(
    tmp_path: Path,
) -> None:
    path = tmp_path / "memory.db"
    fill(path, 60)
    connection = apsw.Connection(str(path))
    ((root,),) = select(
        connection, "SELECT rootpage FROM sqlite_schema WHERE name = 'page_by_scope'"
    )
    connection.close()
    spoil(path, root - 1, None)
    live = await Database.open(path)
    suspect(path)
    second = await Database.open(path)
    with pytest.raises(StoreReplaced):
        await live.write(lambda c: c.execute("DELETE FROM page"))
    await live.close()
    third = await Database.open(path)
    await add(third, "new")
    assert (await texts(second))[-1] == "new"
    assert len(await texts(second)) == 61
    await second.close()
    await third.close()
    assert faults_in(path) == ()


async def test_no_write_is_lost_while_a_damaged_file_is_set_aside(tmp_path: Path) -> None:
    """A writer goes on until it is told; all that it was promised is in the new file."""
    path = tmp_path / "memory.db"
    fill(path, 60)
    connection = apsw.Connection(str(path))
    # Damage that writing does not meet.
    sql = "SELECT rootpage FROM sqlite_schema WHERE name = 'model_usage'"
    ((root,),) = select(connection, sql)
    connection.close()
    spoil(path, root - 1, None)
    live = await Database.open(path)
    written: list[str] = []
    started = anyio.Event()

    async def write_on() -> None:
        with pytest.raises(StoreReplaced):
            while True:
                await add(live, f"new{len(written)}")
                written.append(f"new{len(written)}")
                started.set()

    async with anyio.create_task_group() as tasks:
        tasks.start_soon(write_on)
        await started.wait()
        suspect(path)
        other = await Database.open(path)
    await live.close()
    stored = await texts(other)
    await other.close()
    assert written and set(written) <= set(stored)
    assert beside(path, "memory.damaged-*.db")
    assert faults_in(path) == ()


@posix
async def test_a_damaged_file_that_may_be_healthy_to_another_process_is_not_set_aside(
    tmp_path: Path,
) -> None:
    path = await a_memory_in(tmp_path / "data")
    live = await Database.open(path)
    await live.write(lambda c: c.execute("UPDATE page SET meta_data = '{}'"))
    other = apsw.Connection(str(path))
    other.pragma("wal_checkpoint", "TRUNCATE")
    other.close()
    # Not from here: closing the file would let go of the locks of this process.
    said = await anyio.to_thread.run_sync(run_program, GARBLE + WITH_ALL_RIGHTS, path)
    assert said.startswith("not opened: ") and "another program uses it" in said
    assert beside(path, "memory.damaged-*") == []
    await live.close()


@pytest.mark.parametrize("moved", [(), (".db",), (".db", ".db-wal")])
async def test_a_start_that_was_killed_while_it_set_a_file_aside_is_finished(
    tmp_path: Path, moved: tuple[str, ...]
) -> None:
    path = tmp_path / "memory.db"
    fill(path, 30)
    database = await Database.open(path)
    await add(database, "in the log")
    for suffix in (".db", ".db-wal"):
        shutil.copy(path.with_suffix(suffix), tmp_path / f"killed{suffix}")
    await database.close()
    fill(tmp_path / "memory.salvaged-T.db", 20)
    (tmp_path / "memory.salvaged-T.txt").write_text("It was damaged.")
    (tmp_path / "memory.salvaging-T-copy.db").write_text("half")
    for suffix in (".db", ".db-wal"):
        os.replace(tmp_path / f"killed{suffix}", path.with_suffix(suffix))
    for suffix in moved:
        path.with_suffix(suffix).rename(tmp_path / f"memory.damaged-T{suffix}")
    database = await Database.open(path)
    stored = await texts(database)
    await database.close()
    assert len(stored) == (20 if moved else 31)
    assert database.notes == (("It was damaged.",) if moved else ())
    assert (tmp_path / "memory.damaged-T.db-wal").exists() is bool(moved)
    assert beside(path, "*salvag*") == []


def test_the_setup_lock_is_waited_for(tmp_path: Path) -> None:
    """Many threads open the same damaged file: one sets it aside, all get the new one."""
    path = tmp_path / "memory.db"
    fill(path, 30)
    spoil(path, 0, None)
    found: list[int] = []

    async def look() -> None:
        database = await Database.open(path)
        found.append(len(await texts(database)))
        await database.close()

    threads = [threading.Thread(target=anyio.run, args=(look,)) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(set(found)) == 1 and found[0] >= 25
    assert len(list(tmp_path.glob("memory.damaged-*.db"))) == 1


@contextmanager
def only_so_many_pages(count: int, within: str = "memory.db") -> Iterator[None]:
    """As if the disk had room for no more, in files whose name contains this."""

    def limit(connection: apsw.Connection) -> None:
        if within in Path(connection.filename).name:
            connection.pragma("max_page_count", count)

    apsw.connection_hooks.append(limit)
    try:
        yield
    finally:
        apsw.connection_hooks.remove(limit)


async def test_a_disk_that_is_full_at_the_start_is_a_clear_error(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    with only_so_many_pages(5), pytest.raises(StorageError, match=r"disk is full; make room"):
        await Database.open(path)
    database = await Database.open(path)
    await add(database)
    await database.close()
    assert faults_in(path) == ()


async def test_so_is_one_that_has_no_room_for_what_is_carried_over(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    fill(path, 60)
    spoil(path, 0, None)
    before = path.read_bytes()
    with (
        only_so_many_pages(40, "-new.db"),
        pytest.raises(StorageError, match=r"disk is full; make room"),
    ):
        await Database.open(path)
    assert path.read_bytes() == before and beside(path, "*salvag*") == []
    await (await Database.open(path)).close()
    assert faults_in(path) == ()


async def test_a_full_disk_takes_turns_again_when_there_is_room(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    await (await Database.open(path)).close()
    with only_so_many_pages(60):
        database = await Database.open(path)
    for number in range(2):
        await add(database, f"{number}")
    for _ in range(2):
        with pytest.raises(StorageError, match="disk is full"):
            await add(database, "x" * 500_000)
    assert await texts(database) == ["0", "1"]
    await database.write(lambda c: c.pragma("max_page_count", 10_000))
    await add(database, "x" * 500_000)
    assert len(await texts(database)) == 3
    await database.close()
    assert faults_in(path) == ()
