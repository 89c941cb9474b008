"""A damaged file held still, and copied without a query."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from memory_core.store.transactions import DAMAGED

PIECE = 1 << 20
RAW = [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READONLY, 0]
RAW_FOR_LOCKS = [apsw.SQLITE_OPEN_MAIN_DB | apsw.SQLITE_OPEN_READWRITE, 0]


def untouched(path: Path) -> apsw.Connection:
    """A connection that does not move the log into the file when it is closed."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READWRITE)
    connection.config(apsw.SQLITE_DBCONFIG_NO_CKPT_ON_CLOSE, 1)
    return connection


@contextmanager
def held_still(path: Path, timeout_ms: int, *, as_file: bool = False) -> Iterator[None]:
    """Keep every other process from writing to the file.

    As a database, where it can still be locked as one: others may have it open, but their writes
    wait. Otherwise as a file, which fails while anybody has it open: to them it may be healthy.

    Raises:
        apsw.BusyError: another process writes, or has a file open that cannot be locked.
    """
    if as_file:
        with _locked_as_file(path):
            yield
        return
    connection = untouched(path)
    try:
        connection.set_busy_timeout(timeout_ms)
        try:
            connection.execute("BEGIN IMMEDIATE")
        except DAMAGED:
            connection.close()
            with _locked_as_file(path):
                yield
        else:
            yield
    finally:
        connection.close()


@contextmanager
def _locked_as_file(path: Path) -> Iterator[None]:
    file = apsw.VFSFile("", str(path), RAW_FOR_LOCKS)
    try:
        file.xLock(apsw.SQLITE_LOCK_SHARED)
        # Every process that has read from a database with a log keeps a shared lock on it.
        file.xLock(apsw.SQLITE_LOCK_EXCLUSIVE)
        yield
    finally:
        file.xUnlock(apsw.SQLITE_LOCK_NONE)
        file.xClose()


def first_bytes(path: Path, count: int) -> bytes:
    """The beginning of a database file.

    By SQLite's own hands: when a file is closed that Python opened, the system lets go of all
    locks this process has on it.
    """
    file = apsw.VFSFile("", str(path), RAW)
    try:
        return file.xRead(min(count, file.xFileSize()), 0)
    finally:
        file.xClose()


def copy_raw(path: Path, target: Path) -> None:
    """Copy a file that is held still, and its log, byte for byte.

    A checkpoint may go on meanwhile: it only moves pages from the log into the file, and the log,
    copied last, has them still.
    """
    file = apsw.VFSFile("", str(path), RAW)
    try:
        size = file.xFileSize()
        with target.open("xb") as copy:
            for start in range(0, size, PIECE):
                copy.write(file.xRead(min(PIECE, size - start), start))
    finally:
        file.xClose()
    log = beside(path, "-wal")
    if log.exists():
        beside(target, "-wal").write_bytes(log.read_bytes())


def beside(path: Path, suffix: str) -> Path:
    """The file that SQLite calls like the database, with a suffix."""
    return path.with_name(path.name + suffix)
