"""Pages put to a model: what they say, and what they change in the profile."""

from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from typing import TypeVar

from memory_core import long_term
from memory_core.backends.llm import LanguageModel
from memory_core.concurrency import together
from memory_core.errors import ModelOverflow
from memory_core.prompts.facts import facts_from, facts_question
from memory_core.prompts.profile import profile_question, revise
from memory_core.records import Fact, FactDraft, Page, ProfileLine
from memory_core.short_term import batched
from memory_core.walk import Walk

T = TypeVar("T")


async def facts_in(
    walk: Walk, model: LanguageModel, pages: Sequence[Page], known: Sequence[Fact]
) -> list[FactDraft]:
    """The facts in these pages, oldest first. Questions about runs of pages go side by side.

    Args:
        known: current facts; those that the pages may repeat or change are shown to the model.

    Raises:
        ModelError: one of the questions failed.
    """
    near = await _nearby(walk, known, pages)
    found: dict[int, list[FactDraft]] = {}

    async def facts_of(run: Sequence[Page]) -> list[FactDraft]:
        return facts_from(await model.ask(facts_question(run, near)), run, near)

    async def ask(number: int, run: Sequence[Page]) -> None:
        found[number] = await in_halves(facts_of, run)

    runs = batched(pages, walk.limits.batch)
    await together(*(partial(ask, number, run) for number, run in enumerate(runs)))
    return [draft for number in sorted(found) for draft in found[number]]


async def _nearby(walk: Walk, known: Sequence[Fact], pages: Sequence[Page]) -> Sequence[Fact]:
    space = walk.embedding.space
    return long_term.known_nearby(
        known,
        await walk.vectors.of(space, [fact.key for fact in known]),
        await walk.vectors.of(space, [page.key for page in pages]),
    )


async def revised_profile(
    walk: Walk, model: LanguageModel, lines: Sequence[ProfileLine], pages: Sequence[Page]
) -> tuple[ProfileLine, ...]:
    """The lines of a profile with what these pages change.

    One question after another, since each is about the lines as the one before left them.

    Raises:
        ModelError: one of the questions failed.
    """
    most = walk.limits.batch * long_term.PROFILE_BATCHES
    revised = tuple(lines)

    async def revise_by(run: Sequence[Page]) -> list[None]:
        nonlocal revised
        revised = revise(revised, await model.ask(profile_question(revised, run)), run)
        return []

    for run in long_term.profile_batches(pages, most):
        await in_halves(revise_by, run)
    return revised


async def in_halves(
    ask: Callable[[Sequence[Page]], Awaitable[list[T]]], pages: Sequence[Page]
) -> list[T]:
    """Ask about pages; where the model cannot take so many at once, about each half in order.

    Raises:
        ModelOverflow: it cannot even take a single page.
    """
    try:
        return await ask(pages)
    except ModelOverflow:
        if len(pages) == 1:
            raise
    middle = len(pages) // 2
    return [*await in_halves(ask, pages[:middle]), *await in_halves(ask, pages[middle:])]
