"""The walk of a query: channels side by side, fused, read back from the store, explained.

Every hit is an id until the end, when it is read from SQLite: whatever an index still holds of
something gone cannot come up.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, tzinfo
from functools import partial

from anyio import to_thread

from memory_core import ranking
from memory_core.concurrency import together
from memory_core.config import RECALL_CHANNELS
from memory_core.embedding import Asked, Embedding
from memory_core.events import event_in
from memory_core.evidence import bm25_shares, evidence
from memory_core.form import Form, form_of
from memory_core.mid_term import spread_of
from memory_core.periods import Period, periods_of
from memory_core.questions import asks_for_several, asks_what_was_said
from memory_core.ranking import Ranked, Shares
from memory_core.records import About, FactHit, Kind, Page, PageHit, Scope
from memory_core.relevance import Looked, Nearest, facts_shown, pages_shown
from memory_core.rerank import Reranking
from memory_core.store.around import PAUSE
from memory_core.store.database import Database
from memory_core.store.rows import find_scopes
from memory_core.store.search import Hits, Worded, read_hits, read_words, write_use
from memory_core.vectors import VectorMemory
from memory_core.writing import foreign_scripts
from memory_core.zones import in_zone

SEGMENTS = 5


@dataclass(frozen=True, slots=True, kw_only=True)
class Breadth:
    """How many pages are looked at.

    nearest: the nearest by meaning, beside those with words of the question; judged: of both the
    best, which are looked at closely; lifting: of these, whose neighbours are looked at as well,
    as an answer stands by its question; formed: of all these the best, whose form counts, None for
    all: looking at it takes a tenth of a millisecond each.
    """

    nearest: int
    judged: int
    lifting: int
    formed: int | None


USUAL = Breadth(nearest=100, judged=150, lifting=100, formed=120)
WIDE = Breadth(nearest=200, judged=300, lifting=160, formed=None)
"""Where more than half of the usual pages are wanted: then the far end has to be right as well."""

# In units of the evidence's weights, whose sums differ by 1 when one page is 2.7 times as likely.
MEANING_WEIGHT = 1.5
WITHIN_WEIGHT = 1.0
FACT_WEIGHT = 6.0
SEGMENT_WEIGHT = 0.5
RECENCY_WEIGHT = 0.3
RECENCY_HALF_LIFE_DAYS = 30.0
SUPERSEDED_WEIGHT = 2.0
PERIOD_WEIGHT = 3.0
SAID_THEN_WEIGHT = 8.0
"""Of the period, when it is asked what was said then, and not what happened."""
TOLD_HALF_LIFE_DAYS = 5.0
SITTING_WEIGHT = 0.2
SITTING_BEST = 2
MIDDLE = 13.0
FORMS_KEPT = 20_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What recall brings back, best first.

    window: scores of those pages of the short-term window that fit the query, by key.
    """

    pages: tuple[PageHit, ...]
    window: Mapping[int, PageHit]
    user_facts: tuple[FactHit, ...]
    assistant_facts: tuple[FactHit, ...]


