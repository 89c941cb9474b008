"""A damaged file set aside, and a fresh one with what could be read put in its place.

All of it happens under the setup lock, and to a file that is certainly damaged: it is looked at
again while nobody can write to it. It is moved, never written to or deleted. A start that is killed
in between is finished, or begun again, by the next.

    memory.db.suspect            something damaged was read: look at the next opening
    memory.damaged-TIME.db       what was set aside, with -wal and -shm
    memory.damaged-TIME.txt      what happened, shown to users until it is removed
    memory.salvaging-TIME.db     a copy, and the new file while it is made; leftovers are removed
    memory.salvaged-TIME.db      the new file, complete, before it is moved into place
"""

import logging
import os
from contextlib import ExitStack
from datetime import UTC, datetime
from pathlib import Path

import apsw

from memory_core.errors import StorageError
from memory_core.store.integrity import damage_in, faults_in
from memory_core.store.possession import beside, copy_raw, first_bytes, held_still, untouched
from memory_core.store.salvage import Salvaged, salvage
from memory_core.store.transactions import suspicion

FORMAT_AT, ROLLBACK = 18, b"\1\1"
ATTENDANTS = ("-wal", "-shm", "-journal")

log = logging.getLogger(__name__)


def finish_moves(path: Path) -> None:
    """Complete what a killed start has begun, or clear it away to be done again."""
    for leftover in path.parent.glob(f"{path.stem}.salvaging-*"):
        leftover.unlink()
    for complete in sorted(path.parent.glob(f"{path.stem}.salvaged-*.db")):
        time = complete.stem.removeprefix(f"{path.stem}.salvaged-")
        if path.exists():
            # Nothing was moved yet, and others may have written since.
            complete.unlink()
            complete.with_suffix(".txt").unlink(missing_ok=True)
        else:
            _move_attendants(path, _named(path, "damaged", time))
            _move_into_place(path, time)
    for report in path.parent.glob(f"{path.stem}.salvaged-*.txt"):
        report.rename(report.with_name(report.name.replace(".salvaged-", ".damaged-")))


def put_right(path: Path, timeout_ms: int) -> bool:
    """If the file is damaged, set it aside and carry over what can be read.

    Returns:
        Whether it was damaged; if not, nothing has happened to it.

    Raises:
        StorageError: another program uses the file, or the disk is full.
        apsw.Error, OSError: something else is in the way. Nothing has happened then either.
    """
    if not _is_damaged(path, timeout_ms):
        suspicion(path).unlink(missing_ok=True)
        return False
    try:
        with ExitStack() as hold:
            hold.enter_context(held_still(path, timeout_ms, as_file=is_emptied(path)))
            damaged = _replace(path, hold)
    except (apsw.BusyError, PermissionError) as error:
        raise StorageError(
            f"{path} is damaged, and another program uses it. Close all programs that use this "
            "memory and start again: it is then set aside, and what can be read is carried over."
        ) from error
    finally:
        for leftover in path.parent.glob(f"{path.stem}.salvaging-*"):
            leftover.unlink()
    suspicion(path).unlink(missing_ok=True)
    return damaged


def reports(path: Path) -> tuple[str, ...]:
    """What users should know of damaged files that lie beside this one, oldest first."""
    found = sorted(path.parent.glob(f"{path.stem}.damaged-*.txt"))
    return tuple(file.read_text(encoding="utf-8").strip() for file in found)


def set_foreign_log_aside(path: Path) -> None:
    """A backup was put in place and the log of the file before was left: keep them apart.

    SQLite would write the pages of one database into the other. A file that has a log says so in
    its header, and a backup made here does not.
    """
    wal = beside(path, "-wal")
    if not all(file.exists() and file.stat().st_size for file in (path, wal)):
        return
    if first_bytes(path, FORMAT_AT + 2)[FORMAT_AT:] == ROLLBACK:
        damaged = _named(path, "damaged", _free_time(path))
        _move_attendants(path, damaged)
        log.warning("the log of another file was set aside as %s-wal", damaged)


def is_emptied(path: Path) -> bool:
    """Whether a file without a byte once held something: SQLite would take it for a new one."""
    if not path.exists() or path.stat().st_size:
        return False
    wal = beside(path, "-wal")
    index = path.parent / "chroma"
    return (wal.exists() and wal.stat().st_size > 0) or index.exists()


def _is_damaged(path: Path, timeout_ms: int) -> bool:
    if is_emptied(path):
        return True
    connection = untouched(path)
    try:
        connection.set_busy_timeout(timeout_ms)
        found = damage_in(connection)
    finally:
        connection.close()
    if found:
        log.warning("%s is damaged: %s", path, "; ".join(found[:3]))
    return bool(found)


def _replace(path: Path, hold: ExitStack) -> bool:
    """Salvage from a copy of the file, held still; then exchange the two."""
    now = datetime.now(UTC)
    time = _free_time(path)
    copy, fresh = (_named(path, "salvaging", f"{time}-{part}") for part in ("copy", "new"))
    copy_raw(path, copy)
    if not is_emptied(path) and not _is_damaged(copy, 0):
        return False
    found = salvage(copy, fresh, now)
    if faults := faults_in(fresh):
        log.warning("carried over with faults: %s", " ".join(faults))
    _sync(fresh)
    os.replace(fresh, complete := _named(path, "salvaged", time))
    complete.with_suffix(".txt").write_text(_report(path, time, found), encoding="utf-8")
    if os.name == "nt":  # there, a file that is open cannot be moved
        hold.close()
    damaged = _named(path, "damaged", time)
    path.rename(damaged)
    _move_attendants(path, damaged)
    _move_into_place(path, time)
    return True


def _report(path: Path, time: str, found: Salvaged) -> str:
    damaged = _named(path, "damaged", time)
    missing = f" {found.lost} turns could not be read." if found.lost else ""
    return (
        f"The memory was damaged. {found.turns} turns were carried over into a new {path.name} "
        f"and are in use.{missing} The damaged file is kept as {damaged}. If something is missing: "
        f"stop all servers and put a backup in the place of {path}, or let someone look at the "
        f"damaged file. Then remove {damaged.with_suffix('.txt')} to end this note.\n"
    )


def _move_attendants(path: Path, damaged: Path) -> None:
    for suffix in ATTENDANTS:
        if (file := beside(path, suffix)).exists():
            file.rename(beside(damaged, suffix))


def _move_into_place(path: Path, time: str) -> None:
    complete, damaged = (_named(path, state, time) for state in ("salvaged", "damaged"))
    complete.rename(path)
    report = complete.with_suffix(".txt")
    if report.exists():
        report.rename(damaged.with_suffix(".txt"))
    sync_directory(path.parent)
    for line in reports(path)[-1:]:
        log.warning("%s", line)


def _named(path: Path, state: str, time: str) -> Path:
    return path.with_name(f"{path.stem}.{state}-{time}{path.suffix}")


def _free_time(path: Path) -> str:
    """The time, as a part of names that no file has yet."""
    time = stamp = f"{datetime.now(UTC):%Y%m%dT%H%M%SZ}"
    number = 1
    while any(path.parent.glob(f"{path.stem}.damaged-{time}.*")):
        number += 1
        time = f"{stamp}-{number}"
    return time


def _sync(file: Path) -> None:
    with file.open("rb+") as opened:
        os.fsync(opened.fileno())


def sync_directory(directory: Path) -> None:
    """Let the names in a directory survive a power cut, where the system can do that."""
    if os.name == "nt":
        return
    descriptor = os.open(directory, os.O_RDONLY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
