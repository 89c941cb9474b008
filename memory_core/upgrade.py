"""Once there is a model: what rules have distilled is distilled again, without duplicates.

Facts first, oldest pages first, a bounded number at a time and only when nothing newer waits. Then
the profile, anew from the turns that the current facts come from, and what segments say.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial
from itertools import accumulate

from memory_core.backends.llm import LanguageModel
from memory_core.concurrency import together
from memory_core.distil import facts_in, guarded, revised_profile, topics_in
from memory_core.long_term import say_the_same
from memory_core.mid_term import retold
from memory_core.records import HEURISTIC, About, Fact, FactDraft, Page, Topic
from memory_core.short_term import batched
from memory_core.store import facts as fact_store
from memory_core.store import segments, upgrades
from memory_core.store.pages import pages_by_id
from memory_core.store.profiles import latest_profile
from memory_core.store.segments import StalePlan
from memory_core.walk import Walk


async def upgrade(walk: Walk, scope: int) -> bool:
    """Upgrade some of a scope.

    Returns:
        Whether there was anything to upgrade.

    Raises:
        ModelError: nothing of it is written.
        StalePlan: another process upgraded the same pages.
    """
    if walk.model is None:
        return False
    most = walk.limits.batch * walk.batches_at_once
    pages = await walk.database.read(upgrades.pages_digested_by_rules, scope, most)
    if pages:
        await _upgrade_facts(walk, walk.model, scope, pages)
        return True
    return await _upgrade_profile(walk, walk.model, scope) or await _upgrade_segments(
        walk, walk.model, scope
    )


async def _upgrade_facts(
    walk: Walk, model: LanguageModel, scope: int, pages: Sequence[Page]
) -> None:
    known = await walk.database.read(fact_store.all_facts, (scope,))
    ids = {page.id for page in pages}
    # What rules made of these pages is not shown, or the model would leave it as it is.
    by_rules = [f for f in known if f.made_by == HEURISTIC and ids.issuperset(f.source_ids)]
    others = [fact for fact in known if fact not in by_rules]
    read = await guarded(pages, others, await walk.database.read(latest_profile, (scope,)))
    judged = await facts_in(walk, model, read.pages, others)
    keys = {page.id: page.key for page in pages}
    await walk.database.write(
        upgrades.write_upgrade,
        scope,
        tuple(page.key for page in pages),
        restated(judged.drafts, by_rules, keys),
        (*read.refused, *judged.refused),
        walk.made_by,
        walk.clock(),
        walk.limits.long_term,
    )


def restated(
    drafts: Sequence[FactDraft], by_rules: Sequence[Fact], keys: dict[str, int]
) -> list[FactDraft]:
    """The drafts, each taking the place of what rules made of the same pages and words.

    Statements of rules that no draft says again stay as they are: rules miss much, but what they
    take was plainly said. keys: of pages, by their public ids.
    """
    result = []
    for draft in drafts:
        same = [
            fact
            for fact in by_rules
            if fact.about is draft.about and say_the_same(draft.text, fact.text)
        ]
        sources = [keys[id] for fact in same for id in fact.source_ids]
        result.append(
            replace(
                draft,
                replaces=(*draft.replaces, *(fact.key for fact in same)),
                source_keys=tuple(dict.fromkeys((*draft.source_keys, *sources))),
            )
        )
    return result


async def _upgrade_profile(walk: Walk, model: LanguageModel, scope: int) -> bool:
    old = await walk.database.read(latest_profile, (scope,))
    if old is None or old.made_by != HEURISTIC:
        return False
    current = await walk.database.read(fact_store.current_facts, (scope,), About.USER)
    ids = {id for fact in current for id in fact.source_ids}
    pages = await walk.database.read(pages_by_id, sorted(ids))
    read = await guarded(pages, (), None)
    revision = await revised_profile(walk, model, (), read.pages)
    # A model that has nothing to say of the user does not take away what rules have found.
    await walk.database.write(
        upgrades.write_profile, scope, revision.lines or old.lines, old, walk.made_by, walk.clock()
    )
    return True


async def _upgrade_segments(walk: Walk, model: LanguageModel, scope: int) -> bool:
    """Tell some segments anew. Their pages stay where they are, but those of several are asked
    about together: most segments of rules have few.
    """
    most = walk.limits.batch * walk.batches_at_once
    old = await walk.database.read(segments.segments_by_rules, scope, most)
    sizes = accumulate(segment.pages for segment in old)
    taken = [segment for segment, so_far in zip(old, sizes, strict=True) if so_far <= most]
    taken = taken or list(old[:1])
    if not taken:
        return False
    pages = await walk.database.read(segments.pages_of, [segment.key for segment in taken])
    asked = pages[-most:]  # of one that is larger, the newest
    own = {s.key: frozenset(p.key for p in asked if p.segment_key == s.key) for s in taken}
    if not all(own.values()):
        raise StalePlan  # a page has joined one of them since
    topics: dict[int, list[Topic]] = {}

    async def ask(number: int, run: Sequence[Page]) -> None:
        topics[number] = await topics_in(walk, model, run)

    runs = batched(asked, walk.limits.batch)
    await together(*(partial(ask, number, run) for number, run in enumerate(runs)))
    found = [topic for number in sorted(topics) for topic in topics[number]]
    told = [retold(segment, own[segment.key], found) for segment in taken]
    await walk.database.write(upgrades.write_segments, told, walk.made_by)
    return True
