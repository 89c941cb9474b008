"""One session: the transport, the protocol and the memory, and the ways it ends."""

import logging
import os
import signal
import sys
from collections.abc import Callable
from functools import partial

import anyio
from mcp.server.lowlevel import Server

from memory_core import Settings
from server.held_memory import HeldMemory, Opener
from server.stdio import Transport, open_stdio
from server.tools import build_server

# Clients wait two seconds after the end of input or SIGTERM before they kill.
CLOSE_WITHIN_SECONDS = 1.4
LOOK_FOR_PARENT_EVERY_SECONDS = 2.0

_logger = logging.getLogger(__name__)


def find_opener(settings: Settings) -> Opener:
    """Import what opens the memory; this takes seconds the first time."""
    from memory_core import open_memory

    return partial(open_memory, settings)


async def serve(
    settings: Settings,
    wire_in: int,
    wire_out: int,
    *,
    find: Callable[[Settings], Opener] = find_opener,
) -> None:
    """Serve one client until its end of input, a signal, or the end of the parent process.

    Args:
        wire_in, wire_out: descriptors that carry the protocol.
        find: imports and returns what opens the memory; called after the first reply.
    """
    memory = HeldMemory(partial(find, settings))
    server = build_server(settings, memory.get, memory.renew)
    _logger.info("Serving; the data is in %s.", settings.data_storage_path)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(memory.hold)
        async with open_stdio(wire_in, wire_out) as transport:
            await _serve_until_the_end(server, transport, memory)
        memory.stop()
        # From here on `hold` has to finish by itself, in time.
        tasks.cancel_scope.deadline = anyio.current_time() + CLOSE_WITHIN_SECONDS
    _logger.info("Closed.")


async def _serve_until_the_end(
    server: Server[None], transport: Transport, memory: HeldMemory
) -> None:
    async with anyio.create_task_group() as session:
        session.start_soon(_open_after_first_reply, transport, memory)
        session.start_soon(_end_on_signal, session.cancel_scope)
        session.start_soon(_end_without_parent, session.cancel_scope)
        await server.run(
            transport.incoming, transport.outgoing, server.create_initialization_options()
        )
        session.cancel_scope.cancel()


async def _open_after_first_reply(transport: Transport, memory: HeldMemory) -> None:
    await transport.first_reply.wait()
    memory.want()


async def _end_on_signal(scope: anyio.CancelScope) -> None:
    try:
        with anyio.open_signal_receiver(signal.SIGTERM, signal.SIGINT) as signals:
            async for number in signals:
                _logger.info("Ending on %s.", signal.Signals(number).name)
                scope.cancel()
    except NotImplementedError:  # Windows: the plain handler of `main` stays in place
        return


async def _end_without_parent(scope: anyio.CancelScope) -> None:
    """End when the parent process has: not every client that dies closes the pipe."""
    if sys.platform == "win32":
        return
    parent = os.getppid()
    while os.getppid() == parent:  # noqa: ASYNC110 - nothing announces it
        await anyio.sleep(LOOK_FOR_PARENT_EVERY_SECONDS)
    _logger.info("Ending, since the parent process has ended.")
    scope.cancel()
