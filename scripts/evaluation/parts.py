"""Parts to open a memory with: embedders that are timed or stay loaded, an index of others."""

import time
from collections.abc import Sequence
from functools import cache

from memory_core.backends.embed_bundled import BundledEmbedder
from memory_core.backends.embedder import Vectors
from memory_core.backends.vector_index import VectorHit, VectorRow
from memory_core.errors import IndexUnavailable
from memory_core.records import Kind


class TimedEmbedder(BundledEmbedder):
    """Knows how many ms the last query took."""

    took: float = 0.0

    async def embed_query(self, text: str) -> Vectors:
        begun = time.perf_counter()
        vector = await super().embed_query(text)
        self.took = 1000 * (time.perf_counter() - begun)
        return vector


class LastingEmbedder(BundledEmbedder):
    """Stays loaded when a memory closes, for the next one."""

    async def close(self) -> None:
        """It goes with the process."""


@cache
def lasting_embedder() -> LastingEmbedder:
    """The one of this process."""
    return LastingEmbedder()


class OthersIndex:
    """The index as a process sees it that does not own it: vectors are compared one by one."""

    position = 0
    tail = ""
    state = "not owned"

    async def open(self, model: str, dimension: int) -> None:
        raise IndexUnavailable("Another process owns it.")

    async def upsert(self, rows: Sequence[VectorRow]) -> None:
        raise IndexUnavailable("It is not open.")

    async def search(self, kind: Kind, query: Vectors, limit: int) -> list[VectorHit]:
        raise IndexUnavailable("It is not open.")

    async def discard(self) -> None:
        raise IndexUnavailable("It is not open.")

    async def close(self) -> None:
        """Nothing was opened."""
