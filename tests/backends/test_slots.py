"""Calls side by side: as many as the endpoint bears, found out by how it answers."""

import anyio
import pytest

from memory_core.backends.endpoint import Endpoint
from memory_core.backends.openai_llm import OpenAIModel
from memory_core.backends.slots import GOOD_RUN, Slots
from memory_core.errors import ModelError
from tests.backends.test_openai_llm import question
from tests.stub_llm import StubLLM


async def test_calls_that_fail_together_halve_the_bound_once() -> None:
    slots = Slots(8)
    bounds = []
    for _ in range(2):
        await in_tasks(slots)
        bounds.append(slots.bound)
    assert bounds == [4, 2]


async def in_tasks(slots: Slots) -> None:
    """Two calls of two tasks, both too many, side by side."""
    both = anyio.Event()
    waiting = []

    async def call() -> None:
        async with slots.taken() as turn:
            waiting.append(turn)
            if len(waiting) == 2:
                both.set()
            await both.wait()
            assert slots.overloaded(turn)

    async with anyio.create_task_group() as group:
        group.start_soon(call)
        group.start_soon(call)


async def test_a_call_that_fails_alone_says_nothing_about_the_bound() -> None:
    slots = Slots(8)
    async with slots.taken() as turn:
        assert not slots.overloaded(turn)
    assert slots.bound == 8


async def test_good_answers_raise_the_bound_one_by_one_and_slower_after_each_halving() -> None:
    slots = Slots(4)
    await in_tasks(slots)
    needed = []
    for bound in (3, 4):
        count = 0
        while slots.bound < bound:
            slots.answered()
            count += 1
        needed.append(count)
    assert needed == [2 * GOOD_RUN, 2 * GOOD_RUN]
    for _ in range(200):
        slots.answered()
    assert slots.bound == 4


async def test_the_bound_never_falls_below_one() -> None:
    slots = Slots(2)
    await in_tasks(slots)
    assert slots.bound == 1
    async with slots.taken() as turn:
        assert not slots.overloaded(turn)
    assert slots.bound == 1


async def ask_all(model: OpenAIModel, number: int) -> list[ModelError]:
    """Ask so many questions side by side; the failures."""
    failed: list[ModelError] = []

    async def ask() -> None:
        try:
            assert (await model.ask(question())).topics
        except ModelError as error:
            failed.append(error)

    async with anyio.create_task_group() as group:
        for _ in range(number):
            group.start_soon(ask)
    return failed


async def test_an_endpoint_with_one_slot_is_soon_asked_one_by_one_and_all_is_answered() -> None:
    with StubLLM(delay=0.3, slots=1) as stub:
        model = OpenAIModel("stub-1", stub.base_url, timeout=0.75, max_parallel=6)
        with anyio.fail_after(30):
            assert await ask_all(model, 12) == []
        assert model.bound <= 2
        answered = [call for call in stub.calls if call.status == 200]
        given_up = len(stub.calls) - len(answered)
        await model.close()
    assert len(answered) >= 12
    assert given_up <= 10


@pytest.mark.parametrize("beyond", [1, 2])
async def test_an_endpoint_that_says_too_many_is_asked_less_at_once(beyond: int) -> None:
    with StubLLM(delay=0.1, busy_beyond=beyond, retry_after=0.15) as stub:
        model = OpenAIModel("stub-1", stub.base_url, max_parallel=8)
        failed = []
        for _ in range(3):
            failed.append(len(await ask_all(model, 8)))
        assert model.bound <= 2 * beyond
        await model.close()
    assert failed[-1] == 0


async def test_models_at_one_endpoint_share_its_bound() -> None:
    with StubLLM(delay=0.1) as stub:
        endpoint = Endpoint(stub.base_url, max_parallel=2)
        model = OpenAIModel("stub-1", endpoint=endpoint)
        other = OpenAIModel("stub-2", endpoint=endpoint)
        async with anyio.create_task_group() as group:
            for _ in range(3):
                group.start_soon(model.ask, question())
                group.start_soon(other.write, "Be kind.", "Hello?")
        assert (stub.peak, len(stub.calls)) == (2, 6)
        assert {call.body["model"] for call in stub.calls} == {"stub-1", "stub-2"}
        await model.close()
        await other.close()
