"""Days and times are those of the people of a memory, wherever its machine stands."""

from datetime import UTC, datetime
from typing import Any

from memory_core.backends.llm import Question
from memory_core.testing import Clock, ScriptedModel
from server.compact import profile_view_text, recollection_text
from tests.conftest import OpenMemory

MORNING = datetime(2026, 5, 1, 23, 30, tzinfo=UTC)
"""Half past seven of 2 May in Shanghai, where "tomorrow" is the third."""

SHANGHAI = {"timezone": "Asia/Shanghai", "short_term_capacity": 1}


async def test_tomorrow_is_the_users_and_so_are_the_times_shown(
    opened: OpenMemory, clock: Clock
) -> None:
    clock.now = MORNING
    async with opened(**SHANGHAI) as memory:
        await memory.add_memory("我明天要去杭州出差。", "知道了。")
        await memory.add_memory("I'm going to run the marathon of Hangzhou tomorrow.", "Noted.")
        await memory.add_memory("Thanks!", "You are welcome.")
        await memory.consolidate()
        view = await memory.get_user_profile()
        told = " ".join(fact.text for fact in view.user_facts)
        assert told.count("2026-05-03") == 2
        assert "2026-05-02" not in told
        assert "- [2026-05-02] " in profile_view_text(
            view, memory.zone, user_facts=True, assistant_facts=True
        )
        found = recollection_text(await memory.retrieve_memory("Hangzhou"), memory.zone)
        assert "- [2026-05-02 07:30] User: " in found
        assert "times in Asia/Shanghai" in found


async def test_a_model_is_shown_the_users_times(opened: OpenMemory, clock: Clock) -> None:
    clock.now = MORNING
    model = ScriptedModel(answer=_nothing)
    model.enqueue("杭州。")
    async with opened(model=model, **SHANGHAI) as memory:
        for text in ("我昨天搬到了杭州。", "Thanks!"):
            await memory.add_memory(text, "Noted.")
        await memory.consolidate()
        await memory.respond("我住在哪里？")
    shown = [question.text for question in model.history]
    assert {question.kind for question in model.history} >= {"topics", "facts", "profile"}
    assert all("] 2026-05-02 07:30 Sat" in text for text in shown)
    assert "Now: 2026-05-02 07:30 Sat (Asia/Shanghai)" in model.written[0].text
    assert "2026-05-01" not in model.written[0].text


def _nothing(question: Question[Any]) -> Any:
    return question.reply.model_construct(topics=[], facts=[], changes=[])
