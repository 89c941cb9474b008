"""Opens index directories one after the other, fills the empty ones, and tells what it found.

A process of its own, since damage that is believed can end in a segmentation fault:
`python -m tests.backends.judge_index DIRECTORY...` prints a line of JSON for each.
"""

import json
import os
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from memory_core.backends.chroma_files import DATA, SpoiledIndex
from memory_core.backends.chroma_owner import Ownership
from memory_core.backends.chroma_store import ChromaStore
from memory_core.backends.vector_index import MOST_ROWS, VectorRow
from memory_core.records import Kind
from tests.backends.indexes import DIMENSION, MODEL, row, vectors

COUNT = 1100  # Chroma writes the files of its graph at every thousandth row
MODEL_AND_DIMENSION = {"other-model": ("another", DIMENSION), "other-dimension": (MODEL, 8)}


class Meddled(list[VectorRow]):
    """Rows that let a file of the index grow to a terabyte while they are taken in."""

    def __init__(self, rows: list[VectorRow], data: Path) -> None:
        super().__init__(rows)
        self._data = data

    def __iter__(self) -> Iterator[VectorRow]:
        os.truncate(next(self._data.rglob("link_lists.bin")), 1 << 40)
        return super().__iter__()


def judge(directory: Path) -> dict[str, Any]:
    """What an owner finds in a directory, and after filling it if it is empty."""
    model, dimension = MODEL_AND_DIMENSION.get(directory.name, (MODEL, DIMENSION))
    ownership = Ownership.take(directory, os.getpid())
    started = time.perf_counter()
    store = ChromaStore(directory, model, dimension, ownership)
    seconds = time.perf_counter() - started
    found = {"position": store.position, "tail": store.tail, "seconds": seconds}
    found["before"] = neighbours(store, dimension)
    if not store.position:
        fill(store, dimension)
    found["after"] = neighbours(store, dimension)
    if directory.name == "grows":
        found["error"] = growth(store, directory / DATA)
    else:
        store.close()
    ownership.release()
    return found


def growth(store: ChromaStore, data: Path) -> str:
    try:
        store.upsert(Meddled([row(COUNT + 1, 1, vectors(1)[0])], data))
    except SpoiledIndex as error:
        return str(error)
    return ""


def fill(store: ChromaStore, dimension: int) -> None:
    rows = [row(i + 1, i + 1, vector[:dimension]) for i, vector in enumerate(vectors(COUNT))]
    for first in range(0, COUNT, MOST_ROWS):
        store.upsert(rows[first : first + MOST_ROWS])


def neighbours(store: ChromaStore, dimension: int) -> list[list[int]]:
    queries = vectors(40, seed=1)[:, :dimension]
    return [[hit.item_key for hit in store.search(Kind.PAGE, query, 10)] for query in queries]


if __name__ == "__main__":
    for name in sys.argv[1:]:
        sys.stdout.write(json.dumps(judge(Path(name))) + "\n")
        sys.stdout.flush()
