"""The walk short -> mid -> long with a scripted model: what it writes, and what a failure does."""

from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest
from pydantic import BaseModel

from memory_core import MemoryCore, ModelRefused, ModelReplyInvalid, ModelUnavailable
from memory_core.backends.llm import Question
from memory_core.errors import ModelError, ModelOverflow
from memory_core.holders import is_dead
from memory_core.prompts.facts import FactItem, FactsReply
from memory_core.prompts.profile import ChangeItem, ProfileReply
from memory_core.prompts.topics import TopicItem, TopicsReply
from memory_core.store import jobs
from memory_core.store.database import Database
from memory_core.testing import Clock, ScriptedModel
from tests.conftest import OpenMemory, until


def one_topic(count: int, title: str = "Dogs") -> TopicsReply:
    topic = TopicItem(
        title=title, summary=f"About {title}.", keywords=[title], pages=[*range(1, count + 1)]
    )
    return TopicsReply(topics=[topic])


def facts(*texts: str, **fields: Any) -> FactsReply:
    return FactsReply(
        facts=[
            FactItem(about="user", text=text, pages=[1], confidence=1, **fields) for text in texts
        ]
    )


def profile(*texts: str) -> ProfileReply:
    return ProfileReply(
        changes=[
            ChangeItem(action="add", line=0, section="identity", text=text, pages=[1], confidence=1)
            for text in texts
        ]
    )


def plain_answer(question: Question[Any]) -> BaseModel:
    """A valid answer to any question about pages."""
    answers: dict[str, BaseModel] = {
        "topics": one_topic(50),
        "facts": facts("The user has a dog."),
        "profile": profile("Has a dog."),
    }
    return answers[question.kind]


async def add_dogs(memory: MemoryCore, count: int, first: int = 0) -> None:
    for number in range(first, first + count):
        await memory.add_memory(f"My dog Toby did trick {number}.", "What a dog!")


async def test_a_model_fills_all_tiers_and_signs_what_it_made(opened: OpenMemory) -> None:
    model = ScriptedModel(answer=plain_answer, name="scripted-7b")
    async with opened(model=model, short_term_capacity=2) as memory:
        await add_dogs(memory, 8)
        await memory.consolidate()
        view = await memory.get_user_profile()
    assert view.profile is not None
    assert [line.text for line in view.profile.lines] == ["Has a dog."]
    assert view.profile.made_by == "scripted-7b"
    assert [(fact.text, fact.made_by) for fact in view.user_facts] == [
        ("The user has a dog.", "scripted-7b")
    ]
    assert [question.kind for question in model.history[:1]] == ["topics"]


async def test_a_cold_segment_is_digested_once_recalls_have_warmed_it(opened: OpenMemory) -> None:
    model = ScriptedModel(answer=plain_answer)
    async with opened(model=model, short_term_capacity=1) as memory:
        await add_dogs(memory, 3)
        await memory.consolidate()
        assert (await memory.get_user_profile()).profile is None
        for _ in range(4):
            assert (await memory.retrieve_memory("dog Toby")).pages
        await until(memory, lambda view: view.profile is not None)


async def test_profile_and_facts_are_asked_for_side_by_side(opened: OpenMemory) -> None:
    both = anyio.Event()
    asking: set[str] = set()

    class Meeting(ScriptedModel):
        """Answers a digest only once both of its questions have been asked."""

        async def ask(self, question: Question[Any]) -> Any:
            if question.kind in ("facts", "profile"):
                asking.add(question.kind)
                if len(asking) == 2:
                    both.set()
                with anyio.fail_after(5):
                    await both.wait()
            return await super().ask(question)

    async with opened(model=Meeting(answer=plain_answer), short_term_capacity=1) as memory:
        await add_dogs(memory, 7)
        await memory.consolidate()
        assert (await memory.get_user_profile()).profile is not None


