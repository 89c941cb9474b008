"""Short -> mid: pages beyond the window become topics, topics join segments (paper 3.3)."""

from collections.abc import Sequence
from functools import partial

from anyio import to_thread

from memory_core import heuristic, long_term, mid_term
from memory_core.concurrency import together
from memory_core.distil import topics_in
from memory_core.errors import ModelError
from memory_core.records import About, FactDraft, Page, Topic
from memory_core.short_term import batched
from memory_core.store import pages, segments
from memory_core.store.facts import all_facts
from memory_core.store.transitions import write_placement
from memory_core.topics import topics_by_rule
from memory_core.walk import Walk


async def place_batches(walk: Walk, scope: int, *, whole_only: bool) -> bool:
    """Place the oldest pages beyond a scope's window; false when there are none.

    Several batches at a time, whose questions are independent and are asked side by side.

    Args:
        whole_only: leave a last batch that is not full to fill.

    Raises:
        ModelError, EmbedderError: nothing of the failed batch is placed, its pages wait; what came
            before it is.
        StalePlan: another process placed the same pages.
    """
    limits = walk.limits
    waiting = await walk.database.read(
        pages.overflow, scope, limits.short_term, limits.batch * walk.batches_at_once
    )
    batches = batched(waiting, limits.batch)
    if whole_only and batches and len(batches[-1]) < limits.batch:
        batches.pop()
    if not batches:
        return False
    # Pages that came in during this pass may have none yet, and placement compares vectors.
    await walk.embedding.embed_backlog()
    await _place_in_order(walk, scope, batches)
    return True


async def _place_in_order(walk: Walk, scope: int, batches: Sequence[Sequence[Page]]) -> None:
    """Find the topics of all batches side by side, and place them in the order of their pages."""
    found: dict[int, list[Topic]] = {}
    failed: dict[int, ModelError] = {}

    async def ask(number: int) -> None:
        try:
            found[number] = await _topics(walk, batches[number])
        except ModelError as error:
            failed[number] = error

    await together(*(partial(ask, number) for number in range(len(batches))))
    foreseen: list[FactDraft] = []
    for number, batch in enumerate(batches):
        if number in failed:
            raise failed[number]
        await _place_pages(walk, scope, batch, found[number], foreseen)


async def _place_pages(
    walk: Walk,
    scope: int,
    batch: Sequence[Page],
    topics: Sequence[Topic],
    foreseen: list[FactDraft],
) -> None:
    """Place a batch. foreseen: what pages placed before it will say once they are digested."""
    by_key = {page.key: page for page in batch}
    known = await walk.database.read(all_facts, (scope,))
    live = {s.key: s for s in await walk.database.read(segments.live_segments, (scope,))}
    # One space throughout: recall may switch to another while the model thinks.
    space = walk.embedding.space
    spread = mid_term.spread_of(space.related_from if space else 0.0)
    vectors = dict(await walk.vectors.of(space, [*by_key, *live]))
    for topic in topics:
        await walk.courtesy.wait_for_quiet()
        own = [by_key[key] for key in topic.page_keys]
        middle = mid_term.center([vectors[key] for key in topic.page_keys if key in vectors])
        before = await walk.database.read(segments.page_before, scope, own[0].key)
        segment = mid_term.best_segment(
            topic,
            middle,
            list(live.values()),
            vectors,
            mid_term.chained_to(own[0], before),
            walk.limits.similarity,
            spread,
        )
        held = [fact.text for fact in known if fact.about is About.USER]
        held += [draft.text for draft in foreseen if draft.about is About.USER]
        plain = await to_thread.run_sync(heuristic.facts_of, own, walk.zone, held)
        # Heat rations what costs: questions to a model. What rules can read costs nothing.
        news = bool(plain) if walk.model is None else long_term.is_news(plain, known, foreseen)
        foreseen += plain
        plan = mid_term.placement(topic, own, segment, news=news)
        old = vectors.get(segment.key) if segment else None
        vector = mid_term.moved_center(old, segment.pages if segment else 0, middle, len(own))
        key = await walk.database.write(
            write_placement,
            scope,
            plan,
            walk.made_by,
            walk.clock(),
            space.name if space else None,
            vector,
            capacity=walk.limits.mid_term,
            coldest=partial(
                mid_term.coldest,
                now=walk.clock(),
                weights=walk.limits.weights,
                capacity=walk.limits.mid_term,
            ),
        )
        live |= await walk.database.read(segments.segments_by_key, [key])
        if len(live) > walk.limits.mid_term:  # some have left for this one
            live = await walk.database.read(segments.segments_by_key, [*live])
        if vector is not None:
            vectors[key] = vector


async def _topics(walk: Walk, batch: Sequence[Page]) -> list[Topic]:
    model = walk.model
    if model is None:
        return await to_thread.run_sync(topics_by_rule, batch)
    return await topics_in(walk, model, batch)
