"""Damage of every kind: a start goes on with what can be read, and keeps the damaged file."""

import os
import random
import shutil
from collections.abc import Callable
from pathlib import Path

import apsw
import pytest

from memory_core import StoreDamaged
from memory_core.store import pages
from memory_core.store.database import Database
from memory_core.store.integrity import faults_in
from memory_core.store.leaves import GAP, leaf_rows
from memory_core.store.rows import select
from memory_core.store.transactions import suspect
from tests.store.damaged import PAGE_SIZE, fill, spoil, turns_in
from tests.store.filled import LATER, NOW

TURNS = 120
FEWEST_KEPT = 100
"""Of the turns, when one page of the file is lost. The longest turns fill a page alone."""


@pytest.fixture(scope="session")
def sound(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("sound") / "memory.db"
    fill(path, TURNS)
    return path


@pytest.fixture
def path(sound: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(sound, tmp_path / "memory.db"))


def contents(path: Path) -> bytes:
    return path.read_bytes()


def beside(path: Path, pattern: str) -> list[Path]:
    """Files in the same directory."""
    return sorted(path.parent.glob(pattern))


def set_aside(path: Path) -> list[Path]:
    return beside(path, "memory.damaged-*.db")


async def open_and_close(path: Path) -> tuple[str, ...]:
    """What users are told."""
    database = await Database.open(path)
    await database.close()
    return database.notes


def test_the_memory_that_is_damaged_here_is_sound(sound: Path) -> None:
    assert faults_in(sound) == ()
    assert len(turns_in(sound)) == TURNS


@pytest.mark.parametrize("noisy", [False, True], ids=["zeros", "noise"])
async def test_any_page_can_be_lost(sound: Path, tmp_path: Path, noisy: bool) -> None:
    seed = random.SystemRandom().randrange(2**32)
    chance = random.Random(seed)
    count = len(contents(sound)) // PAGE_SIZE
    whole = turns_in(sound)
    # The first pages hold the schema and the roots of the trees.
    for page in (0, *range(1 + chance.randrange(9), count, 9)):
        remark = f"page {page}, seed {seed}"
        path = Path(shutil.copy(sound, tmp_path / f"{page}.db"))
        spoil(path, page, chance if noisy else None)
        before, plain = contents(path), turns_in(path)
        suspect(path)
        await open_and_close(path)
        after = turns_in(path)
        assert faults_in(path) == (), remark
        assert len(after) >= FEWEST_KEPT and after.keys() <= whole.keys(), remark
        for key, (id, *texts) in plain.items():
            assert list(after[key][1:]) == texts, remark
            assert after[key][0] == (id or whole[key][0]), remark
        kept = beside(path, f"{page}.damaged-*.db")
        assert contents(kept[0] if kept else path) == before, remark
        assert not beside(path, "*.suspect") and not beside(path, "*salvag*"), remark


def cut_in_half(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2)


def cut_within_a_page(path: Path) -> None:
    with path.open("r+b") as file:
        file.truncate(path.stat().st_size // 2 + 77)


def lose_header(path: Path) -> None:
    with path.open("r+b") as file:
        file.write(b"garbage!" * 12)


@pytest.mark.parametrize("harm", [cut_in_half, cut_within_a_page, lose_header])
async def test_what_is_left_of_a_file_is_carried_over(
    path: Path, harm: Callable[[Path], None]
) -> None:
    whole = turns_in(path)
    harm(path)
    before = contents(path)
    notes = await open_and_close(path)
    (kept,) = set_aside(path)
    assert kept.read_bytes() == before
    after = turns_in(path)
    assert len(after) >= TURNS // 3
    for key, (_, *texts) in after.items():
        for text, was in zip(texts, whole[key][1:], strict=True):
            # A long text may go on in the part of the file that is gone.
            head, gap, tail = text.partition(GAP)
            assert text == was or (gap and was.startswith(head) and was.endswith(tail))
    assert faults_in(path) == ()
    (note,) = notes
    assert f"{len(after)} turns were carried over" in note and str(kept) in note
    assert await open_and_close(path) == notes
    kept.with_suffix(".txt").unlink()
    assert await open_and_close(path) == ()


async def test_a_file_that_is_something_else_is_kept_and_said(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    path.write_text("my diary, not a database. " * 100)
    database = await Database.open(path)
    await database.close()
    (kept,) = set_aside(path)
    assert kept.read_text().startswith("my diary")
    assert faults_in(path) == ()


async def test_an_empty_file_is_new_unless_something_lies_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "memory.db"
    path.touch()
    assert await open_and_close(path) == ()
    path.write_bytes(b"")
    (tmp_path / "chroma").mkdir()
    (note,) = await open_and_close(path)
    assert "0 turns were carried over" in note
    assert set_aside(path)[0].stat().st_size == 0


async def test_turns_in_the_log_of_an_emptied_file_are_found(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.wal_autocheckpoint(0)
    connection.execute("UPDATE page SET agent_response = agent_response || ' new'")
    log = path.with_name("memory.db-wal")
    copy = Path(shutil.copy(log, path.parent / "log"))
    connection.close()
    os.truncate(path, 0)
    shutil.move(copy, log)
    (note,) = await open_and_close(path)
    after = turns_in(path)
    assert len(after) == TURNS and f"{TURNS} turns" in note
    assert all(turn[2].endswith(" new") for turn in after.values())
    assert set_aside(path)[0].with_name(f"{set_aside(path)[0].name}-wal").exists()


async def test_damage_met_in_use_is_an_error_once_and_put_right_by_the_next_start(
    path: Path,
) -> None:
    connection = apsw.Connection(str(path))
    ((root,),) = select(connection, "SELECT rootpage FROM sqlite_schema WHERE name = 'page'")
    connection.close()
    spoil(path, root - 1, None)
    database = await Database.open(path)
    with pytest.raises(StoreDamaged, match=r"next start .*sets .*aside"):
        await database.read(pages.count_unplaced, (1,))
        await database.read(pages.pages_by_key, range(1, 2_000))
    await database.close()
    assert set_aside(path) == []
    (note,) = await open_and_close(path)
    assert f"{TURNS} turns were carried over" in note
    assert faults_in(path) == ()


async def test_a_text_that_is_no_text_is_damage_too(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("UPDATE page SET agent_response = CAST(x'61ff62' AS TEXT) WHERE key = 5")
    connection.close()
    database = await Database.open(path)
    with pytest.raises(StoreDamaged):
        await database.read(pages.pages_by_key, [5])
    await database.close()
    await open_and_close(path)
    assert turns_in(path)[5][2] == "a\ufffdb"
    assert len(turns_in(path)) == TURNS


async def test_a_healthy_file_that_was_suspected_stays_where_it_is(path: Path) -> None:
    other = await Database.open(path)
    suspect(path)
    number = os.stat(path).st_ino
    assert await open_and_close(path) == ()
    assert (os.stat(path).st_ino, beside(path, "*suspect"), set_aside(path)) == (number, [], [])
    assert await other.read(pages.count_unplaced, (1,)) > 0
    await other.close()


def test_rows_of_one_whose_owner_is_lost_get_another(path: Path) -> None:
    """Here the tables of owners and identities are lost altogether, with their indexes."""
    from memory_core.store.salvage import salvage

    connection = apsw.Connection(str(path))
    roots = select(
        connection,
        "SELECT rootpage FROM sqlite_schema WHERE tbl_name IN ('scope', 'memory') AND rootpage",
    )
    memory = select(connection, "SELECT DISTINCT pageno FROM dbstat WHERE name = 'memory'")
    connection.close()
    for (page,) in {*roots, *memory}:
        spoil(path, page - 1, None)
    found = salvage(path, path.with_name("new.db"), LATER)
    assert found.turns == TURNS
    assert faults_in(path.with_name("new.db")) == ()
    fresh = apsw.Connection(str(path.with_name("new.db")))
    assert select(fresh, "SELECT user_id FROM scope ORDER BY key") == [
        ("recovered-1",),
        ("recovered-2",),
    ]
    assert {at for (at,) in select(fresh, "SELECT at FROM memory")} == {
        "2026-08-09T12:00:00.000000+00:00"
    }
    assert LATER.isoformat().startswith("2026-08-09T12") and NOW < LATER
    fresh.close()


def test_a_deleted_row_does_not_come_back_from_a_free_page(path: Path) -> None:
    connection = apsw.Connection(str(path))
    connection.execute("DELETE FROM vector")
    connection.pragma("wal_checkpoint", "TRUNCATE")
    vectors = sum(
        len(values) == 7 and isinstance(values[6], bytes) for _, values in leaf_rows(path)
    )
    connection.close()
    assert vectors == 0


async def test_nobody_is_given_a_number_twice_after_a_loss(path: Path) -> None:
    newest = max(turns_in(path))
    cut_in_half(path)
    database = await Database.open(path)
    await database.write(lambda c: c.execute("INSERT INTO scope VALUES (NULL, 'c', 'u', 'a')"))
    (sequences,) = await database.read(
        select, "SELECT min(seq) FROM sqlite_sequence WHERE name IN ('memory', 'vector')"
    )
    await database.close()
    assert sequences[0] > newest
