"""One consistent state of a file that others may be writing, without changing it."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import apsw

from memory_core.errors import StorageError
from memory_core.store.opening import BUSY_TIMEOUT_SECONDS, connect_to_read

ATTEMPTS = 3


@contextmanager
def snapshot(path: Path) -> Iterator[apsw.Connection]:
    """A connection inside a transaction that only reads.

    Raises:
        StorageError: there is no file.
        apsw.Error: it cannot be read.
    """
    connection = _settled(path)
    try:
        yield connection
    finally:
        connection.close()


def _settled(path: Path) -> apsw.Connection:
    """Begin to read; again, if the file was replaced just then: its log would be another's."""
    for _ in range(ATTEMPTS):
        before = _number(path)
        connection, _ = connect_to_read(path, round(BUSY_TIMEOUT_SECONDS * 1000))
        try:
            connection.execute("BEGIN")
            connection.pragma("user_version")
        except BaseException:
            connection.close()
            raise
        if _number(path) == before:
            return connection
        connection.close()
    raise StorageError(f"{path} is being replaced again and again. Try again later.")


def _number(path: Path) -> int:
    try:
        return path.stat().st_ino
    except OSError as error:
        raise StorageError(
            f"There is no memory in {path.parent} ({error.strerror}). Check data_storage_path; a "
            "server makes a memory when it is started."
        ) from error
