"""The SQLite file: opened once, one writer and several readers, each call in a worker thread."""

import queue
from collections.abc import Callable
from pathlib import Path
from typing import Concatenate, ParamSpec, Self, TypeVar

import anyio
import apsw
from anyio import to_thread

from memory_core.errors import StorageError, StoreReplaced
from memory_core.store.opening import (
    BUSY_TIMEOUT_SECONDS,
    Opened,
    open_file,
    read_only_message,
)
from memory_core.store.transactions import transaction, translated

P = ParamSpec("P")
T = TypeVar("T")
Conn = apsw.Connection


class Database:
    """Connections to one file. Safe for many tasks and many processes at once.

    Attributes:
        read_only: the file may not be written; every `write` fails.
        notes: what users should know of it: that it is only read, that it was damaged.
    """

    def __init__(self, path: Path, opened: Opened) -> None:
        self.path = path
        self.read_only = opened.read_only
        self.notes = opened.notes
        self._frozen = opened.frozen
        self._file = self._identity()
        self._writer = opened.writer
        self._readers: queue.SimpleQueue[apsw.Connection] = queue.SimpleQueue()
        for reader in opened.readers:
            self._readers.put(reader)
        self._closed = False
        self._write_slot = anyio.CapacityLimiter(1)
        self._read_slots = anyio.CapacityLimiter(len(opened.readers))

    @classmethod
    async def open(cls, path: Path, *, busy_timeout: float = BUSY_TIMEOUT_SECONDS) -> Self:
        """Open the file, making or migrating it first; where it may not be written, only to read.

        A damaged file is set aside, and what can be read is carried over; see `damage`.

        Args:
            busy_timeout: seconds for which to wait while another program writes.

        Raises:
            StorageError: the directory or file cannot be used; the message says what to do.
        """
        return cls(path, await to_thread.run_sync(open_file, path, busy_timeout))

    async def read(
        self, query: Callable[Concatenate[Conn, P], T], *args: P.args, **kwargs: P.kwargs
    ) -> T:
        """Run a query on one consistent snapshot.

        Raises:
            StoreReplaced: the file is another one now; StorageError: it cannot be read.
        """

        def run() -> T:
            self._check_file()
            connection = self._readers.get()
            try:
                with translated(self.path), transaction(connection, "BEGIN"):
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
        """Run a change as one transaction: when this returns, it is on the disk.

        Raises:
            StoreReplaced: the file is another one now; StorageError: it cannot be written.
        """

        def run() -> T:
            self._check_file()
            if self.read_only:
                raise StorageError(read_only_message(self.path))
            with translated(self.path), transaction(self._writer, "BEGIN IMMEDIATE"):
                # Who sets a damaged file aside holds it meanwhile, so now it stays where it is.
                self._check_file()
                return change(self._writer, *args, **kwargs)

        return await to_thread.run_sync(run, limiter=self._write_slot)

    def _check_file(self) -> None:
        """A file that was removed or replaced would take writes and lose them at the end."""
        if self._closed:
            raise StoreReplaced(
                "This memory was closed; nothing was read or stored. Open it again."
            )
        if self._identity() != self._file:
            raise StoreReplaced(
                f"{self.path} was removed or replaced while in use; nothing is stored in it any "
                "more. Put it back, or start the server again to begin a new one."
            )

    def _identity(self) -> tuple[int, ...] | None:
        """Device and number of the file at the path, or None where there is none."""
        try:
            status = self.path.stat()
        except OSError:
            return None
        changes = (status.st_mtime_ns, status.st_size) if self._frozen else ()
        return status.st_dev, status.st_ino, *changes

    async def close(self) -> None:
        """Close all connections; the last one of all processes checkpoints the log.

        What is under way ends first; what comes later is refused.
        """
        self._closed = True
        turns = [object() for _ in range(int(self._read_slots.total_tokens))]
        with anyio.CancelScope(shield=True):
            for turn in turns:
                await self._read_slots.acquire_on_behalf_of(turn)
            await to_thread.run_sync(self._close_all, limiter=self._write_slot)
            for turn in turns:
                self._read_slots.release_on_behalf_of(turn)

    def _close_all(self) -> None:
        while not self._readers.empty():
            self._readers.get().close()
        self._writer.close()
