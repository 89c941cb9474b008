"""How the memory is: one look at the database, with what only a running process can say of it."""

import os
import shutil
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import apsw
import psutil
from anyio import to_thread

from memory_core.backends.chroma_owner import owner_of
from memory_core.budget import spent_note
from memory_core.config import NO_EMBEDDER, Settings
from memory_core.errors import StorageError
from memory_core.inputs import identity
from memory_core.places import clock_warning, warnings_for
from memory_core.records import Scope
from memory_core.status_records import (
    DatabaseStatus,
    EmbedderStatus,
    IndexStatus,
    JobState,
    ModelStatus,
    ProcessStatus,
    Queue,
    Running,
    Status,
    TierCounts,
)
from memory_core.store import counts, refused, usage
from memory_core.store.damage import reports
from memory_core.store.database import Database
from memory_core.store.rows import find_scopes
from memory_core.store.schema import is_newest
from memory_core.store.snapshot import snapshot
from memory_core.store.transactions import translated
from memory_core.version import VERSION

if TYPE_CHECKING:  # they bring NumPy, and the command line has to be quick
    from memory_core.backends.llm import LanguageModel
    from memory_core.embedding import Embedding
    from memory_core.vectors import VectorMemory

NOT_HERE = "not running here"
NO_SCOPE = 0
LITTLE_ROOM_BYTES = 200_000_000


async def read_status(
    database: Database,
    settings: Settings,
    now: datetime,
    *,
    asked: Scope | None = None,
    running: Running | None = None,
) -> Status:
    """The status of a memory whose database is open.

    Args:
        asked: a scope whose counts are wanted beside those of everybody.
        running: what the memory knows that is open in this process; None: none is.

    Raises:
        StorageError: the database cannot be read.
    """
    return await database.read(describe, database.path, settings, now, asked, running)


def running_parts(
    embedding: "Embedding",
    vectors: "VectorMemory",
    model: "LanguageModel | None",
    warnings: tuple[str, ...],
) -> Running:
    """What the parts of an open memory say of themselves."""
    space, target = embedding.space, embedding.target
    return Running(
        index_state=vectors.index_state,
        index_position=vectors.index_position,
        embedder_state=embedding.state,
        embedder_in_use=space.name if space else "",
        embedder_making=target.name if target and embedding.switching else "",
        model_name=model.name if model else None,
        model_state=model.state if model else "",
        warnings=warnings,
    )


async def inspect_memory(
    settings: Settings, now: datetime, *, user_id: str = "", assistant_id: str = ""
) -> Status | None:
    """The status of a memory that other processes may have open, or nobody.

    Nothing is opened but the database, and that for reading only: nothing is made, moved or
    repaired, and no model is loaded.

    Args:
        user_id, assistant_id: whose counts are wanted beside those of everybody; with one of them
            empty, that of the settings is taken.

    Returns:
        None where there is no memory yet.

    Raises:
        InvalidInput: an id that cannot be one.
        StorageError: the database cannot be read.
    """
    path = settings.data_storage_path / "memory.db"
    asked = scope_of(settings, user_id, assistant_id)
    return await to_thread.run_sync(_inspect, path, settings, now, asked)


def scope_of(settings: Settings, user_id: str, assistant_id: str) -> Scope | None:
    """The scope that is asked for, or None when neither id is given.

    Raises:
        InvalidInput: an id that cannot be one.
    """
    if not (user_id or assistant_id):
        return None
    return Scope(
        user_id=identity(user_id or settings.user_id, "user_id"),
        assistant_id=identity(assistant_id or settings.assistant_id, "assistant_id"),
    )


def process_status() -> ProcessStatus:
    """The process that this is called in."""
    process = psutil.Process()
    with process.oneshot():
        age = max(0.0, time.time() - process.create_time())
        return ProcessStatus(pid=process.pid, age=age, rss=process.memory_info().rss)


def _inspect(path: Path, settings: Settings, now: datetime, asked: Scope | None) -> Status | None:
    try:
        path.lstat()
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        raise StorageError(f"{path} cannot be looked at ({error.strerror}).") from error
    with translated(path), snapshot(path) as connection:
        if not is_newest(connection):
            raise StorageError(
                f"{path} was written by an older version of Memstrata. Start a server on it once, "
                "which brings it up to date."
            )
        return describe(connection, path, settings, now, asked, None)


def describe(
    connection: apsw.Connection,
    path: Path,
    settings: Settings,
    now: datetime,
    asked: Scope | None,
    running: Running | None,
) -> Status:
    """The status, on one snapshot of the database at `path`. Takes some 50 ms at 100,000 pages."""
    users, scopes = counts.count_scopes(connection)
    total, embedded = counts.count_memories(connection)
    in_use = running.embedder_in_use if running else counts.last_model(connection)
    queue = _queue(connection, settings, now, running, _missing(total, embedded, in_use, running))
    return Status(
        version=VERSION,
        at=now,
        data_directory=str(settings.data_storage_path),
        process=process_status(),
        database=_database(connection, path),
        users=users,
        scopes=scopes,
        counts=counts.count_tiers(connection, settings.short_term_capacity),
        asked=asked,
        scope_counts=_count_asked(connection, settings, asked),
        queue=queue,
        index=_index(connection, settings.data_storage_path / "chroma", in_use, running),
        refused=refused.counted(connection),
        embedder=EmbedderStatus(
            configured=settings.embedding_model_name,
            in_use=in_use,
            state=_embedder_state(settings, total, embedded, running),
            memories=embedded,
        ),
        model=_model(connection, settings, now, running),
        warnings=tuple(_warnings(connection, path, settings, now, queue, running)),
    )


