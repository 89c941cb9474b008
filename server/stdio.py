"""The transport: JSON-RPC lines over two file descriptors.

Ours and not the SDK's, since a signal has to end it: reading waits in the event loop, so nothing
holds the end for a client that neither writes nor closes.
"""

import logging
import os
import select
import sys
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager

import anyio
from anyio.streams.memory import MemoryObjectReceiveStream, MemoryObjectSendStream
from mcp.shared.message import SessionMessage
from mcp_types import (
    JSONRPCError,
    JSONRPCMessage,
    JSONRPCNotification,
    JSONRPCRequest,
    JSONRPCResponse,
    RequestId,
)

from server.framing import BadLine, decode, encode

CHUNK_BYTES = 1 << 16
QUEUED_MESSAGES = 64
ANSWER_WITHIN_SECONDS = 1.5
"""How long requests that were open at the end of input may still be answered."""
FLUSH_WITHIN_SECONDS = 0.5

_logger = logging.getLogger(__name__)


class Transport:
    """The two streams a server runs on. Made by `open_stdio`.

    incoming: messages of the client; it ends when the client is gone.
    outgoing: messages to the client.
    first_reply: set once a message has been written.
    """

    def __init__(self, wire_in: int, wire_out: int) -> None:
        self.first_reply = anyio.Event()
        self._wire_in = wire_in
        self._wire_out = wire_out
        self._unanswered: set[RequestId] = set()
        self._answered = anyio.Event()
        self._arrived: MemoryObjectSendStream[SessionMessage | Exception]
        self.incoming: MemoryObjectReceiveStream[SessionMessage | Exception]
        self._arrived, self.incoming = anyio.create_memory_object_stream[
            SessionMessage | Exception
        ](QUEUED_MESSAGES)
        self.outgoing: MemoryObjectSendStream[SessionMessage]
        self._to_write: MemoryObjectReceiveStream[SessionMessage]
        self.outgoing, self._to_write = anyio.create_memory_object_stream[SessionMessage](
            QUEUED_MESSAGES
        )
        self._refusals = self.outgoing.clone()

    async def read(self) -> None:
        """Take messages in until the end of input."""
        try:
            async for line in read_lines(self._wire_in):
                if line and not line.isspace():
                    # One at a time, so that a client that floods does not fill the memory.
                    await self._take(line)
            await self._finish()
        except (anyio.ClosedResourceError, anyio.BrokenResourceError):
            _logger.debug("The server stopped reading before the end of input.")

    async def _take(self, line: bytes) -> None:
        try:
            message = decode(line)
        except BadLine as bad:
            _logger.warning("Refused a line of %d bytes: %s.", len(line), bad)
            if bad.refusal is not None:
                await self._refusals.send(SessionMessage(bad.refusal))
            return
        self._note_arrival(message)
        await self._arrived.send(SessionMessage(message))

    def _note_arrival(self, message: JSONRPCMessage) -> None:
        if isinstance(message, JSONRPCRequest):
            self._unanswered.add(message.id)
        elif (
            isinstance(message, JSONRPCNotification) and message.method == "notifications/cancelled"
        ):
            self._unanswered.discard((message.params or {}).get("requestId", ""))

    async def _finish(self) -> None:
        """End the input, after the answers to what came before its end (`... | memstrata`)."""
        with anyio.move_on_after(ANSWER_WITHIN_SECONDS):
            while self._unanswered:
                self._answered = anyio.Event()
                await self._answered.wait()
        self._arrived.close()

    async def write(self) -> None:
        """Write messages until both sides of the server are done with them."""
        async with self._to_write:
            async for message in self._to_write:
                messages = [message.message, *self._queued()]
                try:
                    await write_all(self._wire_out, b"".join(map(encode, messages)))
                except OSError as error:
                    _logger.info("The client reads no more: %s.", error.strerror)
                    self._arrived.close()
                    return
                self._note_replies(messages)

    def _queued(self) -> Iterator[JSONRPCMessage]:
        while self._to_write.statistics().current_buffer_used:
            yield self._to_write.receive_nowait().message

    def _note_replies(self, messages: Iterable[JSONRPCMessage]) -> None:
        for message in messages:
            if isinstance(message, JSONRPCResponse | JSONRPCError) and message.id is not None:
                self._unanswered.discard(message.id)
        self._answered.set()
        self.first_reply.set()

    def close(self) -> None:
        """Let go of every stream; what is queued for the client is still written."""
        self._unanswered.clear()
        self._answered.set()
        for stream in (self._arrived, self.incoming, self.outgoing, self._refusals):
            stream.close()


@asynccontextmanager
async def open_stdio(wire_in: int, wire_out: int) -> AsyncIterator[Transport]:
    """Carry messages between two descriptors and a server while the context lasts.

    Leaving it takes at most half a second, even when the client does not read.
    """
    transport = Transport(wire_in, wire_out)
    async with anyio.create_task_group() as tasks:
        tasks.start_soon(transport.write)
        reading = anyio.CancelScope()

        async def read() -> None:
            with reading:
                await transport.read()

        tasks.start_soon(read)
        try:
            yield transport
        finally:
            reading.cancel()
            transport.close()
            tasks.cancel_scope.deadline = anyio.current_time() + FLUSH_WITHIN_SECONDS


async def read_lines(descriptor: int) -> AsyncIterator[bytes]:
    """Yield each line without its end, in time linear in what is read."""
    pieces: list[bytes] = []
    while chunk := await _read_chunk(descriptor):
        first, *others = chunk.split(b"\n")
        pieces.append(first)
        for piece in others:
            yield b"".join(pieces)
            pieces = [piece]
    yield b"".join(pieces)


async def _read_chunk(descriptor: int) -> bytes:
    """What is there next; nothing at the end of input."""
    try:
        if await _wait_readable(descriptor):
            return os.read(descriptor, CHUNK_BYTES)
        return await anyio.to_thread.run_sync(
            os.read, descriptor, CHUNK_BYTES, abandon_on_cancel=True
        )
    except OSError as error:
        # A terminal that was closed, a pipe that broke: the client is gone.
        _logger.info("The input ended: %s.", error.strerror)
        return b""


async def _wait_readable(descriptor: int) -> bool:
    """Wait in the event loop, which saves a thread; false where it cannot: a file, Windows."""
    if sys.platform == "win32":
        return False
    try:
        await anyio.wait_readable(descriptor)
    except PermissionError:
        return False
    return True


async def write_all(descriptor: int, data: bytes) -> None:
    """Write without ever holding up the event loop.

    Raises:
        OSError: nobody reads the other end.
    """
    if _takes_at_once(descriptor, len(data)):
        data = data[os.write(descriptor, data) :]
    if data:
        await anyio.to_thread.run_sync(_write_blocking, descriptor, data, abandon_on_cancel=True)


def _takes_at_once(descriptor: int, size: int) -> bool:
    """Whether a write of so many bytes returns at once; saves the trip to a thread."""
    if sys.platform == "win32" or size > select.PIPE_BUF:
        return False
    poll = select.poll()
    poll.register(descriptor, select.POLLOUT)
    return bool(poll.poll(0))


def _write_blocking(descriptor: int, data: bytes) -> None:
    view = memoryview(data)
    while view:
        view = view[os.write(descriptor, view) :]
