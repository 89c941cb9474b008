"""One transaction, and SQLite's errors as ours."""

import logging
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from memory_core.errors import StorageError, StoreDamaged

NO_ROOM_BYTES = 100_000

log = logging.getLogger(__name__)

DAMAGED = (apsw.CorruptError, apsw.NotADBError, UnicodeDecodeError)
"""What SQLite and apsw raise when they read what nobody wrote."""


@contextmanager
def transaction(connection: apsw.Connection, begin: str) -> Iterator[None]:
    connection.execute(begin)
    try:
        yield
    except BaseException:
        # SQLite itself may have rolled back already (disk full, for one).
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise
    try:
        connection.execute("COMMIT")
    except apsw.Error:
        # Refused (busy, full): left open, it would fail all that comes after.
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        raise


@contextmanager
def translated(path: Path) -> Iterator[None]:
    """Raise SQLite's errors as `StorageError`. After signs of damage the next opening looks closer.

    Raises:
        StorageError: says what to do; StoreDamaged: what was read is damaged.
    """
    try:
        yield
    except DAMAGED as error:
        suspect(path)
        raise StoreDamaged(_explain(error, path)) from error
    except apsw.Error as error:
        raise StorageError(_explain(error, path)) from error


def suspicion(path: Path) -> Path:
    """The file that stands for: something damaged was read here."""
    return path.with_name(f"{path.name}.suspect")


def suspect(path: Path) -> None:
    """Let the next opening look whether the file is damaged."""
    try:
        suspicion(path).touch()
    except OSError as error:
        log.warning("signs of damage cannot be noted for the next start: %s", error.strerror)


def _is_full(error: Exception, path: Path) -> bool:
    """Whether there is no room: SQLite's own files are refused as a mere failure of the disk."""
    if isinstance(error, apsw.FullError):
        return True
    try:
        return shutil.disk_usage(path.parent).free < NO_ROOM_BYTES
    except OSError:
        return False


def _explain(error: Exception, path: Path) -> str:
    match error:
        case apsw.BusyError() | apsw.LockedError():
            advice = "Another program keeps it locked; close that program, or try again."
        case apsw.FullError() | apsw.IOError() if _is_full(error, path):
            advice = "The disk is full; make room and try again. Nothing was lost."
        case apsw.ReadOnlyError() | apsw.CantOpenError() | apsw.PermissionsError():
            advice = "Check that the directory exists and may be written, or set data_storage_path."
        case apsw.IOError():
            advice = (
                "The disk may be failing or gone: check it and try again. "
                "What was stored before is kept."
            )
        case _ if isinstance(error, DAMAGED):
            advice = (
                "It is damaged or no database. The next start looks closer: it sets a damaged file "
                "aside, never deletes it, and carries over what can be read."
            )
        case _:
            advice = "See the log."
    # Of a text that cannot be decoded the error would show a part; some others say nothing.
    silent = isinstance(error, UnicodeDecodeError) or str(error) == "not an error"
    said = "" if silent else f": {error}"
    return f"The memory in {path} cannot be used ({type(error).__name__}{said}). {advice}"
