"""Retrieval within a number of tokens, and reading by id, through the public door."""

import json
from contextlib import closing
from pathlib import Path

import anyio
import apsw
import pytest

from memory_core import InvalidInput, MemoryCore
from memory_core.records import Page
from tests.conftest import OpenMemory

WALK = "We walked along the river, had lunch, and talked about many things of no importance. "
散步 = "今天天气很好，我们沿着河散步。"


async def fill(memory: MemoryCore, count: int) -> list[str]:
    return [
        (await memory.add_memory(f"My dog Toby, part {n}. {WALK * 2}", "The dog again.")).id
        for n in range(count)
    ]


async def test_a_retrieval_is_as_long_as_it_may_be_and_names_the_rest(opened: OpenMemory) -> None:
    async with opened() as memory:
        ids = await fill(memory, 30)
        await memory.consolidate()
        few = await memory.retrieve_memory("dog Toby", max_results=50, max_tokens=400)
        more = await memory.retrieve_memory("dog Toby", max_results=50)
        rest = await memory.read_memory(few.left_out[:3])
    shown = [len(found.pages) + len(found.short_term) for found in (few, more)]
    assert 2 <= shown[0] < shown[1] < 30
    assert {hit.page.id for hit in (*few.pages, *few.short_term)} | {*few.left_out} == {*ids}
    assert few.short_term[-1].page.id == ids[-1]
    assert [hit.page.id for hit in rest.pages] == [*few.left_out[:3]]


async def test_the_usual_length_is_a_setting(opened: OpenMemory) -> None:
    async with opened(retrieval_max_tokens=300) as memory:
        await fill(memory, 7)
        found = await memory.retrieve_memory("dog Toby")
        assert found == await memory.retrieve_memory("dog Toby", max_tokens=300)
    assert len(found.left_out) > 2


@pytest.mark.parametrize("max_tokens", [0, -5, 99, 100_001])
async def test_a_length_that_makes_no_sense_is_refused_with_advice(
    opened: OpenMemory, max_tokens: int
) -> None:
    async with opened() as memory:
        await memory.add_memory("I live in Lisbon.")
        with pytest.raises(InvalidInput, match="from 100 to 100,000: 1,500 hold"):
            await memory.retrieve_memory("Where?", max_tokens=max_tokens)


async def test_a_page_of_200_kilobytes_is_found_and_shown_in_its_best_sentences(
    opened: OpenMemory,
) -> None:
    told = WALK * 1_200 + "Then Aunt Olga sold her boat. " + WALK * 1_200
    gesagt = 散步 * 4_500 + "奥尔加阿姨卖掉了她的船。" + 散步 * 4_500
    async with opened(short_term_capacity=1) as memory:
        for text in (told, gesagt, "ok"):
            await memory.add_memory(text, "👍")
        (hit, *_) = (await memory.retrieve_memory("Did Aunt Olga sell her boat?")).pages
        found = await memory.retrieve_memory("奥尔加阿姨卖掉了她的船吗？")
        (read,) = (await memory.read_memory([hit.page.id], query="Aunt Olga's boat")).pages
    assert hit.page.user_input == told
    assert "Then Aunt Olga sold her boat." in hit.excerpt
    assert hit.sides[1] == "👍" and len(hit.excerpt) < 2_500
    chinese = next(hit for hit in found.pages if hit.page.user_input == gesagt)
    assert "奥尔加阿姨卖掉了她的船。" in chinese.excerpt
    assert "Then Aunt Olga sold her boat." in read.excerpt
    assert 20_000 < len(read.excerpt) < 60_000


async def test_an_item_is_read_verbatim_with_all_it_came_with(opened: OpenMemory) -> None:
    text = "行 1\n\n  two  spaces\t" + "x" * 3_000
    async with opened(short_term_capacity=1) as memory:
        id = (await memory.add_memory(text, "好 🎉", meta_data={"a": 1})).id
        await memory.add_memory("I live in Lisbon.")
        await memory.add_memory("ok")
        await memory.consolidate()
        (fact,) = (await memory.get_user_profile()).user_facts
        read = await memory.read_memory([fact.id, f" {id} ", id])
    (hit,) = read.pages
    page: Page = hit.page
    assert (hit.shown, page.user_input, page.agent_response) == (None, text, "好 🎉")
    assert json.dumps(dict(page.meta_data)) == '{"a": 1}'
    assert [hit.fact for hit in read.user_facts] == [fact]
    assert (read.notes, read.left_out) == ((), ())


async def test_what_was_superseded_can_still_be_read(opened: OpenMemory) -> None:
    async with opened(short_term_capacity=1) as memory:
        page = await memory.add_memory("I live in Porto.")
        await memory.add_memory("ok")
        await memory.consolidate()
        (old,) = (await memory.get_user_profile()).user_facts
        await memory.add_memory("I live in Lisbon now.")
        await memory.add_memory("ok")
        await memory.consolidate()
        read = await memory.read_memory([old.id, page.id])
    assert read.user_facts[0].fact.superseded_by is not None
    assert read.pages[0].superseded_by == ("The user lives in Lisbon.",)


async def test_items_of_others_cannot_be_read(opened: OpenMemory) -> None:
    async with opened() as memory:
        theirs = (await memory.add_memory("My secret.", user_id="ben")).id
        other = (await memory.add_memory("Said to Ada.", assistant_id="ada")).id
        mine = (await memory.add_memory("Mine.")).id
        with pytest.raises(InvalidInput, match="No turn and no fact of this memory has such an id"):
            await memory.read_memory([theirs, other])
        read = await memory.read_memory([theirs, mine, "nonsense " * 99])
        assert (await memory.read_memory([theirs], user_id="ben")).pages
    assert [hit.page.id for hit in read.pages] == [mine]
    (note,) = read.notes
    assert theirs in note and len(note) < 120


@pytest.mark.parametrize("ids", [[], ["x"] * 0, [f"page_{n}" for n in range(101)], "page_1", [1]])
async def test_ids_that_are_none_are_refused(opened: OpenMemory, ids: list[str]) -> None:
    async with opened() as memory:
        with pytest.raises(InvalidInput, match="ids"):
            await memory.read_memory(ids)


def reading(directory: Path) -> apsw.Connection:
    """By the library that the memory uses: another one would drop its locks on the open file."""
    return apsw.Connection(str(directory / "data/memory.db"))


def warm_topics(store: apsw.Connection) -> int:
    ((count,),) = store.execute("SELECT count(*) FROM segment WHERE visits > 0")
    return int(count)


async def test_what_was_shown_is_warmed_up_and_not_what_was_left_out(
    opened: OpenMemory, tmp_path: Path
) -> None:
    # Each turn is a topic, and none is hot.
    cold = {"mid_term_similarity_threshold": 2, "mid_term_heat_threshold": 1_000}
    async with opened(short_term_capacity=1, **cold) as memory:
        for word in "river boat tea train music garden winter coffee mountain".split():
            await memory.add_memory(f"My dog Toby and the {word}: {word}, {word}. {WALK * 2}")
            await memory.consolidate()
        found = await memory.retrieve_memory("dog Toby", max_tokens=300)
        with anyio.fail_after(10), closing(reading(tmp_path)) as store:
            while not (warm := warm_topics(store)):  # noqa: ASYNC110 - nothing announces it
                await anyio.sleep(0.01)
    assert 0 < len(found.pages) < 7
    assert warm == len(found.pages)