class Recall:
    """Answers queries from one store."""

    def __init__(
        self,
        database: Database,
        embedding: Embedding,
        vectors: VectorMemory,
        clock: Callable[[], datetime],
        *,
        reranking: Reranking | None = None,
        channels: Sequence[str] = RECALL_CHANNELS,
        zone: tzinfo = UTC,
    ) -> None:
        self._database = database
        self._embedding = embedding
        self._vectors = vectors
        self._clock = clock
        self._reranking = reranking or Reranking(None, 0)
        self._channels = channels
        self._zone = zone
        self._forms: dict[int, Form] = {}

    @property
    def note(self) -> str:
        """What readers should know of the reranker; empty when all is well."""
        return self._reranking.note

    async def rest(self) -> None:
        """Let the reranker go; the next question takes it up again."""
        await self._reranking.rest()

    async def find(
        self, text: str, scopes: Sequence[Scope], *, limit: int, window: Sequence[int]
    ) -> Found:
        """What these scopes hold about a text, at most `limit` of each kind.

        window: keys of the pages that are shown anyway, as short-term memory.
        """
        breadth = WIDE if 2 * limit > USUAL.judged else USUAL
        looked = await self.look(text, scopes, breadth)
        # Beside the loop, as it takes some ms: others are being answered meanwhile.
        found = await to_thread.run_sync(self._judge, looked, limit, frozenset(window))
        pages = await self._reranking.reranked(text, found.pages)
        return replace(found, pages=pages[:limit])

    async def look(self, text: str, scopes: Sequence[Scope], breadth: Breadth = USUAL) -> Looked:
        """Gather what may answer a text, and what speaks for it; nothing is judged yet."""
        periods, event = periods_of(text, self._clock(), self._zone), event_in(text)
        worded: list[Worded] = []
        nearest: list[Nearest] = []

        async def by_words() -> None:
            worded.append(await self._database.read(read_words, scopes, text, periods, event))

        async def by_meaning() -> None:
            asked = await self._embedding.embed_query(text)
            nearest.append(await self._nearest(asked, scopes, breadth.nearest))

        await together(by_words, by_meaning)
        near = nearest[0]
        hits = await self._read_hits(worded[0], near, breadth)
        query = near.asked.vector if near.asked else None
        spread = spread_of(near.asked.space.related_from) if near.asked else 1.0

        def weighed() -> Looked:
            foreign = foreign_scripts(text, hits.around.pages)
            numbers = evidence(
                text,
                worded[0].pages,
                query,
                hits.around,
                spread=spread,
                foreign=foreign,
                form_of=self._form_of,
                formed=breadth.formed,
            )
            return Looked(text, worded[0], near, hits, foreign, numbers)

        return await to_thread.run_sync(weighed)

    def _form_of(self, page: Page) -> Form:
        """The form of a page, which never changes: looking for signs in a text takes long."""
        form = self._forms.get(page.key)
        if form is None:
            if len(self._forms) >= FORMS_KEPT:
                self._forms.clear()
            form = self._forms[page.key] = form_of(page)
        return form

    async def _nearest(self, asked: Asked | None, scopes: Sequence[Scope], most: int) -> Nearest:
        found: dict[Kind, Mapping[int, float]] = {kind: {} for kind in Kind}
        keys = await self._database.read(find_scopes, scopes) if asked else ()
        if asked is None or not keys:
            return Nearest(None, {}, {}, {})

        async def search(kind: Kind, limit: int) -> None:
            found[kind] = dict(await self._vectors.search(kind, asked, keys, limit))

        await together(
            partial(search, Kind.PAGE, most),
            partial(search, Kind.FACT, most),
            partial(search, Kind.SEGMENT, SEGMENTS),
        )
        return Nearest(asked, found[Kind.PAGE], found[Kind.FACT], found[Kind.SEGMENT])

    async def _read_hits(self, worded: Worded, near: Nearest, breadth: Breadth) -> Hits:
        """Read what may be an answer: the best by their own words and meaning."""
        sums = bm25_shares(worded.pages)
        for key, cosine in near.pages.items():
            sums[key] = sums.get(key, 0.0) + MEANING_WEIGHT * max(cosine, 0.0)
        for key in worded.within:
            sums[key] = sums.get(key, 0.0) + WITHIN_WEIGHT
        best = sorted(sums, key=lambda key: (-sums[key], -key))[: breadth.judged]
        lifting = best[: breadth.lifting]
        facts = [*worded.facts.rows, *(near.facts.keys() - worded.facts.rows.keys())]
        model = near.asked.space.name if near.asked else None
        return await self._database.read(read_hits, best, lifting, facts, model)

    def _judge(self, looked: Looked, limit: int, window: frozenset[int]) -> Found:
        """Score what was read, and leave out what has nothing to do with the question.

        limit: most facts of each kind; of the pages all stay, to be looked at a second time.
        """
        hits, around = looked.hits, looked.hits.around
        sure, guessed = pages_shown(looked)
        shares = self._page_shares(looked)
        shown = {key: shares[key] for key in shares.keys() & (sure | guessed)}
        pages = [
            PageHit(
                page=around.pages[hit.key],
                score=hit.score,
                why=hit.why,
                superseded_by=hits.newer.get(hit.key, ()),
                guess=hit.key in guessed,
            )
            for hit in ranking.ranked(shown, MIDDLE)
        ]
        facts = [
            FactHit(fact=hits.facts[hit.key], score=hit.score, why=hit.why)
            for hit in self._ranked_facts(looked)
        ]
        return Found(
            pages=distinct(pages, window, self._zone),
            window={hit.page.key: hit for hit in pages if hit.page.key in window},
            user_facts=about(facts, About.USER, limit),
            assistant_facts=about(facts, About.ASSISTANT, limit),
        )

    def _page_shares(self, looked: Looked) -> Shares:
        shares = ranking.shares_of(looked.evidence, self._channels)
        now, topics, period = self._clock(), looked.near.segments, looked.worded.period
        said_then = asks_what_was_said(looked.question)
        for key, page in looked.hits.around.pages.items():
            shares[key] |= self._allowed(
                {
                    "segment": SEGMENT_WEIGHT * topics.get(page.segment_key or 0, 0.0),
                    "recency": RECENCY_WEIGHT * recency(page.at, now),
                    "period": of_period(page.at, period, said_then=said_then),
                    "superseded": -SUPERSEDED_WEIGHT * (key in looked.hits.newer),
                }
            )
        if "sitting" in self._channels and not asks_for_several(looked.question):
            lift_sittings(shares, {key: page.at for key, page in looked.hits.around.pages.items()})
        return shares

    def _ranked_facts(self, looked: Looked) -> list[Ranked]:
        words, now = bm25_shares(looked.worded.facts), self._clock()
        shown = facts_shown(looked, words)
        return ranking.ranked(
            {
                key: self._allowed(
                    {
                        "words": FACT_WEIGHT * words.get(key, 0.0),
                        "vectors": FACT_WEIGHT * looked.near.facts.get(key, 0.0),
                        "recency": RECENCY_WEIGHT * recency(fact.at, now),
                    }
                )
                for key, fact in looked.hits.facts.items()
                if key in shown
            },
            FACT_WEIGHT / 2,
        )

    def _allowed(self, shares: Mapping[str, float]) -> dict[str, float]:
        """Without the channels that are switched off, and those that say nothing."""
        return {name: share for name, share in shares.items() if share and name in self._channels}

    async def note_use(self, found: Found) -> None:
        """Warm up what was recalled; the only thing a read changes."""
        segments = {key for hit in found.pages if (key := hit.page.segment_key) is not None}
        facts = [hit.fact.key for hit in (*found.user_facts, *found.assistant_facts)]
        if segments or facts:
            await self._database.write(write_use, [*segments], facts, self._clock())


