"""Vectors in memory: however they came in, a search is that of all of them compared one by one."""

from collections.abc import Sequence

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.backends.embedder import Vectors
from memory_core.records import Kind
from memory_core.scan import MOST_RUNS, Block, ScanCache

DIMENSION = 4
# What one read brings: some items, each with its pieces.
reads = st.lists(
    st.dictionaries(st.integers(1, 9), st.integers(1, 3), max_size=5), max_size=3 * MOST_RUNS
)


def some_rows(random: np.random.Generator, count: int) -> Vectors:
    """Rows of small whole numbers: their products are exact in whatever order they are summed."""
    return random.integers(-9, 10, size=(count, DIMENSION)).astype(np.float32)


def best_first(pairs: Sequence[tuple[int, float]]) -> list[tuple[int, float]]:
    return sorted(pairs, key=lambda pair: -pair[1])


@settings(max_examples=100, deadline=None)
@given(reads=reads, seed=st.integers(0, 2**32 - 1), limit=st.integers(1, 40))
def test_a_block_finds_what_comparing_all_would(
    reads: list[dict[int, int]], seed: int, limit: int
) -> None:
    random = np.random.default_rng(seed)
    block, everything = Block(), dict[int, Vectors]()
    for change, read in enumerate(reads, 1):
        fresh = {item: some_rows(random, pieces) for item, pieces in read.items()}
        items = [item for item, pieces in fresh.items() for _ in pieces]
        rows = np.concatenate([*fresh.values()]) if fresh else np.empty((0, 0), np.float32)
        block = block.grown(change, items, rows)
        everything |= fresh
    query = some_rows(random, 1)[0]
    expected = best_first(
        [(i, float(row @ query)) for i, rows in everything.items() for row in rows]
    )
    found = best_first(block.nearest(query, limit))
    assert [cosine for _, cosine in found[:limit]] == [cosine for _, cosine in expected[:limit]]
    assert set(found) <= set(expected)
    assert len(found) <= limit * MOST_RUNS
    assert block.nbytes == 4 * DIMENSION * len(expected)


def axis(number: int) -> Vectors:
    return np.eye(DIMENSION, dtype=np.float32)[[number]]


def test_a_row_that_comes_again_replaces_the_older_with_all_its_pieces() -> None:
    block = Block().grown(2, [1, 1], np.concatenate([axis(0), axis(1)])).grown(3, [2], axis(0))
    newer = block.grown(4, [1], axis(2))
    assert newer.change == 4
    assert sorted(newer.nearest(axis(0)[0], 9)) == [(1, 0.0), (2, 1.0)]
    # Whoever searches the older block meanwhile is not disturbed.
    assert sorted(block.nearest(axis(0)[0], 9)) == [(1, 0.0), (1, 1.0), (2, 1.0)]


def test_nothing_new_is_the_same_block_and_nothing_at_all_finds_nothing() -> None:
    block = Block().grown(7, [1], axis(0))
    assert block.grown(7, [], np.empty((0, 0), dtype=np.float32)) is block
    assert Block().nearest(axis(0)[0], 5) == []
    assert (Block().change, Block().nbytes) == (0, 0)


@pytest.mark.parametrize("rounds", [MOST_RUNS, MOST_RUNS + 1, 10 * MOST_RUNS])
def test_many_small_reads_stay_few_runs(rounds: int) -> None:
    block = Block()
    for change in range(1, rounds + 1):
        block = block.grown(change, [change], axis(0))
    # Of each run at most one piece comes back.
    assert len(block.nearest(axis(0)[0], 1)) <= MOST_RUNS
    assert len(block.nearest(axis(0)[0], rounds)) == rounds


def test_the_cache_keeps_what_was_used_last_within_its_bound() -> None:
    size = axis(0).nbytes
    cache = ScanCache(limit=2 * size)
    for scope in (1, 2):
        cache.put("m", scope, Kind.PAGE, Block().grown(scope, [scope], axis(0)))
    cache.get("m", 1, Kind.PAGE)
    cache.put("m", 3, Kind.PAGE, Block().grown(3, [3], axis(0)))
    assert [cache.get("m", scope, Kind.PAGE).change for scope in (1, 2, 3)] == [1, 0, 3]


def test_a_block_beyond_the_bound_is_kept_alone() -> None:
    cache = ScanCache(limit=1)
    cache.put("m", 1, Kind.PAGE, Block().grown(5, [1], axis(0)))
    assert cache.get("m", 1, Kind.PAGE).change == 5
    cache.put("m", 1, Kind.FACT, Block().grown(6, [1], axis(0)))
    assert (cache.get("m", 1, Kind.PAGE).change, cache.get("m", 1, Kind.FACT).change) == (0, 6)


def test_a_block_put_again_takes_the_place_of_its_older_self() -> None:
    cache = ScanCache(limit=axis(0).nbytes)
    for change in range(1, 4):
        cache.put("m", 1, Kind.PAGE, Block().grown(change, [1], axis(0)))
    assert cache.get("m", 1, Kind.PAGE).change == 3