async def test_one_question_serves_a_batch_and_a_filling_batch_waits(
    opened: OpenMemory, clock: Clock
) -> None:
    model = ScriptedModel(answer=plain_answer)
    settings = {"short_term_capacity": 1, "consolidation_batch_size": 4}
    async with opened(model=model, consolidation_idle_seconds=60, **settings) as memory:
        await add_dogs(memory, 4)  # three wait: the batch is filling
        for _ in range(20):
            await memory.retrieve_memory("dog")  # wakes the background task each time
        assert model.history == []
        clock.advance(timedelta(seconds=61))
        await memory.retrieve_memory("dog")
        await until(memory, lambda view: not view.pending)
    assert [question.kind for question in model.history] == ["topics"]


async def test_pages_that_the_model_forgets_or_invents_are_placed_all_the_same(
    opened: OpenMemory,
) -> None:
    model = ScriptedModel(answer=plain_answer)
    odd = TopicsReply(
        topics=[TopicItem(title="Dogs", summary="s", keywords=["dog"], pages=[2, 99, 2])]
    )
    model.enqueue(odd)
    async with opened(model=model, short_term_capacity=1) as memory:
        await add_dogs(memory, 5)
        await memory.consolidate()
        found = await memory.retrieve_memory("dog Toby", max_results=50)
    assert found.pending == 0
    assert len(found.pages) == 4


@pytest.mark.parametrize(
    "failure",
    [
        ModelUnavailable("The endpoint is down."),
        ModelRefused("The key is wrong."),
        ModelReplyInvalid("It answered prose."),
    ],
)
@pytest.mark.parametrize("kind", ["topics", "facts", "profile"])
async def test_a_failure_loses_nothing_writes_nothing_and_shows_its_cause(
    opened: OpenMemory, clock: Clock, failure: ModelError, kind: str
) -> None:
    model = ScriptedModel(answer=plain_answer)
    model.enqueue(failure, kind=kind)
    async with opened(model=model, short_term_capacity=1) as memory:
        await add_dogs(memory, 8)
        await memory.consolidate()
        failed = await memory.retrieve_memory("dog Toby", max_results=50)
        assert any(str(failure) in note for note in failed.notes)
        assert failed.profile is None
        assert failed.user_facts == ()
        assert len(failed.short_term) + len(failed.pages) == 8

        await memory.consolidate()  # too early: it backs off
        assert (await memory.get_user_profile()).profile is None

        clock.advance(timedelta(minutes=1))
        await memory.consolidate()
        healed = await memory.retrieve_memory("dog Toby", max_results=50)
    assert healed.notes == ()
    assert healed.profile is not None
    assert len(healed.short_term) + len(healed.pages) == 8


async def test_an_endpoint_that_says_when_is_not_asked_before(
    opened: OpenMemory, clock: Clock
) -> None:
    model = ScriptedModel(answer=plain_answer)
    model.enqueue(ModelUnavailable("Too many requests.", retry_after=600), kind="topics")
    async with opened(model=model, short_term_capacity=1) as memory:
        await add_dogs(memory, 3)
        await memory.consolidate()
        clock.advance(timedelta(seconds=599))
        await memory.consolidate()
        assert len(model.history) == 1
        clock.advance(timedelta(seconds=2))
        await memory.consolidate()
        assert (await memory.get_user_profile()).pending == 0


async def test_work_that_keeps_failing_is_parked_until_the_next_start(
    opened: OpenMemory, clock: Clock
) -> None:
    broken = ScriptedModel(answer=lambda question: ModelRefused("No such model."))
    async with opened(model=broken, short_term_capacity=1) as memory:
        await add_dogs(memory, 3)
        for _ in range(20):
            clock.advance(timedelta(hours=2))
            await memory.consolidate()
        notes = (await memory.get_user_profile()).notes
    assert len(broken.history) == 8
    assert any("parked" in note and "No such model." in note for note in notes)
    async with opened(model=ScriptedModel(answer=plain_answer), short_term_capacity=1) as memory:
        await memory.consolidate()
        view = await memory.get_user_profile()
    assert (view.pending, view.notes) == (0, ())


