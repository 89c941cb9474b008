"""What the tests share: settings of a fresh memory, and a memory with stand-ins."""

import os
import time
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import AbstractAsyncContextManager, asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import anyio
import apsw
import pytest

from memory_core import MemoryCore, ProfileView, Settings, open_memory
from memory_core.backends.embedder import Embedder
from memory_core.backends.llm import LanguageModel
from memory_core.backends.memory_index import MemoryIndex
from memory_core.concurrency import Courtesy
from memory_core.embedding import Embedding
from memory_core.store.database import Database
from memory_core.testing import Clock, WordsEmbedder

# The zone of a memory is that of the machine: for tests it is one, wherever they run.
os.environ["TZ"] = "UTC"
if hasattr(time, "tzset"):  # not on Windows
    time.tzset()

START = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
OpenMemory = Callable[..., AbstractAsyncContextManager[MemoryCore]]


def page_ids(database: Path) -> list[str]:
    """Ids of all pages in the file, as another program sees it."""
    connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
    rows = connection.execute("SELECT id FROM memory JOIN page USING (key) ORDER BY key")
    return [str(row[0]) for row in rows]


async def until(memory: MemoryCore, holds: Callable[[ProfileView], bool]) -> None:
    """Wait, within bounds, until the background work has come so far."""
    with anyio.fail_after(10):
        while not holds(await memory.get_user_profile()):  # noqa: ASYNC110 - nothing announces it
            await anyio.sleep(0.01)


def embedding_of(
    database: Database,
    embedder: Embedder | None,
    *,
    recipe: Mapping[str, Any] | None = None,
    revive: Callable[[Mapping[str, Any]], Embedder | None] = lambda _: None,
    clock: Callable[[], datetime] = lambda: START,
    **more: float | None,
) -> Embedding:
    """The embedding of a store, without the rest of a memory. more: `threshold`, `patience`."""
    return Embedding(
        database,
        embedder,
        Courtesy(),
        clock,
        recipe=recipe or {},
        revive=revive,
        **more,  # type: ignore[arg-type]
    )


@pytest.fixture
def clock() -> Clock:
    return Clock(START)


@pytest.fixture
def opened(tmp_path: Path, clock: Clock) -> OpenMemory:
    """Opens a memory in a fresh directory, with stand-ins for all that is rented.

    `model` is the language model, other keywords are settings. Opened twice, it is the same one.
    """

    @asynccontextmanager
    async def open_it(
        *,
        model: LanguageModel | None = None,
        embedder: WordsEmbedder | None = None,
        **settings: Any,
    ) -> AsyncIterator[MemoryCore]:
        chosen = Settings.load(
            {"data_storage_path": str(tmp_path / "data"), **settings}, environ={}
        )
        async with open_memory(
            chosen,
            clock=clock,
            model=model,
            embedder=embedder or WordsEmbedder(),
            index=MemoryIndex(),
        ) as memory:
            yield memory

    return open_it
