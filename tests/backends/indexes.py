"""What the tests of the vector indexes share: an index that is closed again, and rows for it."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import TypeVar

import numpy as np

from memory_core.backends.embedder import Vectors
from memory_core.backends.vector_index import MOST_ROWS, VectorIndex, VectorRow
from memory_core.records import Kind

MODEL = "modèle 模型 🙂 \udc80"
DIMENSION = 16


class Clock:
    """A monotonic clock that stands still until it is moved."""

    def __init__(self) -> None:
        self.now = 0.0

    def __call__(self) -> float:
        return self.now


IndexT = TypeVar("IndexT", bound=VectorIndex)


@asynccontextmanager
async def opened(
    index: IndexT, model: str = MODEL, dimension: int = DIMENSION
) -> AsyncIterator[IndexT]:
    await index.open(model, dimension)
    try:
        yield index
    finally:
        await index.close()


def vectors(count: int, seed: int = 0) -> Vectors:
    made = np.random.default_rng(seed).normal(size=(count, DIMENSION)).astype(np.float32)
    return np.asarray(made / np.linalg.norm(made, axis=1, keepdims=True), dtype=np.float32)


def row(
    change: int, item: int, vector: Vectors | None, *, piece: int = 0, kind: Kind = Kind.PAGE
) -> VectorRow:
    return VectorRow(
        change=change,
        item_key=item,
        name=f"name-{item}",
        piece=piece,
        kind=kind,
        scope_key=item * 10,
        vector=vector,
    )


async def fill(index: VectorIndex, some: Vectors, start: int = 0) -> None:
    """Vector i becomes page i + 1 by change i + 1."""
    rows = [row(i + 1, i + 1, vector) for i, vector in enumerate(some)][start:]
    for first in range(0, len(rows), MOST_ROWS):
        await index.upsert(rows[first : first + MOST_ROWS])


async def found(index: VectorIndex, query: Vectors, kind: Kind = Kind.PAGE) -> list[int]:
    return [hit.item_key for hit in await index.search(kind, query, 10)]