async def test_one_users_failing_work_does_not_hold_up_anothers(opened: OpenMemory) -> None:
    def answer(question: Question[Any]) -> BaseModel | ModelError:
        return ModelReplyInvalid("Odd.") if "cursed" in question.text else plain_answer(question)

    async with opened(model=ScriptedModel(answer=answer), short_term_capacity=1) as memory:
        for number in range(6):
            await memory.add_memory(f"My cursed dog {number}.", user_id="bad")
            await memory.add_memory(f"My dog {number}.", user_id="good")
        await memory.consolidate()
        good = await memory.get_user_profile(user_id="good")
        bad = await memory.get_user_profile(user_id="bad")
    assert (good.pending, good.notes) == (0, ())
    assert bad.pending == 5
    assert bad.notes


async def test_facts_replace_the_ones_the_model_names(opened: OpenMemory) -> None:
    model = ScriptedModel(answer=plain_answer)
    async with opened(model=model, short_term_capacity=1, mid_term_heat_threshold=0) as memory:
        model.enqueue(facts("The user lives by the sea."))
        await add_dogs(memory, 2)
        await memory.consolidate()
        model.enqueue(facts("The user lives in the hills.", replaces=1))
        await add_dogs(memory, 2)
        await memory.consolidate()
        texts = [fact.text for fact in (await memory.get_user_profile()).user_facts]
    assert texts == ["The user lives in the hills."]


async def test_the_same_fact_said_again_is_one_fact_with_two_sources(opened: OpenMemory) -> None:
    model = ScriptedModel(answer=plain_answer)
    async with opened(model=model, short_term_capacity=1, mid_term_heat_threshold=0) as memory:
        for _ in range(2):
            await add_dogs(memory, 2)
            await memory.consolidate()
        (fact,) = (await memory.get_user_profile()).user_facts
    assert len(fact.source_ids) == 2


async def test_the_profile_is_revised_not_replaced_and_keeps_versions(opened: OpenMemory) -> None:
    model = ScriptedModel(answer=plain_answer)
    async with opened(model=model, short_term_capacity=1, mid_term_heat_threshold=0) as memory:
        for text in ("Has a dog.", "Plays the piano.", ""):
            model.enqueue(profile(text))
            await add_dogs(memory, 2)
            await memory.consolidate()
        view = await memory.get_user_profile()
    assert view.profile is not None
    assert [line.text for line in view.profile.lines] == ["Has a dog.", "Plays the piano."]
    assert view.profile.version == 2  # the empty change made none


async def test_an_answer_is_written_from_what_is_recalled(opened: OpenMemory) -> None:
    model = ScriptedModel(answer=plain_answer)
    model.enqueue("Toby.", kind="write")
    async with opened(model=model) as memory:
        await memory.add_memory("My dog is called Toby.", "Hello Toby!")
        response = await memory.respond("What is my dog called?")
    assert response.text == "Toby."
    assert "My dog is called Toby." in model.written[0].text
    assert response.recollection.short_term


async def test_two_memories_on_one_store_place_and_digest_each_page_once(
    opened: OpenMemory,
) -> None:
    left, right = ScriptedModel(answer=plain_answer), ScriptedModel(answer=plain_answer)
    options = {"short_term_capacity": 1, "consolidation_batch_size": 5}
    async with opened(model=left, **options) as one, opened(model=right, **options) as two:
        async with anyio.create_task_group() as group:
            group.start_soon(add_dogs, one, 10)
            group.start_soon(add_dogs, two, 10, 10)
        async with anyio.create_task_group() as group:
            group.start_soon(one.consolidate)
            group.start_soon(two.consolidate)
        found = await two.retrieve_memory("dog Toby", max_results=50)
    assert len({hit.page.id for hit in found.pages}) == 19
    asked = [question for question in (*left.history, *right.history) if question.kind == "topics"]
    assert len(asked) <= 6


