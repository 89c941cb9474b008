"""Mid -> long: hot segments are distilled into the profile and into facts (paper 3.3, 3.4)."""

from collections.abc import Sequence

from anyio import to_thread

from memory_core import heuristic, mid_term
from memory_core.backends.llm import LanguageModel
from memory_core.concurrency import together
from memory_core.distil import facts_in, guarded, revised_profile
from memory_core.prompts.facts import JudgedFacts
from memory_core.prompts.profile import Revision
from memory_core.records import About, Fact, FactDraft, Page, ProfileLine, Segment
from memory_core.store import facts as fact_store
from memory_core.store import segments
from memory_core.store.profiles import latest_profile
from memory_core.store.transitions import Digest, write_digest
from memory_core.walk import Walk


def due(walk: Walk, own: Sequence[Segment]) -> tuple[Segment, ...]:
    """Those of the segments that are to be digested now, hottest first."""
    return mid_term.hot_segments(own, walk.clock(), walk.limits.weights, walk.limits.heat)


async def digest_hot(walk: Walk, scope: int) -> bool:
    """Digest every hot segment of a scope, a bounded number of pages at a time.

    Returns:
        Whether there was anything to digest.

    Raises:
        ModelError: nothing of the failed part is written, its pages wait.
        StalePlan: another process digested the same pages.
    """
    worked = False
    while hot := due(walk, await walk.database.read(segments.live_segments, (scope,))):
        await walk.courtesy.wait_for_quiet()
        keys = [segment.key for segment in hot]
        fresh = await walk.database.read(segments.pages_of, keys, undigested=True)
        most = walk.limits.batch * walk.batches_at_once
        taken = fresh[:most]
        left = {page.segment_key for page in fresh[most:]}
        # A segment cools only once all that was new in it is digested.
        done = [key for key in keys if key not in left]
        digest = await _distil(walk, scope, done, taken)
        await walk.database.write(
            write_digest, scope, digest, walk.made_by, walk.clock(), walk.limits.long_term
        )
        worked = True
    return worked


async def _distil(walk: Walk, scope: int, done: Sequence[int], fresh: Sequence[Page]) -> Digest:
    old = await walk.database.read(latest_profile, (scope,))
    known = await walk.database.read(fact_store.all_facts, (scope,))
    read = await guarded(fresh, known, old)
    drafts: Sequence[FactDraft]
    profile: tuple[ProfileLine, ...] | None
    if walk.model is None:
        held = [fact.text for fact in known if fact.about is About.USER]
        drafts = await to_thread.run_sync(heuristic.facts_of, read.pages, walk.zone, held)
        profile, refused = None, read.refused
    else:
        facts, revision = await _ask(walk, walk.model, read.pages, known, old.lines if old else ())
        drafts, profile = facts.drafts, revision.lines
        refused = (*read.refused, *facts.refused, *revision.refused)
    return Digest(
        segment_keys=tuple(done),
        page_keys=tuple(page.key for page in fresh),
        facts=tuple(drafts),
        profile=profile,
        based_on=old,
        refused=refused,
    )


async def _ask(
    walk: Walk,
    model: LanguageModel,
    pages: Sequence[Page],
    known: Sequence[Fact],
    lines: Sequence[ProfileLine],
) -> tuple[JudgedFacts, Revision]:
    """Ask for the profile and for the facts side by side."""
    facts: list[JudgedFacts] = []
    revisions: list[Revision] = []

    async def ask_facts() -> None:
        facts.append(await facts_in(walk, model, pages, known))

    async def ask_profile() -> None:
        revisions.append(await revised_profile(walk, model, lines, pages))

    await together(ask_facts, ask_profile)
    return facts[0], revisions[0]
