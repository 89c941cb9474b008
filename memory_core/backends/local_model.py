"""How a model in this process is run: off the event loop, one text batch at a time, in chunks."""

from collections.abc import Callable, Sequence

import anyio
import anyio.to_thread
import numpy as np

from memory_core.backends.embedder import Vectors

CHUNK = 8
"""Texts that are encoded in one go; a query waits for one chunk at most."""


class ModelThread:
    """Lets one thread at a time into a model. Owns the place in that queue, nothing else.

    A caller that is cancelled goes at once; what its thread still computes is thrown away. So two
    threads can meet in a model for the length of a chunk.
    """

    def __init__(self) -> None:
        self._turn = anyio.CapacityLimiter(1)

    async def run(self, work: Callable[[], None]) -> None:
        """Do the work in a thread when it is its turn."""
        await anyio.to_thread.run_sync(work, abandon_on_cancel=True, limiter=self._turn)

    async def encode(
        self, encode: Callable[[Sequence[str]], Vectors], texts: Sequence[str], dimension: int
    ) -> Vectors:
        """Encode texts in chunks, others taking their turn in between: shape (n, dimension)."""
        chunks = [
            await anyio.to_thread.run_sync(
                encode, texts[start : start + CHUNK], abandon_on_cancel=True, limiter=self._turn
            )
            for start in range(0, len(texts), CHUNK)
        ]
        return np.vstack(chunks) if chunks else np.empty((0, dimension), np.float32)
