"""The three verbs through the public door, without a language model."""

from datetime import UTC, datetime, timedelta, timezone
from pathlib import Path

import anyio
import pytest

from memory_core import EmbedderError, InvalidInput, MemoryCore, ModelUnavailable
from memory_core.testing import Clock, WordsEmbedder
from tests.conftest import START, OpenMemory, page_ids

DOG = ("My dog Toby is a border collie.", "What a lovely dog Toby is!")


async def add_many(memory: MemoryCore, count: int, text: str = "About my dog Toby, part") -> None:
    for number in range(count):
        await memory.add_memory(f"{text} {number}.", "I see, the dog Toby again.")


async def test_an_added_page_is_found_at_once_with_all_it_came_with(opened: OpenMemory) -> None:
    async with opened() as memory:
        added = await memory.add_memory(*DOG, meta_data={"client": "测试", "n": [1, {"a": None}]})
        assert (added.at, added.short_term_count, added.pending) == (START, 1, 0)
        (hit,) = (await memory.retrieve_memory("dog")).short_term
    page = hit.page
    assert hit.score > 0
    assert (page.id, page.user_input, page.agent_response) == (added.id, *DOG)
    assert page.meta_data == {"client": "测试", "n": [1, {"a": None}]}
    assert page.tier == "short"


async def test_a_page_may_have_one_side_but_not_none(opened: OpenMemory) -> None:
    async with opened() as memory:
        await memory.add_memory("A note by the user.")
        await memory.add_memory(agent_response="A message of the assistant.")
        for blank in ("", "  \n\t"):
            with pytest.raises(InvalidInput, match="nothing to remember"):
                await memory.add_memory(blank, blank)
        assert len((await memory.retrieve_memory("note")).short_term) == 2


async def test_the_window_holds_its_capacity_and_the_rest_waits(opened: OpenMemory) -> None:
    async with opened(embedder=WordsEmbedder(), short_term_capacity=3) as memory:
        await add_many(memory, 3)
        added = await memory.add_memory("One more.", "Yes.")
        assert (added.short_term_count, added.pending) == (3, 1)


async def test_every_page_is_in_one_tier_and_none_is_shown_twice(opened: OpenMemory) -> None:
    async with opened() as memory:
        await add_many(memory, 30)
        await memory.consolidate()
        found = await memory.retrieve_memory("dog Toby", max_results=100, max_tokens=5_000)
    short, mid = ([hit.page.id for hit in tier] for tier in (found.short_term, found.pages))
    assert (len(short), len(mid), found.pending) == (7, 23, 0)
    assert len({*short, *mid}) == 30
    assert {hit.page.tier for hit in found.pages} == {"mid"}


async def test_hot_segments_become_facts_and_a_profile_marked_as_heuristic(
    opened: OpenMemory,
) -> None:
    async with opened(short_term_capacity=1, mid_term_similarity_threshold=0.1) as memory:
        await memory.add_memory("My dog is called Toby. I live in Lisbon.", "Hello Toby the dog!")
        await add_many(memory, 6)
        await memory.consolidate()
        view = await memory.get_user_profile()
        found = await memory.retrieve_memory("Where does the user live? Lisbon?")
    assert view.profile is not None
    assert (view.profile.version, view.profile.made_by) == (1, "heuristic")
    assert any("Lisbon" in line.text for line in view.profile.lines)
    (home,) = [fact for fact in view.user_facts if "Lisbon" in fact.text]
    assert home.source_ids
    assert home.made_by == "heuristic"
    assert "Lisbon" in found.user_facts[0].fact.text
    assert found.profile == view.profile


async def test_a_profile_is_read_with_its_facts_in_one_snapshot(opened: OpenMemory) -> None:
    users = [f"user {number}" for number in range(25)]
    async with opened(short_term_capacity=1) as memory, anyio.create_task_group() as group:
        for user in users:
            await memory.add_memory("I live in Lisbon.", "Bright.", user_id=user)
            await memory.add_memory("Good night.", "Sleep well.", user_id=user)
        group.start_soon(memory.consolidate)
        for user in users:  # in the order in which they are digested
            view = await memory.get_user_profile(user_id=user)
            with anyio.fail_after(30):
                while not (view.user_facts or view.profile):
                    view = await memory.get_user_profile(user_id=user)
            assert view.user_facts
            assert view.profile is not None


async def test_who_the_user_is_does_not_wait_for_heat(opened: OpenMemory) -> None:
    async with opened(short_term_capacity=1) as memory:
        await memory.add_memory("I live in Lisbon.", "Lisbon is lovely.")
        await memory.add_memory("Thanks.", "Sure.")
        await memory.consolidate()
        assert len((await memory.get_user_profile()).user_facts) == 1


