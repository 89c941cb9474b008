"""The file itself: opening, migrating, several users of it, and what goes wrong with disks."""

import os
from datetime import UTC, datetime
from pathlib import Path

import anyio
import apsw
import pytest

from memory_core import StorageError
from memory_core.records import PageDraft, Scope
from memory_core.store import pages
from memory_core.store.database import Database

NOW = datetime(2026, 5, 1, tzinfo=UTC)
SCOPE = Scope(user_id="u", assistant_id="a")


def draft(text: str = "hello") -> PageDraft:
    return PageDraft(user_input=text, agent_response="", at=NOW)


async def test_a_new_file_has_the_newest_schema_and_a_log_that_survives_power_cuts(
    tmp_path: Path,
) -> None:
    database = await Database.open(tmp_path / "deep" / "er" / "memory.db")
    mode = await database.read(lambda c: c.pragma("journal_mode"))
    synchronous = await database.read(lambda c: c.pragma("synchronous"))
    version = await database.read(lambda c: c.pragma("user_version"))
    await database.close()
    assert (mode, synchronous) == ("wal", 2)
    assert version >= 1


@pytest.mark.skipif(os.name != "posix", reason="modes of files")
async def test_nobody_else_can_read_a_new_memory(tmp_path: Path) -> None:
    await (await Database.open(tmp_path / "new" / "memory.db")).close()
    assert (tmp_path / "new").stat().st_mode & 0o077 == 0


async def test_many_open_the_same_new_file_at_once(tmp_path: Path) -> None:
    opened: list[Database] = []

    async def open_one() -> None:
        opened.append(await Database.open(tmp_path / "memory.db"))

    async with anyio.create_task_group() as group:
        for _ in range(8):
            group.start_soon(open_one)
    for number, database in enumerate(opened):
        await database.write(pages.add_page, SCOPE, draft(f"page {number}"), NOW, 7)
    counts = [await database.read(pages.count_unplaced, (1,)) for database in opened]
    for database in opened:
        await database.close()
    assert counts == [8] * 8


async def test_a_change_that_fails_leaves_nothing_behind(tmp_path: Path) -> None:
    def half(connection: apsw.Connection) -> None:
        pages.add_page(connection, SCOPE, draft(), NOW, 7)
        raise LookupError("in the middle")

    database = await Database.open(tmp_path / "memory.db")
    with pytest.raises(LookupError):
        await database.write(half)
    await database.write(pages.add_page, SCOPE, draft(), NOW, 7)
    assert await database.read(pages.count_unplaced, (1,)) == 1
    await database.close()


async def test_a_file_of_a_newer_version_is_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    await (await Database.open(path)).close()
    connection = apsw.Connection(str(path))
    connection.pragma("user_version", 999)
    connection.close()
    before = path.read_bytes()
    with pytest.raises(StorageError, match=r"newer version.*Upgrade"):
        await Database.open(path)
    assert path.read_bytes() == before


async def test_a_place_that_cannot_be_written_is_a_clear_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way")
    with pytest.raises(StorageError, match="data_storage_path"):
        await Database.open(tmp_path / "file" / "memory.db")


async def test_a_full_disk_is_a_clear_error_and_loses_nothing(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "memory.db")
    await database.write(pages.add_page, SCOPE, draft(), NOW, 7)

    def fill(connection: apsw.Connection) -> None:
        connection.pragma("max_page_count", connection.pragma("page_count"))
        pages.add_page(connection, SCOPE, draft("x" * 1_000_000), NOW, 7)

    with pytest.raises(StorageError, match="disk is full"):
        await database.write(fill)
    assert await database.read(pages.count_unplaced, (1,)) == 1
    await database.close()


@pytest.mark.skipif(os.name != "posix", reason="an open file cannot be removed elsewhere")
async def test_a_file_removed_while_in_use_takes_no_more_pages(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "memory.db")
    await database.write(pages.add_page, SCOPE, draft(), NOW, 7)
    (tmp_path / "memory.db").rename(tmp_path / "elsewhere.db")
    with pytest.raises(StorageError, match="removed or replaced"):
        await database.write(pages.add_page, SCOPE, draft(), NOW, 7)
    (tmp_path / "elsewhere.db").rename(tmp_path / "memory.db")
    await database.write(pages.add_page, SCOPE, draft(), NOW, 7)
    assert await database.read(pages.count_unplaced, (1,)) == 2
    await database.close()
