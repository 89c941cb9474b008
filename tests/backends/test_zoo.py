"""The client at the endpoints that people use, each with what it refuses and how it answers."""

import json
from dataclasses import replace

import pytest

from memory_core.backends.dialect import THOUGHTS_OFF, Form
from memory_core.backends.endpoint import Endpoint, address_of
from memory_core.backends.llm import Question, Spent
from memory_core.backends.openai_llm import OpenAIModel
from memory_core.errors import (
    ModelError,
    ModelOverflow,
    ModelRefused,
    ModelReplyInvalid,
    ModelUnavailable,
)
from memory_core.prompts.facts import FactsReply, facts_question, judge_facts
from tests.prompts.pages import page
from tests.stub_llm import StubLLM

PAGES = [page(number, f"I like number {number}.") for number in range(1, 6)]


def question(text: str = "") -> Question[FactsReply]:
    asked = facts_question(PAGES, [])
    return replace(asked, text=asked.text + text)


def long_question() -> Question[FactsReply]:
    return question(" Well, well." * 2000)


async def ask(
    behaviour: str, *questions: Question[FactsReply]
) -> tuple[StubLLM, OpenAIModel, FactsReply]:
    """Ask them all; the stub with its calls, the model with its dialect, and the last answer."""
    with StubLLM(behaviour=behaviour) as stub:
        model = OpenAIModel("stub-1", stub.base_url, timeout=10)
        for asked in questions:
            reply = await model.ask(asked)
        await model.close()
    return stub, model, reply


async def failure(behaviour: str, asked: Question[FactsReply]) -> tuple[StubLLM, ModelError]:
    with StubLLM(behaviour=behaviour) as stub:
        model = OpenAIModel("stub-1", stub.base_url, timeout=10)
        with pytest.raises(ModelError) as caught:
            await model.ask(asked)
        await model.close()
    assert "Well, well" not in str(caught.value)
    return stub, caught.value


@pytest.mark.parametrize(
    ("behaviour", "refusals"),
    [
        ("no_json_object", 0),
        ("no_bounds", 1),
        ("no_grammar", 2),
        ("no_system", 1),
        ("stuck_room", 1),
        ("qwen", 1),
        ("keep_alive", 0),
    ],
)
async def test_what_is_refused_is_learnt_once(behaviour: str, refusals: int) -> None:
    stub, _, reply = await ask(behaviour, question(), question())
    assert [call.status for call in stub.calls] == [400] * refusals + [200, 200]
    assert len(reply.facts) == 5


async def test_bounds_on_lists_are_sent_until_they_are_refused() -> None:
    stub, model, _ = await ask("no_bounds", question())
    assert ["maxItems" in json.dumps(call.body) for call in stub.calls] == [True, False]
    assert [call.form for call in stub.calls] == ["json_schema", "json_schema"]
    assert not model.dialect.bounds


async def test_a_schema_that_no_grammar_can_be_made_of_is_asked_for_in_words() -> None:
    _, model, _ = await ask("no_grammar", question())
    assert model.dialect.form is Form.JSON_OBJECT


@pytest.mark.parametrize("behaviour", ["thinker", "ollama_thinker"])
async def test_a_model_that_thinks_is_told_not_to_from_then_on(behaviour: str) -> None:
    stub, _, reply = await ask(behaviour, question(), question())
    assert len(reply.facts) == 5
    thinking = [any(way in call.body for way in THOUGHTS_OFF) for call in stub.calls]
    assert thinking == [False, True, True]
    assert stub.calls[1].body["max_tokens"] == 2 * stub.calls[0].body["max_tokens"]


async def test_ways_to_switch_thinking_off_that_are_refused_are_left_out() -> None:
    stub, model, reply = await ask("strict_thinker", question(), question())
    assert len(reply.facts) == 5
    assert model.dialect.thoughts_off == ("chat_template_kwargs",)
    assert [call.status for call in stub.calls] == [200, 422, 422, 422, 200, 200]


