"""What rules have distilled is distilled again once there is a model, without duplicates."""

from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from pathlib import Path
from typing import Any

import anyio
import apsw
import pytest
from pydantic import BaseModel

from memory_core import HEURISTIC, MemoryCore, ModelUnavailable, ProfileView
from memory_core.backends.llm import Question
from memory_core.prompts.facts import FactsReply
from memory_core.prompts.profile import ProfileReply
from memory_core.prompts.topics import TopicsReply
from memory_core.records import About, FactDraft
from memory_core.testing import Clock, ScriptedModel
from memory_core.upgrade import restated
from tests.conftest import START, OpenMemory, until
from tests.test_long_term import fact

SAID = (
    "I live in Lisbon.",
    "I like green tea.",
    "My dog is called Toby.",
    "The weather was strange in the old town.",
    "我对花生过敏。",
)
# As a model would say what rules took word for word.
RESTATED = {
    "I live in Lisbon.": ("The user lives in the city of Lisbon.", "home"),
    "I like green tea.": ("The user likes green tea.", ""),
    "My dog is called Toby.": ("The user has a dog called Toby.", ""),
    "strange in the old town": ("The user was in the old town in strange weather.", ""),
    "我对花生过敏。": ("用户对花生过敏，不能吃花生。", ""),
}


def understanding(question: Question[Any]) -> BaseModel:
    """Finds every statement of `RESTATED` that the pages hold."""
    lines = question.text.split("<pages>")[1].split("[")[1:]
    if question.kind == "topics":
        return TopicsReply(topics=[])
    found = [
        {"pages": [number], "text": text, "about": "user", "attribute": attribute}
        for number, line in enumerate(lines, 1)
        for said, (text, attribute) in RESTATED.items()
        if said in line
    ]
    if question.kind == "profile":
        return ProfileReply.model_validate(
            {"changes": [{"action": "add", "section": "other", **item} for item in found]}
        )
    return FactsReply.model_validate({"facts": found})


async def by_rules(memory: MemoryCore) -> ProfileView:
    for text in SAID:
        await memory.add_memory(text, "I see.")
    await memory.add_memory("And that is all.", "Good.")
    await memory.consolidate()
    return await memory.get_user_profile()


def upgraded(view: ProfileView) -> bool:
    return view.profile is not None and view.profile.made_by != HEURISTIC


def told_segments(data: Path) -> list[tuple[str, str, str]]:
    """Title, summary and author of each segment that is stored."""
    with closing(apsw.Connection(str(data / "memory.db"))) as store:
        return list(store.execute("SELECT title, summary, made_by FROM segment ORDER BY key"))


def all_upgraded(data: Path) -> Callable[[ProfileView], bool]:
    """Whether segments, which come last, are."""
    return lambda _: {by for _, _, by in told_segments(data)}.isdisjoint({HEURISTIC})


OPTIONS = {"short_term_capacity": 1, "consolidation_batch_size": 2, "llm_max_parallel": 2}


async def test_each_statement_is_there_once_and_in_the_words_of_the_model(
    opened: OpenMemory,
) -> None:
    async with opened(**OPTIONS) as memory:
        before = await by_rules(memory)
    assert {fact.made_by for fact in before.user_facts} == {HEURISTIC}
    assert len(before.user_facts) == 4
    model = ScriptedModel(answer=understanding)
    async with opened(model=model, **OPTIONS) as memory:
        await until(memory, upgraded)
        after = await memory.get_user_profile()
    assert {fact.text for fact in after.user_facts} == {text for text, _ in RESTATED.values()}
    # What both say in the same words is confirmed, and keeps the name of who said it first.
    kept = [fact.text for fact in after.user_facts if fact.made_by == HEURISTIC]
    assert kept == ["The user likes green tea."]
    assert after.profile is not None
    assert {line.text for line in after.profile.lines} == {text for text, _ in RESTATED.values()}
    assert after.profile.version == before.profile.version + 1 if before.profile else 0


async def test_what_is_upgraded_is_not_asked_about_again(
    opened: OpenMemory, tmp_path: Path
) -> None:
    async with opened(**OPTIONS) as memory:
        await by_rules(memory)
    async with opened(model=ScriptedModel(answer=understanding), **OPTIONS) as memory:
        await until(memory, all_upgraded(tmp_path / "data"))
    idle = ScriptedModel()
    async with opened(model=idle, **OPTIONS) as memory:
        await memory.consolidate()
    assert idle.history == []


def about_pages(question: Question[Any]) -> BaseModel:
    """As `understanding`, and one topic for all pages of a question."""
    if question.kind != "topics":
        return understanding(question)
    numbers = [*range(1, question.text.count("  User: ") + 1)]
    topic = {"title": "Told anew", "summary": "Said at length.", "keywords": ["anew"]}
    return TopicsReply.model_validate({"topics": [{**topic, "pages": numbers}]})


