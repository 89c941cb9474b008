"""Vectors in memory, compared with a query one by one: exact, and fast up to some 100,000."""

from collections import OrderedDict
from collections.abc import Sequence

import numpy as np

from memory_core.backends.embedder import Vectors
from memory_core.records import Kind

CACHE_BYTES = 256 * 1024 * 1024
MOST_RUNS = 8


class Block:
    """Vectors of one scope and kind in memory, in runs as they were read."""

    def __init__(
        self,
        change: int = 0,
        items: tuple[tuple[int, ...], ...] = (),
        runs: tuple[Vectors, ...] = (),
    ) -> None:
        self.change = change
        self._items = items
        self._runs = runs

    @property
    def nbytes(self) -> int:
        return sum(run.nbytes for run in self._runs)

    def grown(self, change: int, items: Sequence[int], rows: Vectors) -> "Block":
        """This block with newer rows; a row that is there again replaces the older one."""
        if not len(items):
            return self
        fresh = set(items)
        runs = [*zip(self._items, self._runs, strict=True)]
        if any(fresh.intersection(old) for old, _ in runs):
            runs = [without(old, run, fresh) for old, run in runs]
        runs.append((tuple(items), rows))
        if len(runs) > MOST_RUNS:
            # Few long runs are faster to scan than many short ones.
            runs = [
                (
                    tuple(item for old, _ in runs for item in old),
                    np.concatenate([run for _, run in runs]),
                )
            ]
        return Block(change, tuple(old for old, _ in runs), tuple(run for _, run in runs))

    def nearest(self, query: Vectors, limit: int) -> list[tuple[int, float]]:
        """The nearest `limit` pieces of each run, in no order, each with its cosine."""
        found: list[tuple[int, float]] = []
        for items, run in zip(self._items, self._runs, strict=True):
            cosines = run @ query
            best = (
                np.argpartition(-cosines, limit)[:limit]
                if len(items) > limit
                else range(len(items))
            )
            found += [(items[index], float(cosines[index])) for index in best]
        return found


class ScanCache:
    """Blocks in memory, the least recently used let go beyond a bound."""

    def __init__(self, limit: int = CACHE_BYTES) -> None:
        self._limit = limit
        self._blocks: OrderedDict[tuple[str, int, Kind], Block] = OrderedDict()

    def get(self, model: str, scope: int, kind: Kind) -> Block:
        key = (model, scope, kind)
        if key not in self._blocks:
            return Block()
        self._blocks.move_to_end(key)
        return self._blocks[key]

    def put(self, model: str, scope: int, kind: Kind, block: Block) -> None:
        key = (model, scope, kind)
        self._blocks[key] = block
        self._blocks.move_to_end(key)
        while len(self._blocks) > 1 and sum(b.nbytes for b in self._blocks.values()) > self._limit:
            self._blocks.popitem(last=False)


def without(
    items: tuple[int, ...], rows: Vectors, gone: set[int]
) -> tuple[tuple[int, ...], Vectors]:
    """A run without some of its items."""
    kept = [index for index, item in enumerate(items) if item not in gone]
    return tuple(items[index] for index in kept), rows[kept]
