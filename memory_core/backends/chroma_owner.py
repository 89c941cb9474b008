"""Who owns an index directory: an operating-system lock beside it, and a note of who holds it."""

import contextlib
import json
import os
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Self

from filelock import FileLock, Timeout

from memory_core.backends.chroma_files import SpoiledIndex, replace_file

# Others look whether the lock is free, and hold it for a moment.
_TAKE_SECONDS = 0.5
_LOOK_SECONDS = 0.02


@dataclass(frozen=True, slots=True, kw_only=True)
class Owner:
    """A process that has an index. parent: the server it works for; since: aware, UTC."""

    pid: int
    parent: int
    since: datetime


def lock_path(directory: Path) -> Path:
    """The owner's lock. Beside the directory: throwing the index away does not release it."""
    return directory.with_name(f"{directory.name}.lock")


def owner_path(directory: Path) -> Path:
    """The note of who holds the lock."""
    return directory.with_name(f"{directory.name}.owner.json")


def is_owned(directory: Path) -> bool:
    """Whether some process has the index. Takes up to 20 ms, and hinders no owner's start.

    Raises:
        OSError, NotImplementedError: the file system does not let one look.
    """
    path = lock_path(directory)
    if not path.exists():
        return False
    lock = FileLock(path)
    try:
        # Longer than an instant: what holds the lock may be somebody who looks, too.
        lock.acquire(timeout=_LOOK_SECONDS, poll_interval=_LOOK_SECONDS / 4)
    except Timeout:
        return True
    lock.release()
    return False


def owner_of(directory: Path) -> Owner | None:
    """Who has the index now; None when nobody has, or when it cannot be told. Up to 20 ms."""
    try:
        if not is_owned(directory):
            return None
        note = json.loads(owner_path(directory).read_bytes())
        since = datetime.fromisoformat(note["since"])
        return Owner(pid=note["pid"], parent=note["parent"], since=since)
    except (OSError, NotImplementedError, ValueError, KeyError, TypeError):
        return None


class Ownership:
    """The lock on an index directory, held until `release` or the end of the process."""

    def __init__(self, directory: Path, lock: FileLock) -> None:
        self._directory = directory
        self._lock = lock
        self._path = lock_path(directory)
        self._file = _identity(self._path)

    @classmethod
    def take(cls, directory: Path, parent: int) -> Self:
        """Become the owner, on behalf of the process `parent`.

        Raises:
            Timeout: another process is.
        """
        lock = FileLock(lock_path(directory))
        lock.acquire(timeout=_TAKE_SECONDS)
        since = datetime.now(UTC).isoformat(timespec="seconds")
        note = {"pid": os.getpid(), "parent": parent, "since": since}
        with contextlib.suppress(OSError):  # the lock counts; the note is for people
            replace_file(owner_path(directory), json.dumps(note).encode())
        return cls(directory, lock)

    def check(self) -> None:
        """Make sure that nobody else can have the lock: a file that was removed locks nothing.

        Raises:
            SpoiledIndex: another process may be the owner now.
        """
        if self._file is None or _identity(self._path) != self._file:
            raise SpoiledIndex("The lock of the vector index was removed while it was in use.")

    def release(self) -> None:
        """Give the ownership up."""
        with contextlib.suppress(OSError):
            owner_path(self._directory).unlink()
        self._lock.release()


def _identity(path: Path) -> tuple[int, int] | None:
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