async def test_what_rules_can_read_does_not_wait_for_heat(opened: OpenMemory) -> None:
    async with opened(short_term_capacity=1) as memory:
        await memory.add_memory("I like tea.", "A fine drink.")
        await memory.add_memory("Thanks.", "Sure.")
        await memory.consolidate()
        assert len((await memory.get_user_profile()).user_facts) == 1


async def test_a_newer_statement_supersedes_an_older_one_by_event_time(
    opened: OpenMemory, clock: Clock
) -> None:
    async with opened(short_term_capacity=1, mid_term_heat_threshold=0) as memory:
        for text, day in (("Porto", 3), ("Lisbon", 1)):  # the older one arrives later
            at = datetime(2026, 3, day, tzinfo=UTC)
            await memory.add_memory(f"I live in {text}.", "Noted.", at=at)
            await memory.add_memory("ok", "ok")
            await memory.consolidate()
        facts = (await memory.get_user_profile()).user_facts
        found = await memory.retrieve_memory("Where do I live?")
    assert [fact.text for fact in facts if "live" in fact.text] == ["The user lives in Porto."]
    assert not any("Lisbon" in hit.fact.text for hit in found.user_facts)
    outdated = {hit.page.user_input: hit.superseded_by for hit in found.pages}
    assert outdated["I live in Lisbon."] == ("The user lives in Porto.",)
    assert outdated["I live in Porto."] == ()
    assert found.pages[0].page.user_input == "I live in Porto."


async def test_a_wrong_date_in_the_future_does_not_hold_for_ever(opened: OpenMemory) -> None:
    async with opened(short_term_capacity=1) as memory:
        wrong = START + timedelta(days=100_000)
        for text, at in (("Mars", wrong), ("Porto", START)):
            await memory.add_memory(f"I live in {text}.", at=at)
            await memory.add_memory("ok")
            await memory.consolidate()
        facts = (await memory.get_user_profile()).user_facts
    assert [fact.text for fact in facts] == ["The user lives in Porto."]


async def test_users_and_assistants_do_not_see_each_other(opened: OpenMemory) -> None:
    ids = ["../../x", "a", "A", "a ", "张三", "o'Brien\"; DROP TABLE page;--", "x" * 10_000, "😀"]
    async with opened(short_term_capacity=1, mid_term_heat_threshold=0) as memory:
        for number, id in enumerate(ids):
            for user, assistant in ((id, ""), ("", id)):
                await memory.add_memory(
                    f"I live in City{number}{bool(user)}.", user_id=user, assistant_id=assistant
                )
                await memory.add_memory("ok", user_id=user, assistant_id=assistant)
        await memory.consolidate()
        for number, id in enumerate(ids):
            for user, assistant in ((id, ""), ("", id)):
                owner = {"user_id": user, "assistant_id": assistant}
                found = await memory.retrieve_memory("Where do I live? City", **owner)  # type: ignore[arg-type]
                texts = [hit.page.user_input for hit in found.pages]
                assert texts == [f"I live in City{number}{bool(user)}."]
                assert len((await memory.get_user_profile(**owner)).user_facts) == 1
        stranger = await memory.get_user_profile(user_id="nobody")
    assert (stranger.profile, stranger.user_facts, stranger.pending) == (None, (), 0)


@pytest.mark.parametrize(
    "text",
    [
        "电影",
        "猫",
        "昨日の会議",
        "naïve café",
        "😀🐶",
        "lone \ud800 surrogate",
        "nul \x00 and \x1b[31m control",
        "a\u202eb",
        "한국어 메모",
        "x" * 300,
    ],
)
async def test_any_text_is_kept_verbatim_and_can_be_found(opened: OpenMemory, text: str) -> None:
    async with opened(short_term_capacity=1) as memory:
        await memory.add_memory(f"{text} 我喜欢看电影", text)
        await memory.add_memory("something else")
        found = await memory.retrieve_memory(text)
    kept = text.replace("\ud800", "\ufffd")
    assert [hit.page.agent_response for hit in found.pages] == [kept]


async def test_a_message_of_2_mb_is_kept_whole(opened: OpenMemory) -> None:
    huge = "The needle is in the haystack. " + "hay " * 500_000 + "金针。"
    async with opened(short_term_capacity=1) as memory:
        await memory.add_memory(huge, "ok")
        await memory.add_memory("next")
        for question in ("needle", "金针"):
            (hit,) = (await memory.retrieve_memory(question)).pages
            assert hit.page.user_input == huge


