"""The memory as the server holds it: opened in the background, after the first reply."""

import logging
import time
from collections.abc import Callable
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING

import anyio

from memory_core import MemstrataError, StorageError

if TYPE_CHECKING:
    from memory_core import MemoryCore

TRY_AGAIN_AFTER_SECONDS = 3.0

_logger = logging.getLogger(__name__)

Opener = Callable[[], AbstractAsyncContextManager["MemoryCore"]]


class HeldMemory:
    """Owns the open memory. One task runs `hold`; calls wait in `get`, or in `renew`.

    find_opener: returns the function that opens the memory. It runs in a thread, since the import
        behind it takes seconds in which the client wants other answers.
    try_again_after: seconds after a failure in which calls are told of it without another try.
    """

    def __init__(
        self,
        find_opener: Callable[[], Opener],
        *,
        try_again_after: float = TRY_AGAIN_AFTER_SECONDS,
    ) -> None:
        self._find_opener = find_opener
        self._try_again_after = try_again_after
        self._memory: MemoryCore | None = None
        self._failure: BaseException | None = None
        self._try_again_at = 0.0
        self._wanted = anyio.Event()
        self._settled = anyio.Event()
        self._stopped = anyio.Event()
        self._leave = anyio.Event()
        self._opening = anyio.CancelScope()

    async def get(self) -> "MemoryCore":
        """Wait until the memory is open.

        Raises:
            StorageError: it cannot be opened; a call some seconds later tries again.
        """
        if self._failure is not None and time.monotonic() >= self._try_again_at:
            self._failure, self._settled = None, anyio.Event()
        while self._memory is None:
            if self._failure is not None:
                raise StorageError(_explain(self._failure)) from self._failure
            self.want()
            await self._settled.wait()
        return self._memory

    async def renew(self, old: "MemoryCore") -> "MemoryCore":
        """Close a memory whose file was replaced or is damaged, and wait until it is open again.

        Whoever comes second gets what the first one has opened.

        Raises:
            StorageError: as in `get`.
        """
        if self._memory is old and not self._stopped.is_set():
            _logger.warning("The memory is opened again, since its file was replaced or damaged.")
            self._memory, self._settled = None, anyio.Event()
            self._leave.set()
        return await self.get()

    def want(self) -> None:
        """Ask for the memory to be opened, without waiting for it."""
        self._wanted.set()

    def stop(self) -> None:
        """Close the memory, or give up opening it."""
        self._stopped.set()
        self._leave.set()
        self._wanted.set()
        if self._memory is None:
            self._opening.cancel()

    async def hold(self) -> None:
        """Open the memory when it is wanted, and keep it open until `stop`."""
        while not self._stopped.is_set():
            await self._wanted.wait()
            try:
                with anyio.CancelScope() as self._opening:
                    if not self._stopped.is_set():
                        await self._open_and_wait()
            except MemstrataError as error:
                _logger.error("The memory cannot be opened, or closed. %s", error)
                self._fail(error)
            except Exception as error:
                _logger.exception("The memory cannot be opened, or failed.")
                self._fail(error)

    async def _open_and_wait(self) -> None:
        open_memory = await anyio.to_thread.run_sync(self._find_opener, abandon_on_cancel=True)
        self._leave = anyio.Event()
        async with open_memory() as self._memory:
            self._settled.set()
            await self._leave.wait()
        self._memory = None

    def _fail(self, error: Exception) -> None:
        if self._memory is None and self._leave.is_set() and not self._settled.is_set():
            return  # what was given up could not be closed well: another is opened all the same
        self._memory, self._failure = None, error
        self._try_again_at = time.monotonic() + self._try_again_after
        self._wanted = anyio.Event()
        self._settled.set()


def _explain(failure: BaseException | None) -> str:
    if isinstance(failure, MemstrataError):
        reason = str(failure)
    else:
        reason = f"{type(failure).__name__}; the log file of the server has the details."
    return f"The memory is not open; nothing was read or stored. {reason} Later calls try again."
