"""Opening the file: made, migrated, or put right where it is damaged; or else only read."""

import errno
import logging
import os
from dataclasses import dataclass
from pathlib import Path

import apsw
from filelock import FileLock, Timeout

from memory_core.errors import StorageError
from memory_core.store import damage, words
from memory_core.store.possession import beside
from memory_core.store.schema import is_newest, migrate, schema_version
from memory_core.store.transactions import DAMAGED, suspicion, translated

BUSY_TIMEOUT_SECONDS = 15.0
SETUP_TIMEOUT_SECONDS = 30.0
READERS = 4
# Older versions have a rare WAL-reset bug that corrupts databases used by several connections.
SAFE_SQLITE = (3, 51, 3)
NOT_WRITABLE = (errno.EACCES, errno.EPERM, errno.EROFS)

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Opened:
    """Connections to one file.

    read_only: nothing can be written; frozen: it is read without locks, since none can be made, so
    a change of the file by somebody else has to be noticed from outside; notes: for users.
    """

    writer: apsw.Connection
    readers: tuple[apsw.Connection, ...]
    read_only: bool = False
    frozen: bool = False
    notes: tuple[str, ...] = ()


def open_file(path: Path, busy_timeout: float) -> Opened:
    """Open the database, whatever state it is in.

    Args:
        busy_timeout: seconds to wait for other programs that write.

    Raises:
        StorageError: the directory or file cannot be used; the message says what to do.
    """
    if tuple(int(part) for part in apsw.sqlite_lib_version().split(".")) < SAFE_SQLITE:
        raise StorageError(
            f"SQLite {apsw.sqlite_lib_version()} can corrupt a database in use. Upgrade apsw."
        )
    try:
        # What people say to their assistant is nobody else's to read.
        path.parent.mkdir(parents=True, exist_ok=True, mode=0o700)
        # Two servers started at once must not both make the tables, or move a damaged file.
        with FileLock(f"{path}.setup.lock", timeout=SETUP_TIMEOUT_SECONDS), translated(path):
            return _open_under_lock(path, round(busy_timeout * 1000))
    except Timeout as error:
        raise StorageError(
            f"{path} is being set up by another process that hangs or has much to do. "
            "Wait a moment, or end that process."
        ) from error
    except OSError as error:
        if error.errno in NOT_WRITABLE and os.path.isfile(path):
            with translated(path):
                return _open_to_read(path, round(busy_timeout * 1000))
        raise StorageError(_explain(error, path)) from error


def _explain(error: OSError, path: Path) -> str:
    if error.errno in (errno.ENOSPC, errno.EDQUOT):
        return f"The disk of {path.parent} is full ({error.strerror}). Make room and try again."
    return (
        f"The directory {path.parent} cannot be used ({error.strerror}). "
        "Check that it may be written, or set data_storage_path to another one."
    )


def _open_under_lock(path: Path, timeout_ms: int) -> Opened:
    damage.finish_moves(path)
    damage.set_foreign_log_aside(path)
    if suspicion(path).exists() or damage.is_emptied(path):
        damage.put_right(path, timeout_ms)
    try:
        return _open_to_write(path, timeout_ms)
    except DAMAGED:
        if not damage.put_right(path, timeout_ms):
            raise
        return _open_to_write(path, timeout_ms)


def _open_to_write(path: Path, timeout_ms: int) -> Opened:
    opened: list[apsw.Connection] = []
    try:
        opened.append(connect(str(path), timeout_ms))
        writer = opened[0]
        if writer.readonly("main"):
            writer.close()
            return _open_to_read(path, timeout_ms)
        schema_version(writer)
        _keep_a_log(writer)
        migrate(writer)
        opened.extend(connect(str(path), timeout_ms) for _ in range(READERS))
    except BaseException:
        for connection in opened:
            connection.close()
        raise
    return Opened(writer=writer, readers=tuple(opened[1:]), notes=damage.reports(path))


def _keep_a_log(writer: apsw.Connection) -> None:
    """Set the journal mode, of a new file or of a backup put in place.

    SQLite flips it only while nobody else has the file open, and this happens under the setup
    lock. While somebody has, the file is as safe without a log, and slower.
    """
    if writer.pragma("journal_mode") == "wal":
        return
    try:
        writer.pragma("journal_mode", "wal")
    except apsw.BusyError:
        log.warning("the database is in use without a write-ahead log; writing is slower")


def connect(name: str, timeout_ms: int, flags: int | None = None) -> apsw.Connection:
    """A connection with the settings that all have, which has read from the file.

    So it has opened its log while the file is certainly at its path. One that did so at its first
    query, after the file was set aside, would take the log of another database for its own.
    """
    flags = apsw.SQLITE_OPEN_READWRITE | apsw.SQLITE_OPEN_CREATE if flags is None else flags
    connection = apsw.Connection(name, flags=flags)
    try:
        connection.set_busy_timeout(timeout_ms)
        # FULL: an acknowledged page survives a power cut too, at some 3 ms a commit.
        connection.pragma("synchronous", "FULL")
        connection.pragma("foreign_keys", "ON")
        connection.pragma("user_version")
        words.prepare(connection)
    except BaseException:
        connection.close()  # a lock that is left would keep a damaged file from being set aside
        raise
    return connection


def _open_to_read(path: Path, timeout_ms: int) -> Opened:
    """Open a file that may not be written, or whose directory may not."""
    opened: list[apsw.Connection] = []
    frozen = False
    try:
        for _ in range(READERS + 1):
            connection, frozen = connect_to_read(path, timeout_ms)
            opened.append(connection)
        if not is_newest(opened[0]):
            raise StorageError(
                f"{path} is of an older version of Memstrata and may not be written here. Open it "
                "once where it may be, so that it is brought up to date."
            )
    except BaseException:
        for connection in opened:
            connection.close()
        raise
    log.warning("%s may not be written: it is only read", path)
    return Opened(
        writer=opened[0],
        readers=tuple(opened[1:]),
        read_only=True,
        frozen=frozen,
        notes=(*damage.reports(path), read_only_message(path)),
    )


def connect_to_read(path: Path, timeout_ms: int) -> tuple[apsw.Connection, bool]:
    """A connection that cannot write and has begun to read, and whether it takes no locks.

    Where not even the files for locking can be made, the file is read as it is, if nobody has
    left a log beside it.

    Raises:
        apsw.Error: it cannot be read.
    """
    flags = apsw.SQLITE_OPEN_READONLY | apsw.SQLITE_OPEN_URI
    try:
        return connect(str(path), timeout_ms, flags), False
    except (apsw.CantOpenError, apsw.ReadOnlyError):
        log_file = beside(path, "-wal")
        if log_file.exists() and log_file.stat().st_size:
            raise
        return connect(f"{path.absolute().as_uri()}?immutable=1", timeout_ms, flags), True


def read_only_message(path: Path) -> str:
    return (
        f"The memory is read only: {path} or its directory may not be written by this user, so "
        "nothing new is remembered. Give this user the right to write there, or set "
        "data_storage_path to another directory."
    )
