"""The daily budget of tokens: who it stops, for how long, and how that is told."""

from datetime import timedelta
from typing import Any

import anyio
import pytest

from memory_core import MemoryCore
from memory_core.backends.llm import Spent
from memory_core.errors import BudgetSpent
from memory_core.store import usage
from memory_core.testing import Clock
from tests.conftest import OpenMemory
from tests.end_to_end.turns import EAGER, SAID, turn
from tests.stub_llm import StubLLM

SPENT = "budget of 3000 tokens is spent"
A_DAY = timedelta(days=1)


def settings(stub: StubLLM, **more: Any) -> dict[str, Any]:
    return {"openai_base_url": stub.base_url, "llm_daily_token_budget": 3000, **EAGER, **more}


async def spend(memory: MemoryCore, clock: Clock, tokens: int) -> None:
    """As if another process had asked a model."""
    spent = Spent(kind="facts", prompt_tokens=tokens - 1, completion_tokens=1)
    await memory._database.write(usage.record, clock().date(), "other", spent)


async def add_all(memory: MemoryCore) -> None:
    for number, said in enumerate(SAID):
        await memory.add_memory(**turn(said, number))


async def consolidate(memory: MemoryCore) -> None:
    with anyio.fail_after(30):
        await memory.consolidate()


async def test_what_another_process_has_spent_counts_and_the_next_day_goes_on(
    opened: OpenMemory, clock: Clock
) -> None:
    with StubLLM() as stub:
        async with opened(**settings(stub)) as memory:
            await spend(memory, clock, 3000)
            await add_all(memory)
            await consolidate(memory)
            assert stub.calls == []
            view = await memory.get_user_profile()
            assert view.pending == 10
            (note,) = view.notes
            assert SPENT in note and "2026-05-02 00:00 UTC" in note
            status = await memory.status()
            assert [w for w in status.warnings if SPENT in w] == [note]
            assert [job.attempts for job in status.queue.jobs if job.attempts] == []
            clock.advance(A_DAY)
            await consolidate(memory)
            assert stub.calls
            assert (await memory.get_user_profile()).pending < 10


async def test_a_budget_that_runs_out_on_the_way_is_passed_by_what_is_under_way_only(
    opened: OpenMemory,
) -> None:
    with StubLLM(delay=0.05) as stub:
        parallel = {"llm_max_parallel": 2, "consolidation_batch_size": 1}
        async with opened(**settings(stub, **parallel)) as memory:
            await add_all(memory)
            await consolidate(memory)
            status = await memory.status()
            view = await memory.get_user_profile()
    used = sum(kind.prompt_tokens + kind.completion_tokens for kind in status.model.today)
    dearest = max(call.prompt_tokens for call in stub.calls) + 500
    assert 3000 <= used <= 3000 + 2 * dearest
    assert [job.attempts for job in status.queue.jobs if job.attempts] == []
    assert any(SPENT in note for note in view.notes)
    assert not any("next try" in note or "parked" in note for note in view.notes)


async def test_an_answer_is_refused_when_the_budget_is_spent(
    opened: OpenMemory, clock: Clock
) -> None:
    with StubLLM() as stub:
        async with opened(**settings(stub)) as memory:
            assert (await memory.respond("Hello?")).text
            await spend(memory, clock, 3000)
            with pytest.raises(BudgetSpent, match=SPENT) as caught:
                await memory.respond("Hello?")
            assert caught.value.retry_after == 12 * 3600
            clock.advance(A_DAY)
            assert (await memory.respond("Hello?")).text
        assert len(stub.calls) == 2


async def test_without_a_limit_nothing_is_ever_spent(opened: OpenMemory, clock: Clock) -> None:
    with StubLLM() as stub:
        async with opened(**settings(stub, llm_daily_token_budget=0)) as memory:
            await spend(memory, clock, 10**9)
            assert (await memory.respond("Hello?")).text


async def test_rules_cost_nothing_and_know_no_budget(opened: OpenMemory, clock: Clock) -> None:
    async with opened(llm_daily_token_budget=1, **EAGER) as memory:
        await spend(memory, clock, 100)
        await add_all(memory)
        await consolidate(memory)
        assert (await memory.get_user_profile()).pending == 0
