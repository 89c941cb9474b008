"""Looking after a memory as a whole, while servers are at work on it: is it sound, a copy of it."""

from datetime import UTC, datetime
from pathlib import Path

from anyio import to_thread

from memory_core.config import Settings
from memory_core.errors import StorageError, StoreDamaged
from memory_core.store.backup import back_up
from memory_core.store.integrity import damage_in, faults_in
from memory_core.store.schema import schema_version
from memory_core.store.snapshot import snapshot
from memory_core.store.transactions import suspect, translated


async def check_memory(settings: Settings) -> tuple[str, ...]:
    """What is wrong with the memory, a sentence each; nothing if it is sound.

    Nothing is changed. After damage the next start of a server looks for itself, sets the file
    aside and carries over what can be read.

    Raises:
        StorageError: there is no memory yet, or it cannot be read at all.
    """
    return await to_thread.run_sync(_check, settings.data_storage_path / "memory.db")


def _check(path: Path) -> tuple[str, ...]:
    try:
        with translated(path), snapshot(path) as connection:
            if not schema_version(connection):
                raise StorageError(f"{path} is empty: no memory has been made there yet.")
            faults = faults_in(connection)
            if faults and damage_in(connection):
                suspect(path)
            return faults
    except StoreDamaged as error:
        return (str(error),)


async def back_up_memory(settings: Settings, target: Path) -> Path:
    """Copy the memory, as it is at one moment, to a file of its own; returns that file.

    Args:
        target: a file that does not exist yet, or a directory, in which it is named by the time.

    Raises:
        StorageError: there is no memory, it is damaged, or the copy cannot be written.
    """
    source = settings.data_storage_path / "memory.db"
    return await to_thread.run_sync(_back_up, source, target)


def _back_up(source: Path, target: Path) -> Path:
    if target.is_dir():
        target = target / f"memstrata-{datetime.now(UTC):%Y%m%dT%H%M%SZ}.db"
    try:
        with translated(target):
            back_up(source, target)
    except OSError as error:
        raise StorageError(
            f"The backup {target} cannot be written ({error.strerror}). Check its disk and "
            "directory, or name another place."
        ) from error
    return target
