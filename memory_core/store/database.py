"""The SQLite file: opened once, one writer and several readers, each call in a worker thread."""

import logging
import queue
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import resources
from pathlib import Path
from typing import Concatenate, ParamSpec, Self, TypeVar

import anyio
import apsw
from anyio import to_thread
from filelock import FileLock, Timeout

from memory_core.errors import StorageError

P = ParamSpec("P")
T = TypeVar("T")
Conn = apsw.Connection

BUSY_TIMEOUT_MS = 15_000
READERS = 4
# Older versions have a rare WAL-reset bug that corrupts databases used by several connections.
SAFE_SQLITE = (3, 51, 3)

log = logging.getLogger(__name__)


class Database:
    """Connections to one file. Safe for many tasks and many processes at once."""

    def __init__(self, path: Path, writer: apsw.Connection, readers: list[apsw.Connection]) -> None:
        self.path = path
        self.read_only = False
        self.notes: tuple[str, ...] = ()
        self._file = _identity(path)
        self._writer = writer
        self._readers: queue.SimpleQueue[apsw.Connection] = queue.SimpleQueue()
        for reader in readers:
            self._readers.put(reader)
        self._write_slot = anyio.CapacityLimiter(1)
        self._read_slots = anyio.CapacityLimiter(len(readers))

    @classmethod
    async def open(cls, path: Path) -> Self:
        """Open the file, making or migrating it first.

        Raises:
            StorageError: the directory or file cannot be used; the message says what to do.
        """
        writer, readers = await to_thread.run_sync(_connect_all, path)
        return cls(path, writer, readers)

    async def read(
        self, query: Callable[Concatenate[Conn, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run a query on one consistent snapshot."""

        def run() -> T:
            connection = self._readers.get()
            try:
                with _translated(self.path), _transaction(connection, "BEGIN"):
                    return query(connection, *args, **kwargs)
            finally:
                self._readers.put(connection)

        return await to_thread.run_sync(run, limiter=self._read_slots)

    async def write(
        self,
        change: Callable[Concatenate[Conn, P], T],
        *args: P.args,
        **kwargs: P.kwargs,
    ) -> T:
        """Run a change as one transaction: when this returns, it is on the disk."""

        def run() -> T:
            self._check_file()
            with _translated(self.path), _transaction(self._writer, "BEGIN IMMEDIATE"):
                return change(self._writer, *args, **kwargs)

        return await to_thread.run_sync(run, limiter=self._write_slot)

    def _check_file(self) -> None:
        """A file that was removed or replaced would take writes and lose them at the end."""
        if _identity(self.path) != self._file:
            raise StorageError(
                f"{self.path} was removed or replaced while in use; nothing is stored in it any "
                "more. Put it back, or start the server again to begin a new one."
            )

    async def close(self) -> None:
        """Close all connections; the last one of all processes checkpoints the log."""

        def run() -> None:
            for _ in range(READERS):
                self._readers.get().close()
            self._writer.close()

        with anyio.CancelScope(shield=True):
            await to_thread.run_sync(run, limiter=self._write_slot)


def _identity(path: Path) -> tuple[int, int] | None:
    """Device and number of the file behind a path, or None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino


@contextmanager
def _transaction(connection: apsw.Connection, begin: str) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
    except BaseException:
        # SQLite itself may have rolled back already (disk full, for one).
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


@contextmanager
def _translated(path: Path) -> Iterator[None]:
    try:
        yield
    except apsw.Error as error:
        raise StorageError(_explain(error, path)) from error


def _explain(error: apsw.Error, path: Path) -> str:
    match error:
        case apsw.BusyError() | apsw.LockedError():
            advice = "Another program keeps it locked; close that program, or try again."
        case apsw.FullError():
            advice = "The disk is full; make room and try again. Nothing was lost."
        case apsw.ReadOnlyError() | apsw.CantOpenError() | apsw.PermissionsError():
            advice = "Check that the directory exists and may be written, or set data_storage_path."
        case apsw.CorruptError() | apsw.NotADBError():
            advice = "It is damaged or no database. Keep a copy of it, and move it out of the way."
        case _:
            advice = "See the log."
    return f"The memory in {path} cannot be used ({type(error).__name__}: {error}). {advice}"


def _connect_all(path: Path) -> tuple[apsw.Connection, list[apsw.Connection]]:
    if tuple(int(part) for part in apsw.sqlite_lib_version().split(".")) < SAFE_SQLITE:
        raise StorageError(
            f"SQLite {apsw.sqlite_lib_version()} can corrupt a database in use. Upgrade apsw."
        )
    try:
        # What people say to their assistant is nobody else's to read.
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Two servers started at once must not both make the tables.
        with FileLock(f"{path}.setup.lock", timeout=30), _translated(path):
            writer = _connect(path)
            _migrate(writer)
    except Timeout as error:
        raise StorageError(f"{path} is being set up by another process that hangs.") from error
    except OSError as error:
        raise StorageError(
            f"The directory {path.parent} cannot be used ({error.strerror}). "
            "Check that it may be written, or set data_storage_path to another one."
        ) from error
    with _translated(path):
        return writer, [_connect(path) for _ in range(READERS)]


def _connect(path: Path) -> apsw.Connection:
    connection = apsw.Connection(str(path))
    connection.set_busy_timeout(BUSY_TIMEOUT_MS)
    # FULL: an acknowledged page survives a power cut too, at some 3 ms a commit.
    connection.pragma("synchronous", "FULL")
    connection.pragma("foreign_keys", "ON")
    return connection


def _migrate(connection: apsw.Connection) -> None:
    """Bring the tables to the newest numbered migration."""
    version = connection.pragma("user_version")
    scripts = sorted(
        (int(entry.name[:4]), entry.read_text(encoding="utf-8"))
        for entry in resources.files("memory_core.store").joinpath("migrations").iterdir()
        if entry.name.endswith(".sql")
    )
    newest = scripts[-1][0]
    if version > newest:
        raise StorageError(
            f"{connection.filename} was written by a newer version of Memstrata "
            f"(schema {version}, this one knows {newest}). Upgrade Memstrata."
        )
    if version == 0:
        # Only ever at birth: flipping the journal mode of a live database loses data.
        connection.pragma("journal_mode", "wal")
    for number, script in scripts:
        if number > version:
            with _transaction(connection, "BEGIN IMMEDIATE"):
                connection.execute(script)
                connection.pragma("user_version", number)
            log.info("schema migrated to %d", number)
