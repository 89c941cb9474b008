"""Side-by-side work that fails as one thing."""

from collections.abc import Callable, Coroutine
from typing import Any

import anyio


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


def first_leaf(failure: BaseException) -> BaseException:
    """The first plain exception inside nested groups."""
    while isinstance(failure, BaseExceptionGroup):
        failure = failure.exceptions[0]
    return failure