def recency(at: datetime, now: datetime) -> float:
    return ranking.recency(at, now, RECENCY_HALF_LIFE_DAYS)


def lift_sittings(shares: Shares, times: Mapping[int, datetime]) -> None:
    """Give each page a part of what its sitting is worth: the mean of the best two said in it."""
    worth = {key: sum(parts.values()) for key, parts in shares.items()}
    for keys in ranking.sittings(times, PAUSE):
        best = sorted((worth[key] for key in keys), reverse=True)[:SITTING_BEST]
        lift = SITTING_WEIGHT * sum(best) / len(best)
        for key in keys if lift > 0 else ():
            shares[key]["sitting"] = lift


def of_period(at: datetime, period: Period | None, *, said_then: bool) -> float:
    """What it is worth to be of the period that a question names, or told in the days after it.

    said_then: it is asked what was said in it, so that what was told later does not count.
    """
    if period is None:
        return 0.0
    if said_then:
        return SAID_THEN_WEIGHT * period.holds(at)
    return PERIOD_WEIGHT * closeness(at, period)


def closeness(at: datetime, period: Period) -> float:
    """1 within a period; people tell of what happened for some days after it, less and less."""
    if period.holds(at):
        return 1.0
    if period.end is None or at < period.end:
        return 0.0
    return ranking.recency(period.end, at, TOLD_HALF_LIFE_DAYS)


def distinct(hits: Sequence[PageHit], window: Set[int], zone: tzinfo) -> tuple[PageHit, ...]:
    """What is not in the window, and of what was said in the same words on one day only the best.

    On another day the same words tell of something else: "I ran five kilometres."
    """
    first: dict[tuple[str, str], Page] = {}
    days: dict[tuple[str, str], set[date]] = {}
    kept = []
    for hit in (*(hit for hit in hits if hit.page.key in window), *hits):
        page, new = hit.page, True
        words = page.user_input.strip(), page.agent_response.strip()
        before = first.setdefault(words, page)
        # Most words are said once, and their day need not be known.
        if before is not page:
            told = days.setdefault(words, {in_zone(before.at, zone).date()})
            day = in_zone(page.at, zone).date()
            new = day not in told
            told.add(day)
        if new and page.key not in window:
            kept.append(hit)
    return tuple(kept)


def about(hits: Sequence[FactHit], whom: About, limit: int) -> tuple[FactHit, ...]:
    return tuple(hit for hit in hits if hit.fact.about is whom)[:limit]