@pytest.mark.parametrize("batch", [1, 2, 20])
async def test_segments_are_told_anew_by_the_model(
    opened: OpenMemory, tmp_path: Path, batch: int
) -> None:
    options = OPTIONS | {"consolidation_batch_size": batch}
    async with opened(**options) as memory:
        await by_rules(memory)
    before = told_segments(tmp_path / "data")
    assert {by for _, _, by in before} == {HEURISTIC}
    async with opened(model=ScriptedModel(answer=about_pages), **options) as memory:
        await until(memory, all_upgraded(tmp_path / "data"))
        assert (await memory.get_user_profile()).notes == ()
    after = told_segments(tmp_path / "data")
    assert len(after) == len(before) >= 4
    assert {(title, summary) for title, summary, _ in after} == {("Told anew", "Said at length.")}


async def test_a_segment_that_pages_of_the_model_join_is_told_anew_as_well(
    opened: OpenMemory, tmp_path: Path
) -> None:
    said = "The lighthouse of Ponta do Pargo has a red lantern."
    options = {"short_term_capacity": 1, "consolidation_batch_size": 1}
    async with opened(**options) as memory:
        for _ in range(2):
            await memory.add_memory(said, "I see.")
        await memory.consolidate()
    assert len(told_segments(tmp_path / "data")) == 1
    async with opened(model=ScriptedModel(answer=about_pages), **options) as memory:
        await memory.add_memory(said, "I see.")
        await memory.consolidate()
        await until(memory, all_upgraded(tmp_path / "data"))
    ((title, summary, _),) = told_segments(tmp_path / "data")
    assert (title, summary) == ("Told anew", "Said at length.")


async def test_what_the_model_does_not_say_again_stays(opened: OpenMemory) -> None:
    def silent(question: Question[Any]) -> BaseModel:
        empty: BaseModel = question.reply.model_validate({"topics": [], "facts": [], "changes": []})
        return empty

    async with opened(**OPTIONS) as memory:
        before = await by_rules(memory)
    async with opened(model=ScriptedModel(answer=silent), **OPTIONS) as memory:
        await until(memory, upgraded)
        after = await memory.get_user_profile()
    assert after.user_facts == before.user_facts
    assert after.profile is not None
    assert before.profile is not None
    assert after.profile.lines == before.profile.lines


async def test_an_upgrade_that_fails_leaves_all_as_it_was_and_is_tried_again(
    opened: OpenMemory, clock: Clock
) -> None:
    async with opened(**OPTIONS) as memory:
        before = await by_rules(memory)
    down = ScriptedModel(answer=lambda _: ModelUnavailable("The endpoint is down."))
    async with opened(model=down, **OPTIONS) as memory:
        await memory.consolidate()
        during = await memory.get_user_profile()
    assert during.user_facts == before.user_facts
    assert any("endpoint is down" in note for note in during.notes)
    async with opened(model=ScriptedModel(answer=understanding), **OPTIONS) as memory:
        await until(memory, upgraded)
        assert (await memory.get_user_profile()).notes == ()


async def test_what_is_new_does_not_wait_for_an_upgrade(opened: OpenMemory) -> None:
    async with opened(**OPTIONS) as memory:
        await by_rules(memory)
    model = ScriptedModel(answer=understanding)
    async with opened(model=model, **OPTIONS) as memory:
        for number in range(4):
            await memory.add_memory(f"Something new {number}.", "Yes.")
        with anyio.fail_after(10):
            await memory.consolidate()
        assert (await memory.get_user_profile()).pending == 0
        await until(memory, upgraded)


@pytest.mark.parametrize(
    ("rule", "model", "same"),
    [
        ("The user lives in Lisbon.", "The user has lived in Lisbon since May.", True),
        ("用户对花生过敏。", "用户对花生过敏，吃了会起疹子。", True),
        ("The user likes green tea.", "The user works as a nurse.", False),
        ("The user has a dog called Toby.", "The user has a cat called Mia.", False),
        ("用户喜欢爬山。", "用户住在上海。", False),
    ],
)
def test_statements_are_the_same_when_most_of_their_words_are(
    rule: str, model: str, same: bool
) -> None:
    draft = FactDraft(about=About.USER, text=model, at=START, source_keys=(1,))
    known = replace(fact(9, rule), source_ids=("p2",))
    (result,) = restated([draft], [known], {"p2": 2})
    assert (result.replaces, result.source_keys) == (((9,), (1, 2)) if same else ((), (1,)))
