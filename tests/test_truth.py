"""What takes the place of what, by rules, through the public door."""

import pytest

from tests.conftest import OpenMemory


async def facts_after(opened: OpenMemory, *said: str) -> list[str]:
    async with opened(short_term_capacity=1) as memory:
        for text in (*said, "That is all."):
            await memory.add_memory(text, "I see.")
            await memory.consolidate()
        return sorted(fact.text for fact in (await memory.get_user_profile()).user_facts)


@pytest.mark.parametrize(
    ("said", "stand"),
    [
        (
            ("I live in Oslo.", "I don't live in Rome anymore."),
            ["The user lives in Oslo.", "The user no longer lives in Rome."],
        ),
        (("I live in Rome.", "I no longer live in Rome."), ["The user no longer lives in Rome."]),
        (
            ("I no longer live in Rome.", "I live in Oslo."),
            ["The user lives in Oslo."],
        ),
        (("我现在住在北京。", "我不住在上海了。"), ["用户不再住在上海。", "用户住在北京。"]),
        (("我住在上海。", "我不住在上海了。"), ["用户不再住在上海。"]),
        (
            ("I work for Acme.", "I left Acme."),
            ["The user left Acme.", "The user left their previous job."],
        ),
        (
            ("My son is called Max.", "My son is called Tim."),
            ["The user's son is called Max.", "The user's son is called Tim."],
        ),
        (("我儿子叫小明。", "我儿子叫小强。"), ["用户的儿子叫小强。", "用户的儿子叫小明。"]),
        (("My wife is called Ana.", "My wife is called Bea."), ["The user's wife is called Bea."]),
        (
            ("My daughter is 5.", "My daughter is 6."),
            ["The user's daughter is 6 years old."],
        ),
    ],
)
async def test_only_what_excludes_a_fact_takes_its_place(
    opened: OpenMemory, said: tuple[str, ...], stand: list[str]
) -> None:
    assert await facts_after(opened, *said) == stand