class Holding(ScriptedModel):
    """Keeps every question about some text until it is let go."""

    def __init__(self, text: str) -> None:
        super().__init__(answer=plain_answer)
        self._text = text
        self.asked, self.let_go = anyio.Event(), anyio.Event()

    async def ask(self, question: Question[Any]) -> Any:
        if self._text in question.text:
            self.asked.set()
            await self.let_go.wait()
        return await super().ask(question)


async def test_what_one_process_is_at_another_leaves_alone_and_goes_on_with_the_rest(
    opened: OpenMemory,
) -> None:
    slow, quick = Holding("slow dog"), ScriptedModel(answer=plain_answer)
    options = {"short_term_capacity": 1, "consolidation_batch_size": 5}
    async with opened(model=slow, **options) as one:
        for number in range(6):
            await one.add_memory(f"My slow dog {number}.", user_id="slow")
        with anyio.fail_after(10):
            await slow.asked.wait()
        async with opened(model=quick, **options) as two:
            for number in range(6):
                await two.add_memory(f"My dog {number}.", user_id="quick")
            with anyio.fail_after(10):
                while (await two.get_user_profile(user_id="quick")).pending:  # noqa: ASYNC110
                    await anyio.sleep(0.01)
            assert (await two.get_user_profile(user_id="slow")).pending == 5
            slow.let_go.set()
            # Who asks for consolidation waits for what others are at.
            await two.consolidate()
            assert (await two.get_user_profile(user_id="slow")).pending == 0
    placed = [question.text for question in quick.history if question.kind == "topics"]
    assert not any("slow dog" in text for text in placed)


async def test_the_work_of_a_dead_process_is_taken_over_once_its_lease_has_run_out(
    opened: OpenMemory, clock: Clock, tmp_path: Path
) -> None:
    model = ScriptedModel(answer=plain_answer)
    async with opened(model=ScriptedModel(), consolidation_idle_seconds=1e6) as memory:
        await add_dogs(memory, 9)
    database = await Database.open(tmp_path / "data" / "memory.db")
    assert await database.write(jobs.claim, "place", 1, "9-a@elsewhere", clock(), is_dead) == 0
    await database.close()
    async with opened(model=model, consolidation_idle_seconds=0) as memory:
        await memory.retrieve_memory("dog")  # wakes the background task
        assert (await memory.get_user_profile()).pending == 2
        assert model.history == []
        clock.advance(jobs.LEASE)
        await memory.consolidate()
        assert (await memory.get_user_profile()).pending == 0


async def test_where_a_model_takes_less_at_once_it_is_asked_about_halves(
    opened: OpenMemory,
) -> None:
    def answer(question: Question[Any]) -> BaseModel | ModelError:
        if question.text.count("My dog") > 2:
            return ModelOverflow("The question is too long.")
        return plain_answer(question)

    model = ScriptedModel(answer=answer)
    async with opened(model=model, short_term_capacity=1, mid_term_heat_threshold=0) as memory:
        for number in range(11):
            await memory.add_memory(f"My dog {number}.", "A dog.")
        await memory.consolidate()
        view = await memory.get_user_profile()
    assert (view.pending, view.notes) == (0, ())
    assert view.profile is not None
    kinds = [q.kind for q in model.history if q.text.count("My dog") <= 2]
    assert all(kinds.count(kind) >= 5 for kind in ("topics", "facts", "profile"))


async def test_a_single_turn_that_is_too_much_waits_with_its_cause(opened: OpenMemory) -> None:
    model = ScriptedModel(answer=lambda _: ModelOverflow("The question is too long."))
    async with opened(model=model, short_term_capacity=1) as memory:
        await memory.add_memory("My dog.", "A dog.")
        await memory.add_memory("My cat.", "A cat.")
        await memory.consolidate()
        view = await memory.get_user_profile()
    assert view.pending == 1
    assert any("too long" in note for note in view.notes)
