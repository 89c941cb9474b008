"""A copy of the database while it is in use, checked before it counts."""

import os
from pathlib import Path

import apsw

from memory_core.errors import StorageError
from memory_core.store.damage import sync_directory
from memory_core.store.integrity import faults_in
from memory_core.store.snapshot import snapshot


def back_up(path: Path, target: Path) -> None:
    """Copy the database to a file that does not exist yet, in one consistent state.

    The copy is one file that needs no other; put in the place of a database, it is one.

    Raises:
        StorageError: there is such a file, there is no database, or it is damaged.
        apsw.Error, OSError: the copy cannot be read or written.
    """
    if target.exists():
        raise StorageError(f"{target} exists, and a backup never overwrites a file. Name another.")
    target.parent.mkdir(parents=True, exist_ok=True)
    partial = target.with_name(f".{target.name}.{os.getpid()}.partial")
    try:
        # Nobody else's to read; SQLite takes an empty file for a new database.
        os.close(os.open(partial, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        _copy(path, partial)
        if faults := faults_in(partial):
            raise StorageError(
                f"{path} has faults, and no backup was made: {faults[0]} Start the server, which "
                "sets a damaged file aside and carries over what can be read; then try again."
            )
        with partial.open("rb+") as file:
            os.fsync(file.fileno())
        _move_without_overwriting(partial, target)
    finally:
        partial.unlink(missing_ok=True)
    sync_directory(target.parent)


def _copy(path: Path, partial: Path) -> None:
    copy = apsw.Connection(str(partial))
    try:
        # In one snapshot, the pages cannot change under the copy, however long it takes.
        with snapshot(path) as source, copy.backup("main", source, "main") as backup:
            backup.step(-1)
        copy.pragma("journal_mode", "delete")
    finally:
        copy.close()


def _move_without_overwriting(partial: Path, target: Path) -> None:
    try:
        os.link(partial, target)
    except FileExistsError as error:
        raise StorageError(f"{target} was made by somebody else meanwhile. Try again.") from error
    except OSError:
        # This file system has no links; Windows refuses to rename onto a file by itself.
        if target.exists():
            raise
        partial.rename(target)
