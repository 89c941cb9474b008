"""A connection to a fresh database, for the functions that take one."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import anyio
import apsw
import pytest

from memory_core.store import words
from memory_core.store.database import Database
from memory_core.store.rows import scope_key
from tests.store.filled import SCOPE


@pytest.fixture(scope="session")
def empty_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the newest schema and nothing in it."""
    path = tmp_path_factory.mktemp("empty") / "memory.db"

    async def make() -> None:
        await (await Database.open(path)).close()

    anyio.run(make)
    return path


@pytest.fixture
def connection(empty_file: Path, tmp_path: Path) -> Iterator[apsw.Connection]:
    """A database of the test's own with `SCOPE` as scope 1; every statement is a transaction."""
    path = shutil.copy(empty_file, tmp_path / "memory.db")
    opened = apsw.Connection(str(path))
    opened.pragma("foreign_keys", "ON")
    opened.pragma("synchronous", "OFF")
    words.prepare(opened)
    scope_key(opened, SCOPE)
    yield opened
    opened.close()