async def test_200_concurrent_adds_are_all_kept_once(opened: OpenMemory, tmp_path: Path) -> None:
    async with opened() as memory:
        ids: list[str] = []

        async def add(number: int) -> None:
            ids.append((await memory.add_memory(f"Concurrent page {number}.")).id)

        async with anyio.create_task_group() as group:
            for number in range(200):
                group.start_soon(add, number)
        await memory.consolidate()
        found = await memory.retrieve_memory("concurrent page", max_results=300, max_tokens=50_000)
    kept = page_ids(tmp_path / "data" / "memory.db")
    seen = [hit.page.id for hit in (*found.short_term, *found.pages)]
    assert sorted(kept) == sorted(ids)
    assert len({*seen}) == len(seen)


async def test_times_are_kept_in_utc_and_need_a_zone(opened: OpenMemory) -> None:
    east = datetime(2026, 1, 2, 3, 4, tzinfo=timezone(timedelta(hours=8)))
    async with opened() as memory:
        added = await memory.add_memory("Early.", at=east)
        assert added.at == datetime(2026, 1, 1, 19, 4, tzinfo=UTC)
        assert added.at.tzinfo is UTC
        with pytest.raises(InvalidInput, match="zone"):
            await memory.add_memory("Naive.", at=datetime(2026, 1, 2))  # noqa: DTZ001
        with pytest.raises(InvalidInput, match="out of range"):
            await memory.add_memory(
                "Late.", at=datetime.max.replace(tzinfo=timezone(-timedelta(1) / 2))
            )


@pytest.mark.parametrize(
    "meta_data", [{"x": float("nan")}, {"x": object()}, {"x": b"bytes"}, {1: {2, 3}}]
)
async def test_meta_data_that_is_no_json_is_refused(
    opened: OpenMemory, meta_data: dict[str, object]
) -> None:
    async with opened() as memory:
        with pytest.raises(InvalidInput, match="meta_data"):
            await memory.add_memory("x", meta_data=meta_data)


async def test_bad_queries_and_ids_are_clear_errors(opened: OpenMemory) -> None:
    async with opened() as memory:
        with pytest.raises(InvalidInput, match="query is empty"):
            await memory.retrieve_memory(" ")
        with pytest.raises(InvalidInput, match="at least 1"):
            await memory.retrieve_memory("x", max_results=0)
        for half in ("\ud800", "\ufffd"):
            with pytest.raises(InvalidInput, match="user_id"):
                await memory.add_memory("x", user_id=half)
        with pytest.raises(InvalidInput, match="assistant_id"):
            await memory.add_memory("x", assistant_id="x" * 10_001)
        with pytest.raises(InvalidInput, match="at most 8,000,000"):
            await memory.add_memory("x" * 8_000_001)


async def test_results_are_bounded_by_the_queue_capacity_or_the_callers_wish(
    opened: OpenMemory,
) -> None:
    async with opened(short_term_capacity=1, retrieval_queue_capacity=7) as memory:
        await add_many(memory, 15)
        await memory.consolidate()
        assert len((await memory.retrieve_memory("dog Toby")).pages) == 7
        assert len((await memory.retrieve_memory("dog Toby", max_results=2)).pages) == 2
        assert len((await memory.retrieve_memory("dog Toby", max_tokens=3_000)).pages) == 14
        assert len((await memory.retrieve_memory("dog Toby", max_results=12)).pages) == 12


async def test_hits_are_explained_and_ordered(opened: OpenMemory) -> None:
    async with opened(short_term_capacity=1) as memory:
        await memory.add_memory(*DOG)
        await memory.add_memory("The tea is hot.", "Let it cool.")
        await memory.add_memory("ok")
        await memory.consolidate()
        found = await memory.retrieve_memory("What breed is the dog Toby?")
    assert found.pages[0].page.user_input == DOG[0]
    scores = [hit.score for hit in found.pages]
    assert scores == sorted(scores, reverse=True)
    assert {"words", "vectors", "recency"} <= set(found.pages[0].why)


async def test_nothing_is_brought_back_when_nothing_fits(opened: OpenMemory) -> None:
    async with opened(short_term_capacity=1) as memory:
        await memory.add_memory(*DOG)
        await memory.add_memory("ok")
        await memory.consolidate()
        found = await memory.retrieve_memory("quantum chromodynamics")
    assert (found.pages, found.user_facts) == ((), ())


async def test_without_an_embedder_recall_works_by_words_and_says_so(opened: OpenMemory) -> None:
    broken = WordsEmbedder(failure=EmbedderError("The model file is missing; install it."))
    async with opened(embedder=broken, short_term_capacity=1) as memory:
        await add_many(memory, 8)
        await memory.consolidate()
        found = await memory.retrieve_memory("dog")
    assert found.pages
    assert any("by words only" in note and "install it" in note for note in found.notes)


