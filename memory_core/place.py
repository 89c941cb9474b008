"""Short -> mid: pages beyond the window become topics, topics join segments (paper 3.3)."""

from collections.abc import Sequence

from anyio import to_thread

from memory_core import heuristic, long_term, mid_term
from memory_core.prompts.topics import topics_from, topics_question
from memory_core.records import Page, Topic
from memory_core.store import pages, segments
from memory_core.store.facts import all_facts
from memory_core.store.transitions import write_placement
from memory_core.topics import topics_by_rule
from memory_core.walk import Walk


async def place_batch(walk: Walk, scope: int) -> bool:
    """Place the oldest pages beyond a scope's window; false when there are none.

    Raises:
        ModelError, EmbedderError: nothing more is placed, the pages wait.
        StalePlan: another process placed the same pages.
    """
    limits = walk.limits
    batch = await walk.database.read(pages.overflow, scope, limits.short_term, limits.batch)
    if not batch:
        return False
    # Pages that came in during this pass may have none yet, and placement compares vectors.
    await walk.embedding.embed_backlog()
    await _place_pages(walk, scope, batch)
    await _retire(walk, scope)
    return True


async def _place_pages(walk: Walk, scope: int, batch: Sequence[Page]) -> None:
    by_key = {page.key: page for page in batch}
    topics = await _topics(walk, batch)
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
        plain = await to_thread.run_sync(heuristic.facts_of, own)
        # Heat rations what costs: questions to a model. What rules can read costs nothing.
        news = bool(plain) if walk.model is None else long_term.is_news(plain, known)
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
        )
        live |= await walk.database.read(segments.segments_by_key, [key])
        if vector is not None:
            vectors[key] = vector


async def _topics(walk: Walk, batch: Sequence[Page]) -> list[Topic]:
    if walk.model is None:
        return await to_thread.run_sync(topics_by_rule, batch)
    return topics_from(await walk.model.ask(topics_question(batch)), batch)


async def _retire(walk: Walk, scope: int) -> None:
    """Beyond the capacity the coldest segments leave the mid-term; their pages stay findable."""
    live = await walk.database.read(segments.live_segments, (scope,))
    cold = mid_term.coldest(live, walk.clock(), walk.limits.weights, walk.limits.mid_term)
    if cold:
        await walk.database.write(segments.retire_segments, cold, walk.clock())
