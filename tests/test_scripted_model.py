"""The scripted model serves what was queued for it, and says when it cannot."""

import pytest

from memory_core.backends.llm import LanguageModel
from memory_core.errors import ModelUnavailable
from memory_core.prompts.facts import FactsReply, facts_question
from memory_core.prompts.topics import TopicsReply, topics_question
from memory_core.testing import ScriptedModel

TOPICS = topics_question([])
FACTS = facts_question([], [])


async def test_replies_serve_the_questions_of_their_type_in_any_order() -> None:
    model = ScriptedModel()
    model.enqueue(FactsReply(facts=[]), TopicsReply(topics=[]), "你好")
    asked: LanguageModel = model
    assert await asked.ask(TOPICS) == TopicsReply(topics=[])
    assert await asked.ask(FACTS) == FactsReply(facts=[])
    assert await asked.write("s", "t") == "你好"
    assert model.history == [TOPICS, FACTS]
    assert model.written[0].text == "t"


async def test_a_failure_meets_the_next_question_or_the_next_of_its_kind() -> None:
    model = ScriptedModel(answer=lambda question: question.reply.model_construct())
    model.enqueue(ModelUnavailable("later"), kind="facts")
    await model.ask(TOPICS)
    with pytest.raises(ModelUnavailable):
        await model.ask(FACTS)
    model.enqueue(ModelUnavailable("later"))
    with pytest.raises(ModelUnavailable):
        await model.ask(TOPICS)


async def test_an_ended_script_is_loud() -> None:
    model = ScriptedModel()
    model.enqueue(FactsReply(facts=[]))
    with pytest.raises(LookupError, match="topics"):
        await model.ask(TOPICS)
    with pytest.raises(LookupError):
        await model.write("s", "t")
    await model.close()
    assert model.closed


async def test_its_state_says_how_the_last_question_went() -> None:
    model = ScriptedModel()
    asked: LanguageModel = model
    model.enqueue(FactsReply(facts=[]), ModelUnavailable("Later."))
    states = [asked.state]
    await asked.ask(FACTS)
    states.append(asked.state)
    with pytest.raises(ModelUnavailable):
        await asked.write("s", "t")
    assert [*states, asked.state] == ["not asked yet", "answered", "failed: Later."]
