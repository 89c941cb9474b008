"""Side-by-side work that fails as one thing, and background work that steps aside."""

import math
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from typing import Any

import anyio

QUIET_SECONDS = 0.05
PATIENCE_SECONDS = 0.5


async def together(*works: Callable[[], Coroutine[Any, Any, None]]) -> None:
    """Run all side by side and wait for all.

    The first failure cancels the others and is raised as itself, not inside a group, so that
    callers can handle it by type.
    """
    try:
        async with anyio.create_task_group() as group:
            for work in works:
                group.start_soon(work)
    except BaseExceptionGroup as failures:
        raise first_leaf(failures) from failures


@asynccontextmanager
async def alongside(work: Callable[[], Coroutine[Any, Any, None]]) -> AsyncIterator[None]:
    """Run something beside the body of the context, until that ends.

    What the body raises comes out as itself, not inside a group.
    """
    try:
        async with anyio.create_task_group() as group:
            group.start_soon(work)
            yield
            group.cancel_scope.cancel()
    except BaseExceptionGroup as failures:
        raise first_leaf(failures) from failures


def first_leaf(failure: BaseException) -> BaseException:
    """The first plain exception inside nested groups."""
    while isinstance(failure, BaseExceptionGroup):
        failure = failure.exceptions[0]
    return failure


class Courtesy:
    """Lets background work step aside while callers come one after another.

    It computes in this process, and would hold the interpreter when a caller wants an answer.
    """

    def __init__(self, quiet: float = QUIET_SECONDS, patience: float = PATIENCE_SECONDS) -> None:
        self._quiet = quiet
        self._patience = patience
        self._last_call = -math.inf

    def note_call(self) -> None:
        """A caller was served just now."""
        self._last_call = time.monotonic()

    @property
    def seconds_since_call(self) -> float:
        """Infinite before the first call."""
        return time.monotonic() - self._last_call

    async def wait_for_quiet(self) -> None:
        """Wait until nobody has called for a moment; the background gets its turn all the same."""
        deadline = time.monotonic() + self._patience
        while (now := time.monotonic()) < deadline:
            pause = self._last_call + self._quiet - now
            if pause <= 0:
                return
            await anyio.sleep(pause)