async def test_an_embedder_that_comes_back_is_used_again(opened: OpenMemory) -> None:
    async with opened(short_term_capacity=1) as memory:
        await memory.add_memory(*DOG)
        await memory.consolidate()
    flaky = WordsEmbedder(failure=EmbedderError("The endpoint is down."))
    async with opened(embedder=flaky, short_term_capacity=1) as memory:
        await memory.add_memory("The tea is hot.")
        await memory.consolidate()
        assert any("endpoint is down" in note for note in (await memory.get_user_profile()).notes)
        flaky.failure = None
        await memory.consolidate()
        found = await memory.retrieve_memory("dog Toby")
    assert found.notes == ()
    assert found.pages[0].why["vectors"] != 0 or len(found.pages) == 1


async def test_a_page_is_outdated_by_what_is_true_now_not_by_what_came_between(
    opened: OpenMemory, clock: Clock
) -> None:
    async with opened(short_term_capacity=1) as memory:
        for city in ("Lisbon", "Porto", "Madrid"):
            clock.advance(timedelta(days=30))
            await memory.add_memory(f"I live in {city}.", "Noted.")
            await memory.add_memory("ok", "ok")
            await memory.consolidate()
        found = await memory.retrieve_memory("Where do I live?")
    outdated = {hit.page.user_input: hit.superseded_by for hit in found.pages}
    assert outdated["I live in Lisbon."] == ("The user lives in Madrid.",)
    assert outdated["I live in Porto."] == ("The user lives in Madrid.",)
    assert outdated["I live in Madrid."] == ()


async def test_capacities_are_kept_and_retired_pages_stay_findable(opened: OpenMemory) -> None:
    topics = ["tea kettle", "guitar string", "garden rose", "bicycle wheel", "camera lens"]
    async with opened(short_term_capacity=1, mid_term_capacity=2) as memory:
        for topic in topics:
            await memory.add_memory(f"The {topic}.", f"Nice {topic}.")
        await memory.add_memory("ok")
        await memory.consolidate()
        for topic in topics:
            assert topic in (await memory.retrieve_memory(topic)).pages[0].page.user_input


async def test_long_term_capacity_retires_the_least_useful_facts(opened: OpenMemory) -> None:
    async with opened(
        short_term_capacity=1, mid_term_heat_threshold=0, long_term_knowledge_capacity=3
    ) as memory:
        for food in ("apples", "bananas", "cherries", "dates", "eggs"):
            await memory.add_memory(f"I like {food}.", "Good.")
        await memory.add_memory("ok")
        await memory.consolidate()
        facts = (await memory.get_user_profile()).user_facts
    assert len(facts) == 3
    assert "eggs" in facts[-1].text


async def test_a_memory_opened_again_is_the_same(opened: OpenMemory) -> None:
    async with opened() as memory:
        await add_many(memory, 12)
        await memory.consolidate()
        before = await memory.retrieve_memory("dog Toby", max_results=50)
    async with opened() as memory:
        await memory.consolidate()
        after = await memory.retrieve_memory("dog Toby", max_results=50)
    assert [h.page.id for h in after.short_term] == [h.page.id for h in before.short_term]
    assert {h.page.id for h in after.pages} == {h.page.id for h in before.pages}


async def test_another_embedder_is_not_another_memory(opened: OpenMemory) -> None:
    async with opened(short_term_capacity=1) as memory:
        await add_many(memory, 5)
        await memory.consolidate()
    other = WordsEmbedder(dimension=32, name="other")
    async with opened(embedder=other, short_term_capacity=1) as memory:
        await memory.consolidate()
        found = await memory.retrieve_memory("dog Toby")
    assert found.pages
    assert any(hit.why["vectors"] != 0 for hit in found.pages)
    assert other.embedded >= 5


async def test_answering_needs_a_model(opened: OpenMemory) -> None:
    async with opened() as memory:
        with pytest.raises(ModelUnavailable, match="openai_api_key"):
            await memory.respond("Hello?")


async def test_consolidation_can_be_begun_without_waiting_for_it(opened: OpenMemory) -> None:
    async with opened(short_term_capacity=1, consolidation_idle_seconds=1e6) as memory:
        await add_many(memory, 5)
        done = memory.begin_consolidation()
        with anyio.fail_after(10):
            await done.wait()
        view = await memory.get_user_profile()
        assert (view.pending, view.notes) == (0, ())
