"""A background task that works in passes: whenever it is woken, or when its own time comes."""

import logging
from collections.abc import Awaitable, Callable

import anyio

from memory_core.errors import MemstrataError

RETRY_SECONDS = 30.0

log = logging.getLogger(__name__)


class Worker:
    """Runs `work` again and again in the task that calls `run`.

    work: one pass; returns seconds until it wants to run again by itself, or None.
    settle: seconds between being woken and the pass, so that a burst of calls makes one pass.
    """

    def __init__(
        self, name: str, work: Callable[[], Awaitable[float | None]], *, settle: float = 0.0
    ) -> None:
        self._name = name
        self._work = work
        self._settle = settle
        self._woken = anyio.Event()

    def wake(self) -> None:
        """Ask for a pass soon. Many calls before it begins make one pass."""
        self._woken.set()

    async def run(self) -> None:
        """Work until cancelled. A failed pass is logged and tried again later."""
        while True:
            self._woken = anyio.Event()
            delay = await self._attempt()
            with anyio.move_on_after(delay):
                await self._woken.wait()
                await anyio.sleep(self._settle)

    async def _attempt(self) -> float | None:
        try:
            return await self._work()
        except MemstrataError as error:
            log.warning("%s: %s", self._name, error)
        except Exception:
            log.exception("%s: failed unexpectedly", self._name)
        return RETRY_SECONDS
