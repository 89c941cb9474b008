import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import anyio

from memory_core import MemoryCore
from server.serve import serve
from tests.server.process import HELLO
from tests.server.stand_in import StandInMemory, settings

INITIALIZE = {"jsonrpc": "2.0", "id": 1, "method": "initialize", "params": HELLO}


async def session(data: Path, events: list[str], *, closing_hangs: bool = False) -> None:
    """A client that says hello, waits until the memory is open, and goes."""
    server_in, client_out = os.pipe()
    client_in, server_out = os.pipe()
    opened = anyio.Event()

    @asynccontextmanager
    async def open_memory() -> AsyncIterator[MemoryCore]:
        reply = await anyio.to_thread.run_sync(os.read, client_in, 1 << 16)
        events.append(f"opened after the reply to {json.loads(reply)['id']}")
        opened.set()
        yield StandInMemory()
        if closing_hangs:
            await anyio.sleep_forever()
        events.append("closed")

    with anyio.fail_after(20):
        async with anyio.create_task_group() as tasks:
            os.write(client_out, json.dumps(INITIALIZE).encode() + b"\n")
            tasks.start_soon(
                lambda: serve(settings(data), server_in, server_out, find=lambda _: open_memory)
            )
            await opened.wait()
            os.close(client_out)
    for descriptor in (server_in, server_out, client_in):
        os.close(descriptor)


async def test_the_memory_is_opened_after_the_first_reply_and_closed_at_the_end(
    tmp_path: Path,
) -> None:
    events: list[str] = []
    await session(tmp_path, events)
    assert events == ["opened after the reply to 1", "closed"]


async def test_a_memory_that_does_not_close_cannot_hold_the_exit(tmp_path: Path) -> None:
    events: list[str] = []
    await session(tmp_path, events, closing_hangs=True)
    assert events == ["opened after the reply to 1"]
