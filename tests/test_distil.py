"""Models that go through what is known in the place of the pages: they are asked without it."""

import re
from typing import Any

import pytest
from pydantic import BaseModel

from memory_core.backends.llm import Question
from memory_core.prompts.facts import FactsReply
from memory_core.prompts.profile import ProfileReply
from memory_core.prompts.topics import TopicsReply
from memory_core.testing import ScriptedModel
from tests.conftest import OpenMemory

SAID = (
    "I play the cello in an orchestra.",
    "My sister repairs clocks.",
    "I collect stamps with herons.",
    "I swim in the river each morning.",
    "My garden has a fig tree.",
    "I teach geography at night.",
    "I bake bread on Sundays.",
    "My bicycle is called Argus.",
    "I dislike cinnamon.",
)
OPTIONS = {
    "short_term_capacity": 1,
    "consolidation_batch_size": 3,
    "mid_term_heat_threshold": 0,
    "llm_max_parallel": 1,
}


def statements(question: Question[Any]) -> list[dict[str, Any]]:
    """Of each page, the user's words."""
    said = re.findall(r"\n  User: (.*)", question.text)
    return [{"pages": [n], "text": text, "confidence": 0.9} for n, text in enumerate(said, 1)]


def known(question: Question[Any]) -> list[dict[str, Any]]:
    """What is shown as known."""
    shown = question.text.split("<pages>")[0]
    return [{"pages": [1], "text": text} for text in re.findall(r"\n\(\d+\) (.*)", shown)]


def reply(question: Question[Any], items: list[dict[str, Any]]) -> BaseModel:
    if question.kind == "topics":
        return TopicsReply(topics=[])
    if question.kind == "facts":
        return FactsReply.model_validate({"facts": [{"about": "user", **item} for item in items]})
    changes = [{"action": "add", "section": "other", **item} for item in items]
    return ProfileReply.model_validate({"changes": changes})


def reciting(question: Question[Any]) -> BaseModel:
    return reply(question, known(question) or statements(question))


def diligent(question: Question[Any]) -> BaseModel:
    return reply(question, statements(question))


@pytest.mark.parametrize("kind", ["facts", "profile"])
async def test_who_recites_is_asked_without_what_is_known(opened: OpenMemory, kind: str) -> None:
    model = ScriptedModel(answer=reciting)
    async with opened(model=model, **OPTIONS) as memory:
        for n, text in enumerate(SAID, 1):
            await memory.add_memory(text, "I see.")
            if n % 3 == 1:
                await memory.consolidate()
        await memory.add_memory("That is all.", "Good.")
        await memory.consolidate()
        view = await memory.get_user_profile()
    assert view.profile is not None
    texts = view.user_facts if kind == "facts" else view.profile.lines
    told = " ".join(one.text for one in texts)
    assert [text for text in SAID if text.split()[-1].strip(".") not in told] == []
    # After two recitals nothing is shown that could be recited.
    asked = [bool(known(question)) for question in model.history if question.kind == kind]
    assert sum(asked) == 2
    assert asked[-1] is False


async def test_who_answers_about_the_pages_is_shown_what_is_known(opened: OpenMemory) -> None:
    model = ScriptedModel(answer=diligent)
    async with opened(model=model, **OPTIONS) as memory:
        for _ in range(3):  # what is said again is no recital
            for text in SAID[:3]:
                await memory.add_memory(text, "I see.")
            await memory.consolidate()
    asked = [bool(known(question)) for question in model.history if question.kind == "facts"]
    assert asked[-1] is True
    assert len(asked) <= 4
