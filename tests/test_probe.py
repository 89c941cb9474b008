"""What a probe tells of an endpoint, in words, and whether it may be used."""

from typing import Any

import pytest

from memory_core import Settings, probe_model
from memory_core.probe import Probe
from tests.backends.test_embed_endpoint import Endpoint, serving
from tests.stub_llm import StubLLM

KEY = "sk-a-key-that-nobody-may-see"


async def probed(url: str, **more: Any) -> Probe:
    values = {"openai_base_url": url, "openai_api_key": KEY, "llm_model": "stub-1", **more}
    return await probe_model(Settings.load(values, environ={}))


async def told(behaviour: str = "ok", **more: Any) -> tuple[Probe, str]:
    with StubLLM(behaviour=behaviour) as stub:
        probe = await probed(stub.base_url, **more)
    text = "\n".join(map(str, probe.findings))
    assert KEY not in text
    return probe, text


async def test_an_endpoint_that_does_all_is_told_to() -> None:
    probe, text = await told()
    assert probe.usable
    assert "note" not in text and "FAIL" not in text
    for words in (
        'reachable; "stub-1" is one of its 2 models',
        "JSON, json_schema: is taken and kept to",
        "JSON, json_object: is taken and kept to",
        "JSON, in words: is taken and kept to",
        "parameters: all are taken",
        "thinking: none is seen",
        "tokens: are counted",
        "answers in Chinese",
        "tokens is taken",
        "6 calls at once",
    ):
        assert words in text


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        ("no_json_schema", "JSON, json_schema: is refused"),
        ("no_json_object", "JSON, json_object: is refused"),
        ("no_max_tokens", "learnt: max_tokens is max_completion_tokens"),
        ("no_temperature", "learnt: no temperature"),
        ("no_system", "learnt: no system role"),
        ("ollama_thinker", "it thinks, unless it is told not to"),
        ("think", "cannot be told not to"),
        ("no_usage", "tokens: are not counted"),
        (
            "silent_cut",
            "cut to 4096 tokens without a word\n      -> Give the model a larger context",
        ),
        ("overflow_llama", "tokens is refused\n      -> Give the model a larger context"),
    ],
)
async def test_what_it_does_differently_is_told_and_it_may_be_used(
    behaviour: str, words: str
) -> None:
    probe, text = await told(behaviour)
    assert words in text
    assert probe.usable


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [
        ("unauthorized", "401"),
        ("not_found", "Check the model's name"),
        ("html", "is not a chat completion.\n      -> Something else than a model may answer"),
        ("prose", "JSON: in no form\n      -> Choose a more capable model"),
        ("no_credit", "no credit left"),
        ("disconnect", "cannot be reached"),
    ],
)
async def test_what_makes_it_useless_is_told(behaviour: str, words: str) -> None:
    probe, text = await told(behaviour)
    assert words in text
    assert not probe.usable


async def test_a_misspelt_model_is_told_with_the_nearest_that_is_there() -> None:
    _, text = await told(llm_model="stubb-1")
    assert 'but "stubb-1" is none of its 2 models\n      -> It has, among others: stub-1' in text


async def test_an_endpoint_without_a_list_of_models_may_be_used() -> None:
    with StubLLM() as stub:
        stub.listed = 404
        probe = await probed(stub.base_url)
    assert probe.usable
    assert "lists no models (status 404)" in str(probe.findings[0])


async def test_both_models_are_asked_where_there_are_two() -> None:
    with StubLLM() as stub:
        probe = await probed(stub.base_url, llm_answer_model="stub-embed")
        assert {call.body["model"] for call in stub.calls} == {"stub-1", "stub-embed"}
    assert probe.usable


async def test_nobody_at_the_port_is_told_with_what_to_do() -> None:
    with StubLLM() as stub:
        url = stub.base_url
    probe = await probed(url)
    (finding,) = probe.findings
    assert not probe.usable
    assert "cannot be reached" in finding.found
    assert "container" in finding.advice or "11434" in finding.advice


async def test_https_at_a_port_of_http_is_told() -> None:
    with StubLLM() as stub:
        probe = await probed(stub.base_url.replace("http://", "https://"))
    assert "write http://" in str(probe.findings[-1])


async def test_a_base_url_without_its_v1_is_told() -> None:
    with StubLLM() as stub:
        probe = await probed(stub.base_url.removesuffix("/v1"))
    assert not probe.usable
    assert "does not end with /v1" in str(probe.findings[-1])


async def test_no_model_at_all_is_told() -> None:
    probe = await probe_model(Settings.load({}, environ={}))
    assert not probe.usable
    assert "none is configured" in str(probe.findings[0])


async def test_an_embedding_endpoint_is_asked_too() -> None:
    with serving(Endpoint()) as endpoint, StubLLM() as stub:
        named = {"embedding_model_name": "endpoint:m3", "embedding_base_url": endpoint.url}
        probe = await probed(stub.base_url, **named)
        assert probe.usable
        assert "numbers a vector" in str(probe.findings[-1])
        failing = await probed(stub.base_url, **named | {"embedding_base_url": stub.base_url})
    assert not failing.usable
    assert "embedding model m3" in str(failing.findings[-1])