@pytest.mark.parametrize(
    ("behaviour", "calls"),
    [
        ("overflow_openai", 1),
        ("overflow_llama", 1),
        ("overflow_llama_500", 1),
        ("overflow_vllm", 1),
        ("overflow_qwen", 1),
        ("overflow_groq", 1),
        ("silent_cut", 1),
    ],
)
async def test_a_question_that_is_too_long_is_told_from_all_other_refusals(
    behaviour: str, calls: int
) -> None:
    stub, error = await failure(behaviour, long_question())
    assert isinstance(error, ModelOverflow)
    assert len(stub.calls) == calls
    stub, _, reply = await ask(behaviour, question())
    assert len(reply.facts) == 5


async def test_a_prompt_that_was_cut_has_cost_what_it_cost() -> None:
    spent: list[Spent] = []

    async def report(cost: Spent) -> None:
        spent.append(cost)

    with StubLLM(behaviour="silent_cut") as stub:
        model = OpenAIModel("stub-1", stub.base_url, report=report)
        with pytest.raises(ModelOverflow):
            await model.ask(long_question())
        await model.close()
    assert [cost.prompt_tokens for cost in spent] == [4096]


@pytest.mark.parametrize(
    ("behaviour", "kind", "words", "calls"),
    [
        ("gateway_error", ModelRefused, "404.*name", 1),
        ("gateway_busy", ModelUnavailable, "503", 3),
        ("no_credit", ModelUnavailable, "no credit left", 1),
        ("bad_json", ModelReplyInvalid, "asked twice", 2),
        ("filtered", ModelRefused, "filter", 1),
    ],
)
async def test_other_faults_are_told_apart(
    behaviour: str, kind: type[ModelError], words: str, calls: int
) -> None:
    stub, error = await failure(behaviour, question())
    assert type(error) is kind
    assert len(stub.calls) == calls
    with pytest.raises(kind, match=words):
        raise error


async def test_a_model_that_goes_round_in_circles_is_not_asked_again() -> None:
    stub, _, reply = await ask("endless", question())
    assert len(stub.calls) == 1
    assert len(reply.facts) == 5


async def test_a_list_that_is_cut_twice_is_used_as_far_as_it_is_whole() -> None:
    stub, _, reply = await ask("long_list", question())
    assert len(stub.calls) == 2
    assert "shorter" in stub.calls[1].text
    assert [fact.pages for fact in reply.facts] == [[1], [2], [3], [4]]


async def test_what_is_said_twice_counts_once() -> None:
    _, _, reply = await ask("twice", question())
    assert len(reply.facts) == 5


async def test_confidences_in_percent_are_read() -> None:
    with StubLLM(behaviour="percent") as stub:
        model = OpenAIModel("stub-1", stub.base_url)
        asked = facts_question(PAGES, [])
        drafts = judge_facts(await model.ask(asked), PAGES, []).drafts
        await model.close()
    assert [draft.confidence for draft in drafts] == [0.9] * 5


@pytest.mark.parametrize(
    ("given", "url", "query"),
    [
        ("", "https://api.openai.com/v1", {}),
        (" http://localhost:11434/v1/ ", "http://localhost:11434/v1", {}),
        ("http://localhost:1234/v1/chat/completions", "http://localhost:1234/v1", {}),
        (
            "https://x.openai.azure.com/openai/deployments/gpt/?api-version=2024-10-21",
            "https://x.openai.azure.com/openai/deployments/gpt",
            {"api-version": "2024-10-21"},
        ),
    ],
)
def test_an_address_is_read_as_people_paste_it(given: str, url: str, query: dict[str, str]) -> None:
    address = address_of(given)
    assert (address.url, address.query) == (url, query)


@pytest.mark.parametrize(
    ("url", "local", "azure"),
    [
        ("http://localhost:1/v1", True, False),
        ("http://127.0.0.1:1/v1", True, False),
        ("http://[::1]:1/v1", True, False),
        ("https://x.openai.azure.com/openai/v1/", False, True),
        ("https://azure.com.example/v1", False, False),
    ],
)
def test_it_is_known_where_an_endpoint_is(url: str, local: bool, azure: bool) -> None:
    address = address_of(url)
    assert (address.is_local, address.is_azure) == (local, azure)


async def test_a_query_in_the_base_url_goes_with_each_request() -> None:
    with StubLLM() as stub:
        endpoint = Endpoint(f"{stub.base_url}/chat/completions?api-version=1")
        assert await endpoint.models() == stub.models
        await endpoint.close()
    assert stub.queries == ["api-version=1"]
