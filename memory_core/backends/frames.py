"""Frames on a pipe: a JSON header and raw bytes behind it, each announced by its length.

Reads and writes go straight to file descriptors: there is no buffer that could hold one side's
bytes back, or that a dying interpreter would flush.
"""

import json
import os
import struct
from dataclasses import dataclass
from typing import Any

NOT_OWNED = "not owned"
"""The error of a reply to "open": another process has the index. Others are for a person."""

_LENGTHS = struct.Struct(">II")
_MOST_BYTES = 1 << 28


@dataclass(frozen=True, slots=True)
class Frame:
    """One message. header: what JSON can hold; body: float32 values in native order, or nothing."""

    header: dict[str, Any]
    body: bytes = b""


def write_frame(fd: int, frame: Frame) -> None:
    """Write all of a frame.

    Raises:
        OSError: the other side is gone.
    """
    header = json.dumps(frame.header).encode()
    rest = memoryview(_LENGTHS.pack(len(header), len(frame.body)) + header + frame.body)
    while rest:
        rest = rest[os.write(fd, rest) :]


def read_frame(fd: int) -> Frame:
    """Wait for a frame.

    Raises:
        EOFError: the other side is gone, or what it sends are no frames.
    """
    header_size, body_size = _LENGTHS.unpack(_read(fd, _LENGTHS.size))
    if max(header_size, body_size) > _MOST_BYTES:
        raise EOFError("the pipe carries something else than frames")
    try:
        header = json.loads(_read(fd, header_size))
    except ValueError as error:
        raise EOFError("the pipe carries something else than frames") from error
    if not isinstance(header, dict):
        raise EOFError("the pipe carries something else than frames")
    return Frame(header, _read(fd, body_size))


def _read(fd: int, size: int) -> bytes:
    parts = bytearray()
    while len(parts) < size:
        part = os.read(fd, min(size - len(parts), 1 << 20))
        if not part:
            raise EOFError("the pipe ended")
        parts += part
    return bytes(parts)
