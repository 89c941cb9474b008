"""The walk of a query: channels side by side, fused, read back from the store, explained.

Every hit is an id until the end, when it is read from SQLite: whatever an index still holds of
something gone cannot come up.
"""

from collections.abc import Callable, Mapping, Sequence, Set
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial

from memory_core import ranking
from memory_core.concurrency import together
from memory_core.embedding import Asked, Embedding
from memory_core.ranking import Channel, Ranked
from memory_core.records import About, FactHit, Kind, PageHit, Scope
from memory_core.store.database import Database
from memory_core.store.search import read_hits, read_words, write_use
from memory_core.vectors import VectorMemory

NEAREST = 50
SEGMENTS = 5
LINKED = 50
WORDS_WEIGHT = 1.0
VECTORS_WEIGHT = 0.6
SEGMENT_WEIGHT = 0.15
LINKS_WEIGHT = 0.3
RECENCY_WEIGHT = 0.2
RECENCY_HALF_LIFE_DAYS = 30.0
SUPERSEDED_WEIGHT = 1.0
# The key of no row. Scored as what no channel found, so that even a single hit stands out.
NOBODY = 0


Shares = dict[int, dict[str, float]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What recall brings back, best first.

    window: scores of those pages of the short-term window that fit the query, by key.
    """

    pages: tuple[PageHit, ...]
    window: Mapping[int, PageHit]
    user_facts: tuple[FactHit, ...]
    assistant_facts: tuple[FactHit, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """A question in the forms that the channels ask for. asked None: words only."""

    scopes: tuple[int, ...]
    asked: Asked | None
    now: datetime


@dataclass(slots=True)
class Channels:
    """What each way of searching found: scores by key."""

    words: dict[int, float] = field(default_factory=dict)
    vectors: dict[int, float] = field(default_factory=dict)


class Recall:
    """Answers queries from one store."""

    def __init__(
        self,
        database: Database,
        embedding: Embedding,
        vectors: VectorMemory,
        clock: Callable[[], datetime],
    ) -> None:
        self._database = database
        self._embedding = embedding
        self._vectors = vectors
        self._clock = clock

    async def find(
        self, text: str, scopes: Sequence[Scope], *, limit: int, window: Sequence[int]
    ) -> Found:
        """What these scopes hold about a text, at most `limit` of each kind.

        window: keys of the pages that are shown anyway, as short-term memory.
        """
        pages, facts, topics = Channels(), Channels(), Channels()
        keys: list[int] = []
        asked: list[Asked | None] = []

        async def by_words() -> None:
            found = await self._database.read(read_words, scopes, text)
            keys.extend(found[0])
            pages.words, facts.words = found[1], found[2]

        async def embed() -> None:
            asked.append(await self._embedding.embed_query(text))

        await together(by_words, embed)
        query = Query(tuple(keys), asked[0], self._clock())
        await self._by_vectors(query, pages, facts, topics)
        return await self._read_back(query, pages, facts, topics, limit, frozenset(window))

    async def _by_vectors(
        self, query: Query, pages: Channels, facts: Channels, topics: Channels
    ) -> None:
        if query.asked is None or not query.scopes:
            return
        asked, scopes = query.asked, query.scopes

        async def search(kind: Kind, channels: Channels, limit: int) -> None:
            channels.vectors = dict(await self._vectors.search(kind, asked, scopes, limit))

        await together(
            partial(search, Kind.PAGE, pages, NEAREST),
            partial(search, Kind.FACT, facts, NEAREST),
            partial(search, Kind.SEGMENT, topics, SEGMENTS),
        )

    async def _read_back(
        self,
        query: Query,
        pages: Channels,
        facts: Channels,
        topics: Channels,
        limit: int,
        window: frozenset[int],
    ) -> Found:
        page_shares, fact_shares = fused(pages), fused(facts)
        best = [hit.key for hit in ranking.ranked(page_shares)[:LINKED]]
        hits = await self._database.read(read_hits, best, [*page_shares], [*fact_shares])
        page_shares |= ranking.with_neighbours(page_shares, hits.beside, LINKS_WEIGHT)
        for key, page in hits.pages.items():
            topic = topics.vectors.get(page.segment_key or 0, 0.0)
            page_shares[key]["segment"] = SEGMENT_WEIGHT * topic
            page_shares[key]["recency"] = RECENCY_WEIGHT * recency(page.at, query.now)
            if key in hits.newer:
                page_shares[key]["superseded"] = -SUPERSEDED_WEIGHT
        for key, fact in hits.facts.items():
            fact_shares[key]["recency"] = RECENCY_WEIGHT * recency(fact.at, query.now)
        threshold = query.asked.space.threshold if query.asked else 1.0
        related = related_in(pages, threshold)
        # Beside a related page a page may be shown; on its own it must be related itself.
        shown = related | {key for page in related for key in hits.beside.get(page, ())}
        order = ranked_among(page_shares, shown & hits.pages.keys())
        page_hits = [
            PageHit(
                page=hits.pages[hit.key],
                score=hit.score,
                why=hit.why,
                superseded_by=hits.newer.get(hit.key, ()),
            )
            for hit in order
        ]
        fact_hits = [
            FactHit(fact=hits.facts[hit.key], score=hit.score, why=hit.why)
            for hit in ranked_among(fact_shares, related_in(facts, threshold) & hits.facts.keys())
        ]
        return Found(
            pages=tuple([hit for hit in page_hits if hit.page.key not in window][:limit]),
            window={hit.page.key: hit for hit in page_hits if hit.page.key in window},
            user_facts=about(fact_hits, About.USER, limit),
            assistant_facts=about(fact_hits, About.ASSISTANT, limit),
        )

    async def note_use(self, found: Found) -> None:
        """Warm up what was recalled; the only thing a read changes."""
        segments = {key for hit in found.pages if (key := hit.page.segment_key) is not None}
        facts = [hit.fact.key for hit in (*found.user_facts, *found.assistant_facts)]
        if segments or facts:
            await self._database.write(write_use, [*segments], facts, self._clock())


def related_in(channels: Channels, threshold: float) -> set[int]:
    """Keys that share a word with the query or are near it in meaning."""
    near = {key for key, cosine in channels.vectors.items() if cosine >= threshold}
    return near | channels.words.keys()


def fused(channels: Channels) -> Shares:
    """The words' and the vectors' shares of each key's score."""
    return ranking.fused(
        {
            "words": Channel(channels.words, WORDS_WEIGHT, missing=0.0),
            "vectors": Channel(channels.vectors, VECTORS_WEIGHT),
        },
        beside=(NOBODY,),
    )


def recency(at: datetime, now: datetime) -> float:
    return ranking.recency(at, now, RECENCY_HALF_LIFE_DAYS)


def ranked_among(shares: Shares, keys: Set[int]) -> list[Ranked]:
    return ranking.ranked({key: shares[key] for key in keys})


def about(hits: Sequence[FactHit], whom: About, limit: int) -> tuple[FactHit, ...]:
    return tuple(hit for hit in hits if hit.fact.about is whom)[:limit]
