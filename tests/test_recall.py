"""Recall over a real store: what comes up, in which order, and what it says about itself."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest

from memory_core.backends.embedder import Embedder, Vectors
from memory_core.backends.memory_index import MemoryIndex
from memory_core.concurrency import Courtesy
from memory_core.config import RECALL_CHANNELS
from memory_core.embedding import Embedding
from memory_core.errors import EmbedderError
from memory_core.recall import Found, Recall
from memory_core.records import About, FactHit, PageDraft, PageHit, Scope
from memory_core.store import facts, pages, segments
from memory_core.store.database import Database
from memory_core.testing import Clock, WordsEmbedder
from memory_core.vectors import VectorMemory
from tests.conftest import embedding_of
from tests.store import filled
from tests.store.filled import NOW, SCOPE, day

OTHER = replace(SCOPE, user_id="other")


class Synonyms(WordsEmbedder):
    """Knows that a feline is a cat."""

    async def embed_query(self, text: str) -> Vectors:
        return await super().embed_query(text.replace("feline", "cat"))


class Deaf(WordsEmbedder):
    """Answers about documents, and fails on every question."""

    async def embed_query(self, text: str) -> Vectors:
        raise EmbedderError("The endpoint is down.")


@dataclass
class Memory:
    database: Database
    embedding: Embedding
    vectors: VectorMemory
    recall: Recall

    async def pages(self, *texts: str, **more: Any) -> list[int]:
        """Add pages; their keys."""
        return [await self.database.write(filled.add_page, text, **more) for text in texts]

    async def state(self, text: str, *args: Any, **more: Any) -> int:
        return await self.database.write(filled.state, text, *args, **more)

    async def find(
        self,
        text: str,
        *,
        scopes: Sequence[Scope] = (SCOPE,),
        limit: int = 10,
        window: Sequence[int] = (),
    ) -> Found:
        """What comes up once everything has its vectors."""
        await self.embedding.embed_backlog()
        if self.embedding.space:
            await self.vectors.feed_index(self.embedding.space)
        return await self.recall.find(text, scopes, limit=limit, window=window)


@asynccontextmanager
async def opened(
    path: Path, embedder: Embedder | None = None, channels: Sequence[str] = RECALL_CHANNELS
) -> AsyncIterator[Memory]:
    """A memory whose embedder counts words."""
    embedder = embedder or WordsEmbedder(dimension=512)
    async with without_embedder(path, embedder, channels) as memory:
        yield memory


@asynccontextmanager
async def without_embedder(
    path: Path, embedder: Embedder | None = None, channels: Sequence[str] = RECALL_CHANNELS
) -> AsyncIterator[Memory]:
    database = await Database.open(path / "memory.db")
    embedding = embedding_of(database, embedder)
    vectors = VectorMemory(database, MemoryIndex(), Courtesy())
    recall = Recall(database, embedding, vectors, Clock(NOW), channels=channels)
    try:
        await embedding.load()
        yield Memory(database, embedding, vectors, recall)
    finally:
        await vectors.rest()
        await database.close()


def keys(hits: Sequence[PageHit]) -> list[int]:
    return [hit.page.key for hit in hits]


def every(found: Found) -> list[PageHit | FactHit]:
    return [*found.pages, *found.window.values(), *found.user_facts, *found.assistant_facts]


def is_empty(found: Found) -> bool:
    return not every(found)


async def test_an_answer_enters_beside_its_question_and_what_stands_further_off_does_not(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        before, question, answer, after = await memory.pages(
            "Nice weather.", "Where did we park?", "In the blue garage.", "Let us eat."
        )
        found = await memory.find("parking, where?")
    assert keys(found.pages)[0] == question
    assert set(keys(found.pages)) == {before, question, answer}
    by_key = {hit.page.key: hit.why for hit in found.pages}
    assert "words" not in by_key[answer]
    assert by_key[answer]["context"] > 0
    assert after not in keys(found.pages)


async def test_what_was_said_after_a_long_pause_is_no_answer(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        (question,) = await memory.pages("Where did we park?")
        (next_day,) = await memory.pages("In the blue garage.", at=day(1))
        found = await memory.find("parking, where?")
    assert keys(found.pages) == [question]
    assert next_day not in keys(found.pages)


async def test_pages_of_the_window_are_scored_apart_and_lift_their_neighbours(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        old, shown, beside = await memory.pages("I like tea.", "Is tea healthy?", "It is green.")
        found = await memory.find("tea", window=[shown, beside, 999])
    assert keys(found.pages) == [old]
    assert set(found.window) == {shown, beside}
    assert found.window[shown].score > found.window[beside].score


async def test_a_limit_is_filled_beside_the_window(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        every = await memory.pages(*["tea!", "tea?", "tea.", "tea,", "tea;", "tea:"])
        found = await memory.find("tea", limit=3, window=every[3:])
    assert sorted(keys(found.pages)) == every[:3]


async def test_an_outdated_page_stands_below_the_new_and_says_what_is_true(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        (old,) = await memory.pages("I live in Lisbon, Lisbon is home.", at=day(-2))
        await memory.pages("Rain.", "Wind.")
        (new,) = await memory.pages("I live in Porto.", at=day(-1))
        for text, page, at in (("Lisbon", old, day(-2)), ("Porto", new, day(-1))):
            await memory.state(
                f"The user lives in {text}.", at, attribute="home", source_keys=(page,)
            )
        found = await memory.find("Where do I live?")
        shown = await memory.find("Where do I live?", window=[old])
    by_key = {hit.page.key: hit for hit in found.pages}
    assert by_key[old].superseded_by == ("The user lives in Porto.",)
    assert by_key[new].superseded_by == ()
    assert by_key[old].score < by_key[new].score
    assert by_key[old].why["superseded"] < 0
    assert shown.window[old].superseded_by == ("The user lives in Porto.",)
    assert [hit.fact.text for hit in found.user_facts] == ["The user lives in Porto."]


async def test_without_an_embedder_words_alone_are_asked(tmp_path: Path) -> None:
    async with without_embedder(tmp_path) as memory:
        cat, _ = await memory.pages("My cat sleeps.", "The train is late.")
        await memory.state("The user has a cat.")
        found = await memory.find("cat")
        nothing = await memory.find("feline")
    assert keys(found.pages)[0] == cat
    said = {channel for hit in found.pages for channel in hit.why}
    assert not said & {"vectors", "surroundings"}
    assert len(found.user_facts) == 1
    assert is_empty(nothing)


async def test_a_single_hit_stands_before_what_only_stands_beside_it(tmp_path: Path) -> None:
    async with without_embedder(tmp_path) as memory:
        _, cat, _ = await memory.pages("Rain.", "My cat sleeps.", "The train is late.")
        first, *beside = (await memory.find("cat")).pages
    assert first.page.key == cat
    assert len(beside) == 2
    assert all(hit.score < first.score for hit in beside)


async def test_an_embedder_that_fails_on_a_question_leaves_the_words(tmp_path: Path) -> None:
    async with opened(tmp_path, Deaf()) as memory:
        (cat,) = await memory.pages("My cat sleeps.")
        assert keys((await memory.find("cat")).pages) == [cat]


async def test_what_shares_no_word_is_found_by_meaning(tmp_path: Path) -> None:
    async with opened(tmp_path, Synonyms()) as memory:
        cat, *_ = await memory.pages("My cat sleeps.", "Rain.", "The train is late.")
        await memory.state("The user has a cat.")
        await memory.state("The assistant likes a cat.", about=About.ASSISTANT)
        found = await memory.find("feline")
    assert keys(found.pages)[0] == cat
    assert "words" not in found.pages[0].why
    assert found.pages[0].why["vectors"] > 0
    assert [hit.fact.text for hit in found.user_facts] == ["The user has a cat."]
    assert [hit.fact.text for hit in found.assistant_facts] == ["The assistant likes a cat."]


async def test_each_side_has_facts_up_to_the_limit_best_first(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        for number in range(4):
            for about in About:
                await memory.state(f"{about} drinks tea {number}.", day(-number), about=about)
        await memory.state("user sleeps.")
        found = await memory.find("Who drinks tea?", limit=3)
    for about, hits in ((About.USER, found.user_facts), (About.ASSISTANT, found.assistant_facts)):
        assert [hit.fact.text for hit in hits] == [f"{about} drinks tea {n}." for n in range(3)]
        assert all(0 <= hit.score <= 1 for hit in hits)


async def test_a_superseded_or_retired_fact_does_not_come_up_though_its_vector_is_there(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        old = await memory.state("The user drinks tea.", day(-2))
        await memory.find("tea")
        await memory.state("The user drinks coffee.", replaces=(old,))
        texts = [hit.fact.text for hit in (await memory.find("The user drinks tea.")).user_facts]
        await memory.database.write(facts.retire_facts, 1, About.USER, 0, NOW)
        assert is_empty(await memory.find("The user drinks tea."))
    assert texts == ["The user drinks coffee."]


async def test_several_scopes_are_asked_at_once_and_each_keeps_to_itself(tmp_path: Path) -> None:
    third = replace(SCOPE, cube="third")
    async with opened(tmp_path) as memory:
        (mine,) = await memory.pages("my dog")
        foreign, beside = await memory.pages("a dog", "barks", scope=OTHER)
        (hidden,) = await memory.pages("third dog", scope=third)
        await memory.state("The user has a dog.")
        both = await memory.find("dog", scopes=[SCOPE, OTHER])
        alone = await memory.find("dog", scopes=[OTHER])
    assert set(keys(both.pages)) == {mine, foreign, beside}
    assert len(both.user_facts) == 1
    assert set(keys(alone.pages)) == {foreign, beside}
    assert alone.user_facts == ()
    assert hidden not in keys(both.pages)


async def test_an_empty_store_and_a_stranger_have_nothing_to_tell(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        assert is_empty(await memory.find("anything"))
        await memory.pages("My dog.")
        assert is_empty(await memory.find("dog", scopes=[OTHER]))
        assert is_empty(await memory.find("dog", scopes=[]))
        assert await memory.database.read(scope_count) == 1


def scope_count(connection: apsw.Connection) -> int:
    ((count,),) = connection.execute("SELECT count(*) FROM scope")
    return int(count)


@pytest.mark.parametrize("text", ["", "?!", "the", "😀", "\x00", '"', "NEAR(", "的", "x" * 50_000])
async def test_any_question_gets_an_answer_even_if_it_is_nothing(tmp_path: Path, text: str) -> None:
    async with opened(tmp_path) as memory:
        await memory.pages("My dog.", "我的狗")
        found = await memory.find(text)
    assert found.user_facts == ()


async def test_of_pages_that_fit_alike_the_recent_one_is_first(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        (recent,) = await memory.pages("I drank tea.", at=day(-1))
        await memory.pages("Rain.", "Wind.")
        (ancient,) = await memory.pages("I drank tea.", at=day(-400))
        found = await memory.find("tea")
    assert keys(found.pages)[0] == recent
    why = {hit.page.key: hit.why["recency"] for hit in found.pages}
    assert why[recent] > why[ancient] >= 0


async def test_a_page_of_the_topic_that_was_asked_about_gains_by_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        plain, _, gained, _ = await memory.pages("Toby barks!", "Rain.", "Toby barks.", "Wind.")
        await memory.database.write(filled.place, gained, title="Toby", summary="Toby barks.")
        await memory.database.write(filled.place, plain, title="Trains", summary="Late.")
        found = await memory.find("Toby barks.")
    shares = {hit.page.key: hit.why.get("segment", 0.0) for hit in found.pages}
    assert shares[gained] > 0
    assert shares[plain] == pytest.approx(0, abs=1e-3)


async def test_what_is_gone_does_not_come_up_though_an_index_holds_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        gone, kept = await memory.pages("a dog", "the dog")
        await memory.find("dog")
        await memory.database.write(
            lambda c: c.execute("DELETE FROM memory WHERE key = ?", (gone,))
        )
        assert keys((await memory.find("dog")).pages) == [kept]


async def test_a_recall_warms_the_segments_of_its_pages_and_counts_its_facts(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        page, _ = await memory.pages("My dog.", "My cat.")
        segment = await memory.database.write(filled.place, page, at=day(-9))
        used = await memory.state("The user has a dog.", now=day(-9))
        await memory.state("The user has a house.", now=day(-8))
        await memory.recall.note_use(await memory.find("dog"))
        await memory.recall.note_use(await memory.find("nothing of that kind"))
        (warm,) = await memory.database.read(segments.live_segments, (1,))
        await memory.database.write(facts.retire_facts, 1, About.USER, 1, NOW)
        left = await memory.database.read(facts.all_facts, (1,))
    assert (warm.key, warm.visits, warm.last_visit_at) == (segment, 1, NOW)
    assert [fact.key for fact in left] == [used]


async def test_a_page_of_the_future_is_only_recent(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        await memory.pages("tea", at=NOW + timedelta(days=10_000))
        (hit,) = (await memory.find("tea")).pages
    assert hit.why["recency"] <= 1
    assert 0 <= hit.score <= 1


async def test_a_score_tells_which_channels_it_is_made_of_and_names_none_that_is_silent(
    tmp_path: Path,
) -> None:
    async with opened(tmp_path) as memory:
        await memory.pages("My dog barks.", "It is raining.", "The dog is old.", at=day(-3))
        await memory.state("The user has a dog.")
        found = await memory.find("What did my dog do last week?")
    assert {"words", "vectors", "recency"} <= found.pages[0].why.keys() <= {*RECALL_CHANNELS}
    assert found.user_facts[0].why.keys() == {"words", "vectors", "recency"}
    for hit in every(found):
        assert all(hit.why.values())
        assert 0 <= hit.score <= 1


@pytest.mark.parametrize("channels", [("words",), ("vectors", "recency"), ()])
async def test_channels_that_are_switched_off_say_nothing(
    tmp_path: Path, channels: tuple[str, ...]
) -> None:
    async with opened(tmp_path, channels=channels) as memory:
        await memory.pages("My dog barks.", "It is raining.", "The dog is old.", at=day(-3))
        await memory.state("The user has a dog.")
        found = await memory.find("What did my dog do last week?")
    why = [hit.why.keys() for hit in every(found)]
    assert set().union(*why) == {*channels}
    assert len(why) == 4


async def test_a_question_about_a_period_brings_what_was_said_in_it_and_soon_after(
    tmp_path: Path,
) -> None:
    async with without_embedder(tmp_path) as memory:
        await memory.pages("It rained.", at=day(-60))
        (then,) = await memory.pages("I was in Porto.", at=day(-8))
        (told,) = await memory.pages("Porto was fine.", at=day(-3))
        await memory.pages("Porto is far.", at=day(-40))
        found = await memory.find("Where was I last week?")
        asked = await memory.find("Was I in Porto last week?")
    assert keys(found.pages) == [then]
    assert keys(asked.pages)[:2] == [then, told]
    periods = {hit.page.key: hit.why.get("period", 0.0) for hit in asked.pages}
    assert periods[then] > periods[told] > 0
    assert sorted(periods.values())[0] == 0


async def test_an_event_bounds_the_time_that_is_asked_about(tmp_path: Path) -> None:
    async with without_embedder(tmp_path) as memory:
        (before,) = await memory.pages("I have breakfast at the market.", at=day(-60))
        (moved,) = await memory.pages("We moved to Porto today!", at=day(-30))
        (after,) = await memory.pages("I have breakfast at home.", at=day(-5))
        plain = await memory.find("Where did I have breakfast?")
        asked = await memory.find("Where did I have breakfast before we moved to Porto?")
        later = await memory.find("Where do I have breakfast since we moved to Porto?")
        unknown = await memory.find("Where did I have breakfast before we bought a boat?")
    assert {"period"}.isdisjoint(why for hit in plain.pages for why in hit.why)
    assert {"period"}.isdisjoint(why for hit in unknown.pages for why in hit.why)
    of_time = {hit.page.key: hit.why.get("period", 0.0) for hit in asked.pages}
    assert of_time[before] > 10 * of_time[after]  # what is told some days later counts a little
    ranks = keys(asked.pages), keys(later.pages)
    assert ranks[0].index(before) < ranks[0].index(after)
    assert ranks[1].index(after) < ranks[1].index(before)
    assert moved in ranks[0]


async def test_what_was_said_twice_in_the_same_words_comes_back_once(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        (first,) = await memory.pages("The garage is blue.", at=day(-9))
        (again,) = await memory.pages(" The garage is blue.\n", at=day(-9))
        (other,) = await memory.pages("The garage is blue.", at=day(-5))
        found = await memory.find("garage", limit=5)
        in_window = await memory.find("garage", window=[first])
    assert set(keys(found.pages)) == {again, other}
    assert set(in_window.window) == {first}
    assert set(keys(in_window.pages)) == {other}


async def test_a_long_page_is_found_by_any_part_of_it(tmp_path: Path) -> None:
    async with opened(tmp_path) as memory:
        long = "It rained all day. " * 400
        (page,) = await memory.pages(f"{long} We parked in the garage. {long}")
        await memory.pages("Wind.", at=day(1))
        (first, *_) = (await memory.find("Where did we park?")).pages
    assert first.page.key == page


async def test_hundreds_of_pages_that_fit_leave_the_best_first(tmp_path: Path) -> None:
    async with without_embedder(tmp_path) as memory:
        often = [f"I drank some tea and some other things: {n}." for n in range(150)]
        await memory.pages(*often)
        (best,) = await memory.pages("Green tea from Uji.", at=day(-9))
        await memory.pages(*[text.replace("some", "more") for text in often])
        found = await memory.find("green tea from Uji", limit=20)
    assert keys(found.pages)[0] == best
    assert len(found.pages) == 20


async def test_a_blank_speaker_breaks_nothing(tmp_path: Path) -> None:
    async with without_embedder(tmp_path) as memory:
        draft = PageDraft(
            user_input="My dog.", agent_response="", at=NOW, meta_data={"speaker": " "}
        )
        await memory.database.write(pages.add_page, SCOPE, draft, NOW, 7)
        found = await memory.find("Whose dog?")
    assert [hit.page.user_input for hit in found.pages] == ["My dog."]
