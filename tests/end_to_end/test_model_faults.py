"""Whatever an endpoint does: adds go on, pages stay, nothing wrong is learnt, the cause is told."""

from dataclasses import dataclass

import anyio
import pytest

from memory_core import MemoryCore, ProfileView
from memory_core.backends.openai_llm import OpenAIModel
from tests.conftest import OpenMemory
from tests.end_to_end.turns import EAGER, LINES, SAID, STATED, turn
from tests.stub_llm import StubLLM

MODEL = "stub-1"
KEY = "sk-a-key-that-nobody-may-see"
SHORT_TIMEOUT_SECONDS = 1.0
QUICK_SECONDS = 5.0
"""For twelve adds: even a busy machine needs a tenth of it."""
PATIENCE_SECONDS = 60.0


@dataclass(frozen=True)
class Fault:
    """A behaviour of the endpoint, and words of the note that tells of it."""

    behaviour: str
    note: str
    delay: float = 0.0
    retry_after: float = 0.01


FAULTS = (
    Fault("disconnect", "cannot be reached"),
    Fault("ok", "did not answer within 1 seconds", delay=30.0),
    Fault("rate_limited", "429"),
    Fault("rate_limited", "429", retry_after=3600),
    Fault("server_error", "500"),
    Fault("unauthorized", "Check the API key"),
    Fault("not_found", "Check the model's name"),
    Fault("bad_request", "400"),
    Fault("prose", "no usable answer"),
    Fault("html", "no usable answer"),
    Fault("no_choices", "no usable answer"),
    Fault("wrong_types", "no usable answer"),
    Fault("empty", "no usable answer"),
    Fault("bad_json", "no usable answer"),
    Fault("no_credit", "no credit left"),
    Fault("filtered", "takes offence"),
    Fault("gateway_error", "404"),
    Fault("gateway_busy", "503"),
)
# These give what was asked for, in their own way.
ODD_BUT_RIGHT = (
    "ok",
    "fenced",
    "think",
    "list",
    "no_usage",
    "no_json_schema",
    "no_response_format",
    "no_max_tokens",
    "no_temperature",
    "no_json_object",
    "no_bounds",
    "no_grammar",
    "no_system",
    "stuck_room",
    "qwen",
    "thinker",
    "ollama_thinker",
    "strict_thinker",
    "endless",
    "twice",
    "percent",
    "keep_alive",
)


def model_at(base_url: str) -> OpenAIModel:
    return OpenAIModel(MODEL, base_url, KEY, SHORT_TIMEOUT_SECONDS)


async def add_all(memory: MemoryCore) -> set[str]:
    """Add every turn, promptly."""
    ids = set()
    with anyio.fail_after(QUICK_SECONDS):
        for number, said in enumerate(SAID):
            ids.add((await memory.add_memory(**turn(said, number))).id)
    assert len(ids) == len(SAID)
    return ids


async def consolidated(memory: MemoryCore, ids: set[str]) -> tuple[ProfileView, tuple[str, ...]]:
    """The profile and the notes of a retrieval afterwards; every page is found."""
    with anyio.fail_after(PATIENCE_SECONDS):
        await memory.consolidate()
    found = await memory.retrieve_memory("turn", max_results=50)
    assert {hit.page.id for hit in (*found.short_term, *found.pages)} == ids
    return await memory.get_user_profile(), found.notes


def assert_nothing_is_wrong(view: ProfileView) -> None:
    """Whatever was learnt is what was said."""
    assert {fact.text for fact in view.user_facts} <= STATED
    assert view.assistant_facts == ()
    lines = view.profile.lines if view.profile else ()
    assert {line.text for line in lines} <= LINES


async def check_fault(opened: OpenMemory, base_url: str, note: str) -> None:
    async with opened(model=model_at(base_url), **EAGER) as memory:
        ids = await add_all(memory)
        view, notes = await consolidated(memory, ids)
    assert (view.profile, view.user_facts, view.assistant_facts) == (None, (), ())
    assert view.pending == len(SAID) - EAGER["short_term_capacity"]
    for told in (notes, view.notes):
        assert any(note in sentence for sentence in told), told
        assert KEY not in str(told)


@pytest.mark.parametrize("fault", FAULTS, ids=str)
async def test_a_fault_of_the_endpoint_is_told_and_teaches_nothing(
    opened: OpenMemory, fault: Fault
) -> None:
    with StubLLM(
        behaviour=fault.behaviour, delay=fault.delay, retry_after=fault.retry_after
    ) as stub:
        await check_fault(opened, stub.base_url, fault.note)
        assert stub.calls


async def test_an_endpoint_that_is_down_is_told_and_teaches_nothing(opened: OpenMemory) -> None:
    with StubLLM() as stub:
        gone = stub.base_url
    await check_fault(opened, gone, "cannot be reached")


@pytest.mark.parametrize("behaviour", ODD_BUT_RIGHT)
async def test_answers_in_odd_clothes_fill_the_tiers(opened: OpenMemory, behaviour: str) -> None:
    with StubLLM(behaviour=behaviour) as stub:
        async with opened(model=model_at(stub.base_url), **EAGER) as memory:
            ids = await add_all(memory)
            view, notes = await consolidated(memory, ids)
    assert (notes, view.notes, view.pending) == ((), (), 0)
    assert view.profile is not None
    assert_nothing_is_wrong(view)
    assert len(view.user_facts) > 5
    assert len(view.profile.lines) > 5
    assert {view.profile.made_by, *(fact.made_by for fact in view.user_facts)} == {MODEL}


@pytest.mark.parametrize("behaviour", ["out_of_range", "cut_json", "truncated", "long_list"])
async def test_half_an_answer_teaches_only_what_was_said(
    opened: OpenMemory, behaviour: str
) -> None:
    with StubLLM(behaviour=behaviour) as stub:
        async with opened(model=model_at(stub.base_url), **EAGER) as memory:
            ids = await add_all(memory)
            view, _ = await consolidated(memory, ids)
    assert_nothing_is_wrong(view)


@pytest.mark.parametrize("kind", ["topics", "facts", "profile"])
async def test_what_one_question_spoils_is_made_good_later(opened: OpenMemory, kind: str) -> None:
    with StubLLM() as stub:
        stub.by_kind[kind] = "prose"
        async with opened(model=model_at(stub.base_url), **EAGER) as memory:
            ids = await add_all(memory)
            view, notes = await consolidated(memory, ids)
            assert (view.profile, view.user_facts) == (None, ())
            assert any("no usable answer" in note for note in notes)
        stub.by_kind.clear()
        async with opened(model=model_at(stub.base_url), **EAGER) as memory:
            view, notes = await consolidated(memory, ids)
    assert (notes, view.pending) == ((), 0)
    assert view.profile is not None
    assert_nothing_is_wrong(view)
