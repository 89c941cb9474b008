"""Check and backup of a memory, while it is in use."""

import shutil
from collections.abc import Callable
from pathlib import Path

import anyio
import apsw
import pytest

from memory_core import Settings, StorageError
from memory_core.records import Scope
from memory_core.store.database import Database
from memory_core.store.integrity import faults_in
from memory_core.store.rows import scope_key, select
from memory_core.store.transactions import suspicion
from memory_core.upkeep import back_up_memory, check_memory
from tests.conftest import OpenMemory, page_ids
from tests.store.damaged import fill, spoil


@pytest.fixture
def settings(tmp_path: Path) -> Settings:
    return Settings.load({"data_storage_path": str(tmp_path / "data")}, environ={})


def beside(path: Path, pattern: str = "*") -> list[str]:
    return sorted(file.name for file in path.parent.glob(pattern))


async def writing_on(path: Path, enough: Callable[[], bool]) -> int:
    """Write one scope after another until it is enough; how many."""
    database = await Database.open(path)
    count = 0
    while not enough():
        owner = Scope(user_id=f"u{count}", assistant_id="a")
        await database.write(scope_key, owner)
        count += 1
    await database.close()
    return count


async def test_a_memory_in_use_is_sound(opened: OpenMemory, settings: Settings) -> None:
    async with opened(short_term_capacity=2) as memory:
        for number in range(8):
            await memory.add_memory(f"I live in town number {number}.", "Noted.")
        assert await check_memory(settings) == ()
        await memory.consolidate()
        assert await check_memory(settings) == ()


async def test_there_must_be_a_memory(settings: Settings, tmp_path: Path) -> None:
    for work in (check_memory(settings), back_up_memory(settings, tmp_path / "b.db")):
        with pytest.raises(StorageError, match=r"no memory in .*data"):
            await work
    assert not settings.data_storage_path.exists() and beside(tmp_path / "b.db") == []


async def test_damage_is_said_and_looked_at_by_the_next_start(settings: Settings) -> None:
    path = settings.data_storage_path / "memory.db"
    path.parent.mkdir()
    fill(path, 30)
    spoil(path, 25, None)
    (sentence,) = await check_memory(settings)
    assert sentence.startswith("The file is damaged")
    assert suspicion(path).exists()
    with pytest.raises(StorageError, match="no backup was made"):
        await back_up_memory(settings, path.with_name("backup.db"))
    assert "backup.db" not in " ".join(beside(path))
    await (await Database.open(path)).close()
    assert await check_memory(settings) == ()


async def test_a_file_that_is_no_database_is_a_fault_and_no_failure(settings: Settings) -> None:
    path = settings.data_storage_path / "memory.db"
    path.parent.mkdir()
    path.write_text("my diary " * 100)
    (sentence,) = await check_memory(settings)
    assert "damaged or no database" in sentence
    path.write_bytes(b"")
    with pytest.raises(StorageError, match="no memory"):
        await check_memory(settings)


async def test_a_backup_is_one_file_that_can_take_the_place_of_the_memory(
    opened: OpenMemory, settings: Settings, tmp_path: Path
) -> None:
    async with opened() as memory:
        added = [await memory.add_memory(f"Turn {number}.", "Yes.") for number in range(5)]
        made = await back_up_memory(settings, tmp_path / "new" / "backup.db")
        await memory.add_memory("Too late for it.", "Yes.")
    assert made == tmp_path / "new" / "backup.db" and beside(made) == ["backup.db"]
    assert made.stat().st_mode & 0o077 == 0
    shutil.rmtree(settings.data_storage_path)
    settings.data_storage_path.mkdir()
    shutil.copy(made, settings.data_storage_path / "memory.db")
    async with opened() as memory:
        view = await memory.retrieve_memory("turn")
        assert [hit.page.id for hit in view.short_term] == [each.id for each in added]
        assert view.notes == ()
        await memory.add_memory("And on.", "Yes.")
    assert len(page_ids(settings.data_storage_path / "memory.db")) == 6


async def test_others_write_while_a_backup_is_made(settings: Settings, tmp_path: Path) -> None:
    path = settings.data_storage_path / "memory.db"
    path.parent.mkdir()
    fill(path, 200)
    made: list[Path] = []
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(writing_on, path, lambda: len(made) == 5)
        tasks.start_soon(writing_on, path, lambda: len(made) == 5)
        for number in range(5):
            made.append(await back_up_memory(settings, tmp_path / f"{number}.db"))
    counts = []
    for file in made:
        assert faults_in(file) == ()
        connection = apsw.Connection(str(file))
        counts.append(select(connection, "SELECT count(*) FROM scope")[0][0])
        connection.close()
    assert counts == sorted(counts) and counts[-1] > counts[0]
    assert await check_memory(settings) == ()


async def test_a_directory_gets_a_file_named_by_the_time(
    opened: OpenMemory, settings: Settings, tmp_path: Path
) -> None:
    async with opened() as memory:
        await memory.add_memory("Hello.", "Yes.")
    made = await back_up_memory(settings, tmp_path)
    assert made.parent == tmp_path and made.match("memstrata-20??????T??????Z.db")


async def test_a_backup_never_overwrites(
    opened: OpenMemory, settings: Settings, tmp_path: Path
) -> None:
    async with opened() as memory:
        await memory.add_memory("Hello.", "Yes.")
    target = tmp_path / "precious.txt"
    target.write_text("precious")
    with pytest.raises(StorageError, match=r"never overwrites"):
        await back_up_memory(settings, target)
    assert target.read_text() == "precious"
    with pytest.raises(StorageError, match=r"cannot be written .*name another place"):
        await back_up_memory(settings, target / "below" / "backup.db")