def _missing(total: int, embedded: dict[str, int], in_use: str, running: Running | None) -> int:
    """Memories without a vector of the model in use, or of the first one that is to be."""
    model = in_use or (running.embedder_making if running else "")
    return total - embedded.get(model, 0) if model else 0


def _count_asked(
    connection: apsw.Connection, settings: Settings, asked: Scope | None
) -> TierCounts | None:
    if asked is None:
        return None
    key = next(iter(find_scopes(connection, [asked])), NO_SCOPE)
    return counts.count_tiers(connection, settings.short_term_capacity, key)


def _queue(
    connection: apsw.Connection,
    settings: Settings,
    now: datetime,
    running: Running | None,
    unembedded: int,
) -> Queue:
    has_model = running.model_name is not None if running else settings.has_model
    # Without a model nothing waits for its batch to fill.
    idle = timedelta(seconds=settings.consolidation_idle_seconds if has_model else 0)
    jobs = counts.list_jobs(
        connection, now, settings.short_term_capacity, settings.consolidation_batch_size, idle
    )
    return Queue(jobs=jobs, unembedded=unembedded)


def _database(connection: apsw.Connection, path: Path) -> DatabaseStatus:
    files = (path, path.with_name(f"{path.name}-wal"))
    return DatabaseStatus(
        size=sum(_bytes_of(file) for file in files),
        sqlite_version=apsw.sqlite_lib_version(),
        journal_mode=str(connection.pragma("journal_mode")),
    )


def _bytes_of(file: Path) -> int:
    try:
        return file.stat().st_size
    except OSError:  # the log is there only while somebody writes
        return 0


def _index(
    connection: apsw.Connection, directory: Path, model: str, running: Running | None
) -> IndexStatus:
    owner = owner_of(directory)
    mine = owner is not None and os.getpid() in (owner.pid, owner.parent)
    rows = taken_in = None
    if running and running.index_state == "open":
        # It comes with NumPy, which `inspect_memory` has no need of.
        from memory_core.vectors import INDEXED

        rows, taken_in = counts.index_progress(connection, model, INDEXED, running.index_position)
    return IndexStatus(
        state=running.index_state if running else NOT_HERE,
        owner_pid=owner.pid if owner else None,
        mine=mine,
        rows=rows,
        taken_in=taken_in,
    )


def _embedder_state(
    settings: Settings, total: int, embedded: dict[str, int], running: Running | None
) -> str:
    if running is None:
        return "off" if settings.embedding_model_name == NO_EMBEDDER else NOT_HERE
    if running.embedder_making:
        made = embedded.get(running.embedder_making, 0)
        return f"making vectors: {made} of {total}"
    return running.embedder_state


def _model(
    connection: apsw.Connection, settings: Settings, now: datetime, running: Running | None
) -> ModelStatus:
    today = usage.on_day(connection, now.date())
    if running is not None:
        state = running.model_state if running.model_name else "off"
        return ModelStatus(name=running.model_name, state=state, today=today)
    if not settings.has_model:
        return ModelStatus(name=None, state="off", today=today)
    return ModelStatus(name=settings.llm_model, state=NOT_HERE, today=today)


def _warnings(
    connection: apsw.Connection,
    path: Path,
    settings: Settings,
    now: datetime,
    queue: Queue,
    running: Running | None,
) -> Iterator[str]:
    yield from running.warnings if running else reports(path)
    yield from warnings_for(path.parent)
    if warning := clock_warning(connection, now):
        yield warning
    if note := _budget_note(connection, settings, now):
        yield note
    if parked := queue.count(JobState.PARKED):
        yield (
            f"{parked} jobs failed too often and are parked. When the cause is gone, start a "
            "server again: it tries them once more."
        )
    if (mode := connection.pragma("journal_mode")) != "wal":
        yield f"The journal mode is {mode} instead of wal: readers and writers hold each other up."
    free = _free_bytes(path.parent)
    if free is not None and free < LITTLE_ROOM_BYTES:
        yield (
            f"Only {free // 1_000_000} MB are free in {path.parent}: make room, or nothing more "
            "can be stored."
        )


def _budget_note(connection: apsw.Connection, settings: Settings, now: datetime) -> str:
    limit = settings.llm_daily_token_budget
    spent = limit and usage.tokens_on_day(connection, now.date()) >= limit
    return spent_note(limit, now) if spent else ""


def _free_bytes(directory: Path) -> int | None:
    try:
        return shutil.disk_usage(directory).free
    except OSError:  # it was removed, or is a drive that is gone
        return None
