"""Pages put to a model: what they say, and what they change in the profile."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TypeVar

from anyio import to_thread

from memory_core import heuristic, long_term
from memory_core.backends.llm import LanguageModel
from memory_core.concurrency import together
from memory_core.errors import ModelOverflow
from memory_core.junk import Refusal, known_texts, readable
from memory_core.prompts.facts import JudgedFacts, facts_question, judge_facts, recites_facts
from memory_core.prompts.profile import Revision, judge_changes, profile_question, recites_profile
from memory_core.prompts.topics import topics_from, topics_question
from memory_core.records import Fact, Page, Profile, ProfileLine, Topic
from memory_core.short_term import batched
from memory_core.walk import Walk

T = TypeVar("T")
K = TypeVar("K")


@dataclass(frozen=True, slots=True)
class Guarded:
    """Pages as they are to be read, and what was left out of them."""

    pages: tuple[Page, ...]
    refused: tuple[Refusal, ...]


async def guarded(pages: Sequence[Page], known: Sequence[Fact], profile: Profile | None) -> Guarded:
    """What of these pages is worth reading, given what the memory would say back."""
    texts = known_texts(known, profile)
    read = await to_thread.run_sync(lambda: [readable(page, texts) for page in pages])
    refused = [one for each in read for one in each.refused]
    return Guarded(tuple(each.page for each in read), tuple(refused))


async def topics_in(walk: Walk, model: LanguageModel, pages: Sequence[Page]) -> list[Topic]:
    """The topics of a batch of pages, oldest first; each page is in one of them.

    Raises:
        ModelError: the question failed.
    """

    async def topics_of(run: Sequence[Page]) -> list[Topic]:
        read = await guarded(run, (), None)
        return topics_from(await model.ask(topics_question(read.pages, walk.zone)), run)

    return await in_halves(topics_of, pages)


async def facts_in(
    walk: Walk, model: LanguageModel, pages: Sequence[Page], known: Sequence[Fact]
) -> JudgedFacts:
    """The facts in these pages, oldest first. Questions about runs of pages go side by side.

    Who recites what is known is asked again without it; what is said twice is one fact anyway.

    Args:
        pages: as `guarded` leaves them.
        known: current facts; those that the pages may repeat or change are shown to the model.

    Raises:
        ModelError: one of the questions failed.
    """
    near = await _nearby(walk, known, pages)
    found: dict[int, list[JudgedFacts]] = {}

    async def facts_of(run: Sequence[Page]) -> list[JudgedFacts]:
        reply, shown = await _without_recital(
            walk,
            "facts",
            near,
            lambda shown: model.ask(facts_question(run, shown, walk.zone)),
            lambda reply, shown: recites_facts(reply, run, shown),
        )
        return [judge_facts(reply, run, shown, walk.zone)]

    async def ask(number: int, run: Sequence[Page]) -> None:
        found[number] = await in_halves(facts_of, run)

    runs = batched(pages, walk.limits.batch)
    await together(*(partial(ask, number, run) for number, run in enumerate(runs)))
    judged = [each for number in sorted(found) for each in found[number]]
    return JudgedFacts(
        tuple(draft for each in judged for draft in each.drafts),
        tuple(one for each in judged for one in each.refused),
    )


async def _nearby(walk: Walk, known: Sequence[Fact], pages: Sequence[Page]) -> Sequence[Fact]:
    space = walk.embedding.space
    return long_term.known_nearby(
        known,
        await walk.vectors.of(space, [fact.key for fact in known]),
        await walk.vectors.of(space, [page.key for page in pages]),
    )


async def revised_profile(
    walk: Walk, model: LanguageModel, lines: Sequence[ProfileLine], pages: Sequence[Page]
) -> Revision:
    """The lines of a profile with what these pages change.

    One question after another, since each is about the lines as the one before left them. Who
    recites the lines is asked again without them, and can only add to them.

    Args:
        pages: as `guarded` leaves them.

    Raises:
        ModelError: one of the questions failed.
    """
    most = walk.limits.batch * long_term.PROFILE_BATCHES
    now = tuple(lines)
    refused: list[Refusal] = []

    async def revise(run: Sequence[Page]) -> list[None]:
        nonlocal now
        reply, shown = await _without_recital(
            walk,
            "profile",
            now,
            lambda shown: model.ask(profile_question(shown, run, walk.zone)),
            lambda reply, shown: recites_profile(reply, run, shown),
        )
        revision = judge_changes(now, reply, run, walk.zone, unseen=not shown)
        now = revision.lines
        refused.extend(revision.refused)
        return []

    for run in long_term.profile_batches(pages, most):
        await in_halves(revise, run)
    plain = await to_thread.run_sync(heuristic.facts_of, pages, walk.zone)
    return Revision(long_term.with_standing(now, plain, pages), tuple(refused))


async def _without_recital(
    walk: Walk,
    kind: str,
    known: Sequence[K],
    ask: Callable[[Sequence[K]], Awaitable[T]],
    recites: Callable[[T, Sequence[K]], bool],
) -> tuple[T, Sequence[K]]:
    """An answer, and what was shown of what is known: nothing to a model that recites it."""
    shown = known if known and walk.habits.may_see(kind) else ()
    reply = await ask(shown)
    if not shown:
        return reply, shown
    recited = recites(reply, shown)
    walk.habits.note(kind, recited=recited)
    return (await ask(()), ()) if recited else (reply, shown)


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
