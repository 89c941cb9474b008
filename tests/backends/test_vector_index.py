"""The contract of a vector index, on Chroma and on the stand-in."""

from collections.abc import Callable
from pathlib import Path

import anyio
import numpy as np
import pytest

from memory_core.backends.chroma_index import ChromaIndex
from memory_core.backends.memory_index import MemoryIndex
from memory_core.backends.vector_index import MOST_ROWS, VectorIndex
from memory_core.errors import IndexUnavailable
from memory_core.records import Kind
from tests.backends.indexes import DIMENSION, fill, found, opened, row, vectors

MakeIndex = Callable[[], VectorIndex]


@pytest.fixture(params=["memory", "chroma"])
def make_index(request: pytest.FixtureRequest, tmp_path: Path) -> MakeIndex:
    """Each call gives an index on the same vectors, as after a restart where it outlives one."""
    if request.param == "chroma":
        return lambda: ChromaIndex(tmp_path / "index")
    index = MemoryIndex()
    return lambda: index


async def test_the_nearest_come_first_with_their_scope_and_cosine(make_index: MakeIndex) -> None:
    some, query = vectors(40), vectors(1, seed=1)[0]
    async with opened(make_index()) as index:
        assert (index.state, index.position) == ("open", 0)
        assert await index.search(Kind.PAGE, query, 5) == []
        await fill(index, some)
        hits = await index.search(Kind.PAGE, query, 5)
        assert index.position == 40
        for limit, expected in ((-1, 0), (0, 0), (1, 1), (40, 40), (10**12, 40)):
            assert len(await index.search(Kind.PAGE, query, limit)) == expected
    cosines = some @ query
    nearest = np.argsort(-cosines)[:5]
    assert [hit.item_key for hit in hits] == (nearest + 1).tolist()
    assert [hit.scope_key for hit in hits] == ((nearest + 1) * 10).tolist()
    assert [hit.cosine for hit in hits] == pytest.approx(cosines[nearest].tolist(), abs=1e-5)


async def test_a_newer_row_replaces_the_older_and_a_removal_removes(make_index: MakeIndex) -> None:
    old, new, other, unknown = vectors(4)
    async with opened(make_index()) as index:
        await index.upsert([row(1, 1, old), row(2, 2, other)])
        await index.upsert([row(3, 1, new)])
        (best, *_), everything = await index.search(Kind.PAGE, new, 1), await found(index, old)
        assert (best.item_key, sorted(everything)) == (1, [1, 2])
        await index.upsert([row(4, 3, unknown), row(5, 3, None), row(6, 1, None), row(7, 9, None)])
        assert await found(index, new) == [2]
        assert index.position == 7
        await index.upsert([row(2, 2, other)])
        await index.upsert([])
        assert index.position == 7


async def test_kinds_and_pieces_are_told_apart(make_index: MakeIndex) -> None:
    first, second, third, fourth = vectors(4)
    async with opened(make_index()) as index:
        await index.upsert(
            [
                row(1, 5, first),
                row(2, 5, second, piece=1),
                row(3, 5, third, kind=Kind.FACT),
                row(4, 6, fourth, kind=Kind.SEGMENT),
            ]
        )
        assert await found(index, first) == [5, 5]
        assert await found(index, first, Kind.FACT) == [5]
        assert await found(index, first, Kind.SEGMENT) == [6]
        await index.upsert([row(5, 5, None, piece=1)])
        assert await found(index, second) == [5]
        assert await found(index, third, Kind.FACT) == [5]


async def test_all_is_there_after_a_clean_close(make_index: MakeIndex) -> None:
    some = vectors(200)
    first = make_index()
    async with opened(first) as index:
        await fill(index, some)
    assert (first.state, first.position) == ("closed", 200)
    async with opened(make_index()) as index:
        assert index.position == 200
        assert [(await found(index, vector))[0] for vector in some] == list(range(1, 201))


async def test_an_index_of_another_model_or_dimension_is_discarded(make_index: MakeIndex) -> None:
    query = vectors(1)[0]
    async with opened(make_index()) as index:
        await fill(index, vectors(3))
    async with opened(make_index(), model="another") as index:
        assert (index.position, await found(index, query)) == (0, [])
        await fill(index, vectors(3))
    async with opened(make_index(), model="another", dimension=DIMENSION - 1) as index:
        assert (index.position, await found(index, query[1:])) == (0, [])


async def test_the_tail_names_the_row_at_the_position(make_index: MakeIndex) -> None:
    some = vectors(5)
    index = make_index()
    assert index.tail == ""
    async with opened(index):
        await fill(index, some[:3])
        assert (index.position, index.tail) == (3, "name-3")
        await index.upsert([row(2, 2, some[1])])
        assert (index.position, index.tail) == (3, "name-3")
        await index.upsert([row(4, 4, some[3]), row(9, 1, None)])
        assert (index.position, index.tail) == (9, "name-1")
    async with opened(make_index()) as again:
        assert (again.position, again.tail) == (9, "name-1")


async def test_a_discarded_index_begins_anew_and_stays_open(make_index: MakeIndex) -> None:
    some, other = vectors(200), vectors(200, seed=1)
    async with opened(make_index()) as index:
        await fill(index, some)
        await index.discard()
        assert (index.state, index.position, index.tail) == ("open", 0, "")
        assert await found(index, some[0]) == []
        await fill(index, other)
        assert [(await found(index, other[i]))[0] for i in (0, 100, 199)] == [1, 101, 200]
    async with opened(make_index()) as again:
        assert again.position == 200
        assert (await found(again, other[7]))[0] == 8
        await again.discard()
    async with opened(make_index()) as empty:
        assert (empty.position, empty.tail, await found(empty, other[0])) == (0, "", [])


async def test_only_an_open_index_is_used(make_index: MakeIndex) -> None:
    index = make_index()
    assert (index.state, index.position) == ("closed", 0)
    await index.close()
    with pytest.raises(IndexUnavailable):
        await index.search(Kind.PAGE, vectors(1)[0], 1)
    with pytest.raises(IndexUnavailable):
        await index.upsert([])
    with pytest.raises(IndexUnavailable):
        await index.discard()


async def test_a_wrong_call_is_refused_and_harms_nothing(make_index: MakeIndex) -> None:
    some = vectors(3)
    async with opened(make_index()) as index:
        await fill(index, some)
        for wrong in (some[0, 1:], some, np.full(DIMENSION, np.nan, np.float32)):
            with pytest.raises(ValueError, match="vector"):
                await index.upsert([row(4, 4, wrong)])
            with pytest.raises(ValueError, match="vector"):
                await index.search(Kind.PAGE, wrong, 1)
        with pytest.raises(ValueError, match="64 rows"):
            await index.upsert([row(4 + i, 4, None) for i in range(MOST_ROWS + 1)])
        assert (await found(index, some[0]))[0] == 1
        assert index.position == 3


async def test_many_search_while_rows_come_in(make_index: MakeIndex) -> None:
    some = vectors(400)
    right: list[int] = []

    async def look_up(index: VectorIndex, item: int) -> None:
        if (await found(index, some[item - 1]))[0] == item:
            right.append(item)

    async with opened(make_index()) as index:
        await fill(index, some[:200])
        async with anyio.create_task_group() as group:
            group.start_soon(fill, index, some, 200)
            for item in range(1, 201):
                group.start_soon(look_up, index, item)
        assert sorted(right) == list(range(1, 201))
        assert index.position == 400
        assert (await found(index, some[399]))[0] == 400
