"""The vector index on Chroma, which runs in a process of its own.

A segmentation fault in Chroma costs that process and not the memory, its writes do not hold this
process's interpreter lock, and only one process at a time may have the store open.
"""

import asyncio
import os
import time
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np

from memory_core.backends.breaker import Breaker
from memory_core.backends.chroma_process import ChromaProcess, NotOwned
from memory_core.backends.embedder import Vectors
from memory_core.backends.frames import Frame
from memory_core.backends.vector_index import VectorHit, VectorRow, check_rows, check_vector
from memory_core.errors import IndexUnavailable
from memory_core.records import Kind

_OPEN_SECONDS = 120.0  # Chroma imports hundreds of files, which a busy machine reads slowly
_ENDED = "The process of the vector index ended."
_LEAVE_SECONDS = 1.5  # clients give a server two seconds to end


class ChromaIndex:
    """A `VectorIndex` in `directory`, which it may empty; a lock and a log are kept beside it.

    It needs asyncio. All methods may be cancelled and called at the same time.
    After a failure it is not opened again for 10 s, doubling to ten minutes.
    answer_seconds: how long the process may take for one request before it is killed.
    clock: seconds, monotonic.
    """

    def __init__(
        self,
        directory: Path,
        *,
        answer_seconds: float = 30.0,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._breaker = Breaker(clock)
        self._failure = ""
        self._directory = directory.absolute()
        self._answer_seconds = answer_seconds
        self._process: ChromaProcess | None = None
        self._leaving: ChromaProcess | None = None
        self._dimension = 0
        self._state = "closed"

    @property
    def position(self) -> int:
        process = self._process or self._leaving
        return process.position if process else 0

    @property
    def tail(self) -> str:
        process = self._process or self._leaving
        return process.tail if process else ""

    @property
    def state(self) -> str:
        if self._state == "open" and self._process and self._process.died:
            return f"failed: {_ENDED}"
        return self._state

    @property
    def pid(self) -> int | None:
        """The process that holds Chroma, or None."""
        return self._process.pid if self._process else None

    async def open(self, model: str, dimension: int) -> None:
        """As in the contract. An index that is open is closed before; 1-4 s, mostly imports."""
        if self._process and self._process.died:
            self._note_failure(self._process, _ENDED)
        await self.close()
        self._require_rested()
        if self._leaving:
            await _wait(self._leaving, _OPEN_SECONDS)
        if self._process:
            raise IndexUnavailable("The vector index is being opened already.")
        process = self._process = ChromaProcess(self._directory)
        self._state, self._dimension = "opening", dimension
        try:
            await self._ask(
                {"do": "open", "model": model, "dimension": dimension, "parent": os.getpid()},
                _OPEN_SECONDS,
            )
        except asyncio.CancelledError:
            self._drop(process, "closed")
            raise
        if self._process is not process:
            raise IndexUnavailable("The vector index was closed while it was opening.")
        self._state = "open"

    async def upsert(self, rows: Sequence[VectorRow]) -> None:
        self._require_open()
        check_rows(rows, self._dimension)
        if rows:
            described = [
                (r.change, r.item_key, r.name, r.piece, r.kind, r.scope_key, r.vector is not None)
                for r in rows
            ]
            body = b"".join(_raw(row.vector) for row in rows if row.vector is not None)
            await self._ask({"do": "upsert", "rows": described}, self._answer_seconds, body)

    async def search(self, kind: Kind, query: Vectors, limit: int) -> list[VectorHit]:
        self._require_open()
        check_vector(query, self._dimension)
        if limit < 1:
            return []
        header = {"do": "search", "kind": kind, "limit": limit}
        reply = await self._ask(header, self._answer_seconds, _raw(query))
        self._breaker.worked()  # only what is complete is searched, so it has stood its filling
        return [
            VectorHit(item_key=item, scope_key=scope, cosine=cosine)
            for item, scope, cosine in reply.header["hits"]
        ]

    async def discard(self) -> None:
        self._require_open()
        await self._ask({"do": "discard"}, self._answer_seconds)

    async def close(self) -> None:
        """As in the contract. After 1.5 s it returns, and the child goes on closing by itself."""
        self._state = "closed"
        if self._process:
            self._drop(self._process, "closed")
        if self._leaving:
            await _wait(self._leaving, _LEAVE_SECONDS)

    async def _ask(self, header: dict[str, object], seconds: float, body: bytes = b"") -> Frame:
        process = self._process
        assert process
        try:
            return await asyncio.wrap_future(process.ask(header, body, seconds))
        except NotOwned:
            self._drop(process, "not owned")
            raise
        except IndexUnavailable as error:
            self._note_failure(process, str(error))
            raise

    def _note_failure(self, process: ChromaProcess, cause: str) -> None:
        """Several who waited for one process may tell of its end; it failed once."""
        if self._process is process:
            self._failure = cause
            self._breaker.failed()
            self._drop(process, f"failed: {cause}")

    def _require_rested(self) -> None:
        if rest := self._breaker.rest:
            self._state = f"failed: {self._failure}"
            times = self._breaker.failures
            raise IndexUnavailable(
                f"The vector index failed {times} times in a row; next try in {rest:.0f} s."
            )

    def _require_open(self) -> None:
        if self.state != "open":
            raise IndexUnavailable(f"The vector index is not open ({self.state}).")

    def _drop(self, process: ChromaProcess, state: str) -> None:
        """Let the process go; several who waited for it may say so."""
        if self._process is process:
            process.leave()
            self._process, self._leaving = None, process
            self._state = state


async def _wait(process: ChromaProcess, seconds: float) -> None:
    """Wait until the process is gone, in vain after `seconds`."""
    waiter = asyncio.wrap_future(process.left)
    try:
        await asyncio.wait([waiter], timeout=seconds)
    finally:
        waiter.cancel()


def _raw(vector: Vectors) -> bytes:
    return np.ascontiguousarray(vector, dtype=np.float32).tobytes()
