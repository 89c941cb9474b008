"""Rows read from the leaves of a damaged SQLite file, without its trees.

A query reaches a row through the pages above it, so one damaged page hides all below it. Here each
page that is the leaf of a table is decoded by itself (https://sqlite.org/fileformat2.html).
"""

import re
import struct
from collections.abc import Iterator
from pathlib import Path

Value = int | float | str | bytes | None
Row = tuple[int, tuple[Value, ...]]

DEFAULT_PAGE_SIZE = 4096
GAP = " […] "
"""Stands in a text for what was in a page that is cut off, and reads as zeros."""
LOST = re.compile("\0+")
LEAF_OF_TABLE = 0x0D
HEADER = 100
WAL_HEADER, FRAME_HEADER = 32, 24
INTEGER_WIDTHS = {1: 1, 2: 2, 3: 3, 4: 4, 5: 6, 6: 8}


class Unreadable(Exception):
    """These bytes are no row."""


def leaf_rows(file: Path) -> Iterator[Row]:
    """Row id and values of every row in every leaf, those in `file`-wal included.

    Damaged rows are left out; damaged characters are U+FFFD. Pages on the list of free ones are
    left out too, but for that, rows that were deleted may show. No other process may write.
    """
    pages = _Pages(file)
    free = set(pages.free())
    for number in range(1, pages.count + 1):
        if number not in free:
            yield from _rows_on(pages, number)


class _Pages:
    """The newest version of each page, from the file or its log."""

    def __init__(self, file: Path) -> None:
        self._data = file.read_bytes()
        self.size = _page_size(self._data)
        self._newer = _frames(file.with_name(f"{file.name}-wal"), self.size)
        self.count = max([-(-len(self._data) // self.size), *self._newer])

    def __getitem__(self, number: int) -> bytes:
        """A page by its number from 1; a short one is filled up with zeros."""
        if number in self._newer:
            return self._newer[number]
        return self._data[(number - 1) * self.size : number * self.size].ljust(self.size, b"\0")

    def free(self) -> Iterator[int]:
        """Numbers of pages that are in use for nothing, as far as their list can be read."""
        (trunk,) = struct.unpack(">I", self[1][32:36])
        seen: set[int] = set()
        while 0 < trunk <= self.count and trunk not in seen:
            seen.add(trunk)
            yield trunk
            following, leaves = struct.unpack(">II", self[trunk][:8])
            if leaves > self.size // 4 - 2:
                return
            yield from struct.unpack(f">{leaves}I", self[trunk][8 : 8 + 4 * leaves])
            trunk = following


def _page_size(data: bytes) -> int:
    (size,) = struct.unpack(">H", data[16:18].ljust(2, b"\0"))
    size = 65536 if size == 1 else size
    return size if size >= 512 and size & (size - 1) == 0 else DEFAULT_PAGE_SIZE


def _frames(wal: Path, size: int) -> dict[int, bytes]:
    """Pages in the log up to its last commit."""
    data = wal.read_bytes() if wal.exists() else b""
    salt = data[16:24]
    committed: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    for start in range(WAL_HEADER, len(data) - size - FRAME_HEADER + 1, size + FRAME_HEADER):
        number, commits = struct.unpack(">II", data[start : start + 8])
        if data[start + 8 : start + 16] != salt or number == 0:
            break
        pending[number] = data[start + FRAME_HEADER : start + FRAME_HEADER + size]
        if commits:
            committed |= pending
            pending = {}
    return committed


def _rows_on(pages: _Pages, number: int) -> Iterator[Row]:
    page = pages[number]
    top = HEADER if number == 1 else 0
    if page[top] != LEAF_OF_TABLE:
        return
    (cells,) = struct.unpack(">H", page[top + 3 : top + 5])
    for cell in range(min(cells, (pages.size - top - 8) // 2)):
        (at,) = struct.unpack_from(">H", page, top + 8 + 2 * cell)
        try:
            yield _row(pages, page, at)
        except (Unreadable, IndexError, struct.error):
            continue


def _row(pages: _Pages, page: bytes, at: int) -> Row:
    length, at = _varint(page, at)
    key, at = _varint(page, at)
    if length > pages.count * pages.size:
        raise Unreadable
    record = _payload(pages, page, at, length)
    return key - (1 << 64) if key >> 63 else key, _values(record)


def _payload(pages: _Pages, page: bytes, at: int, length: int) -> bytes:
    """The bytes of a record: on the page, and in a chain of further pages if it is long."""
    most, least = pages.size - 35, (pages.size - 12) * 32 // 255 - 23
    if length <= most:
        own = length
    else:
        own = least + (length - least) % (pages.size - 4)
        own = own if own <= most else least
    if at + own > pages.size:
        raise Unreadable
    parts, missing = [page[at : at + own]], length - own
    if missing:
        (following,) = struct.unpack_from(">I", page, at + own)
    while missing > 0:
        if not 0 < following <= pages.count:
            raise Unreadable
        more = pages[following]
        (following,) = struct.unpack(">I", more[:4])
        parts.append(more[4 : 4 + missing])
        missing -= len(parts[-1])
    return b"".join(parts)


def _values(record: bytes) -> tuple[Value, ...]:
    header, at = _varint(record, 0)
    body = header
    found: list[Value] = []
    while at < header:
        kind, at = _varint(record, at)
        value, width = _value(record, body, kind)
        found.append(value)
        body += width
    if at != header or body != len(record):
        raise Unreadable
    return tuple(found)


def _value(record: bytes, at: int, kind: int) -> tuple[Value, int]:
    """A value by its serial type, and how many bytes it takes."""
    if kind == 0:
        return None, 0
    if width := INTEGER_WIDTHS.get(kind):
        return int.from_bytes(record[at : at + width], "big", signed=True), width
    if kind == 7:
        return struct.unpack_from(">d", record, at)[0], 8
    if kind in (8, 9):
        return kind - 8, 0
    if kind < 12:
        raise Unreadable
    width = (kind - 12) // 2
    data = record[at : at + width]
    return (LOST.sub(GAP, data.decode(errors="replace")) if kind % 2 else data), width


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """A number of one to nine bytes, and where it ends."""
    number = 0
    for position in range(at, at + 8):
        number = number << 7 | data[position] & 0x7F
        if data[position] < 0x80:
            return number, position + 1
    return number << 8 | data[at + 8], at + 9
