import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass
from pathlib import Path

import anyio
import pytest
from mcp.shared.message import SessionMessage
from mcp_types import JSONRPCRequest, JSONRPCResponse

from server.stdio import Transport, open_stdio, read_lines


@dataclass(frozen=True)
class Pipes:
    """Both ends of the pipes between a client and a server."""

    server_in: int
    client_out: int
    client_in: int
    server_out: int

    def send(self, *lines: bytes) -> None:
        os.write(self.client_out, b"".join(lines))

    def close(self, *descriptors: int) -> None:
        for descriptor in descriptors:
            os.close(descriptor)


@pytest.fixture
def pipes() -> Pipes:
    """The tests close the ends themselves, since the order matters."""
    return Pipes(*os.pipe(), *os.pipe())


@asynccontextmanager
async def transport(pipes: Pipes) -> AsyncIterator[Transport]:
    with anyio.fail_after(30):
        async with open_stdio(pipes.server_in, pipes.server_out) as opened:
            yield opened
            await end_input(opened, pipes)


async def end_input(opened: Transport, pipes: Pipes) -> None:
    """Close what the client writes to, and read to the end, so that no thread stays behind."""
    pipes.close(pipes.client_out)
    async for _ in opened.incoming:
        pass


def ping(number: int, **params: object) -> bytes:
    message = {"jsonrpc": "2.0", "id": number, "method": "ping", "params": params}
    return json.dumps(message).encode() + b"\n"


def pong(number: int, text: str = "") -> SessionMessage:
    return SessionMessage(JSONRPCResponse(jsonrpc="2.0", id=number, result={"text": text}))


async def arrived(opened: Transport) -> JSONRPCRequest:
    item = await opened.incoming.receive()
    assert isinstance(item, SessionMessage)
    assert isinstance(item.message, JSONRPCRequest)
    return item.message


async def reply(pipes: Pipes) -> dict[str, object]:
    """The next line to the client, read to its last byte."""
    line = await anyio.to_thread.run_sync(_read_line, pipes.client_in)
    read: dict[str, object] = json.loads(line)
    return read


def _read_line(descriptor: int) -> bytes:
    return b"".join(iter(lambda: os.read(descriptor, 1), b"\n"))


async def test_messages_pass_in_both_directions(pipes: Pipes) -> None:
    async with transport(pipes) as opened:
        pipes.send(ping(1, text="人"), b"\n \r\n", ping(2))
        assert [(await arrived(opened)).id, (await arrived(opened)).id] == [1, 2]
        assert not opened.first_reply.is_set()
        await opened.outgoing.send(pong(1, "人"))
        await opened.outgoing.send(pong(2))
        assert await reply(pipes) == {"jsonrpc": "2.0", "id": 1, "result": {"text": "人"}}
        assert (await reply(pipes))["id"] == 2
        await opened.first_reply.wait()
    pipes.close(pipes.server_in, pipes.server_out, pipes.client_in)


async def test_a_broken_line_is_answered_and_the_next_one_served(pipes: Pipes) -> None:
    async with transport(pipes) as opened:
        pipes.send(b"garbage\n", b'{"jsonrpc":"2.0","id":5,"method":\n', ping(6))
        assert (await arrived(opened)).id == 6
        assert (await reply(pipes))["id"] == 5
        await opened.outgoing.send(pong(6))
    pipes.close(pipes.server_in, pipes.server_out, pipes.client_in)


async def test_the_end_of_input_waits_for_open_requests(pipes: Pipes) -> None:
    with anyio.fail_after(30):
        async with open_stdio(pipes.server_in, pipes.server_out) as opened:
            pipes.send(ping(1)[:-1])
            pipes.close(pipes.client_out)
            assert (await arrived(opened)).id == 1
            with pytest.raises(anyio.WouldBlock):
                opened.incoming.receive_nowait()
            await opened.outgoing.send(pong(1))
            with pytest.raises(anyio.EndOfStream):
                await opened.incoming.receive()
    pipes.close(pipes.server_in, pipes.server_out, pipes.client_in)


async def test_cancelled_requests_are_not_waited_for(pipes: Pipes) -> None:
    cancel = {"jsonrpc": "2.0", "method": "notifications/cancelled", "params": {"requestId": 1}}
    async with transport(pipes) as opened:
        pipes.send(ping(1), json.dumps(cancel).encode() + b"\n")
        await arrived(opened)
        await opened.incoming.receive()
    pipes.close(pipes.server_in, pipes.server_out, pipes.client_in)


async def test_a_client_that_does_not_read_holds_up_nothing_but_itself(pipes: Pipes) -> None:
    async with transport(pipes) as opened:
        await opened.outgoing.send(pong(1, "x" * 200_000))
        pipes.send(ping(2))
        assert (await arrived(opened)).id == 2
        assert (await reply(pipes))["id"] == 1
        await opened.outgoing.send(pong(2))
    pipes.close(pipes.server_in, pipes.server_out, pipes.client_in)


async def test_a_client_that_never_reads_does_not_hold_the_exit(pipes: Pipes) -> None:
    async with transport(pipes) as opened:
        await opened.outgoing.send(pong(1, "x" * 200_000))
    pipes.close(pipes.client_in, pipes.server_in, pipes.server_out)


async def test_a_client_that_reads_no_more_ends_the_session(pipes: Pipes) -> None:
    with anyio.fail_after(30):
        async with open_stdio(pipes.server_in, pipes.server_out) as opened:
            pipes.close(pipes.client_in)
            await opened.outgoing.send(pong(1))
            with pytest.raises(anyio.EndOfStream):
                await opened.incoming.receive()
    pipes.close(pipes.client_out, pipes.server_in, pipes.server_out)


async def test_more_messages_than_any_queue_holds_arrive_in_order(pipes: Pipes) -> None:
    async with transport(pipes) as opened:
        async with anyio.create_task_group() as tasks:
            data = b"".join(ping(number) for number in range(1_000))
            tasks.start_soon(anyio.to_thread.run_sync, pipes.send, data)
            assert [(await arrived(opened)).id for _ in range(1_000)] == list(range(1_000))
        for number in range(1_000):
            await opened.outgoing.send(pong(number))
        assert [(await reply(pipes))["id"] for _ in range(1_000)] == list(range(1_000))
    pipes.close(pipes.server_in, pipes.server_out, pipes.client_in)


async def test_lines_are_split_wherever_the_chunks_end(pipes: Pipes) -> None:
    pipes.send(b"one\n\ntw", b"o\n", b"three")
    pipes.close(pipes.client_out)
    assert [line async for line in read_lines(pipes.server_in)] == [b"one", b"", b"two", b"three"]
    assert [line async for line in read_lines(pipes.server_in)] == [b""]
    pipes.close(pipes.server_in, pipes.server_out, pipes.client_in)


async def test_a_plain_file_can_be_the_input(tmp_path: Path) -> None:
    (tmp_path / "input").write_bytes(b"one\n" * 50_000 + b"two")
    descriptor = os.open(tmp_path / "input", os.O_RDONLY)
    lines = [line async for line in read_lines(descriptor)]
    os.close(descriptor)
    assert (len(lines), lines[0], lines[-1]) == (50_001, b"one", b"two")
