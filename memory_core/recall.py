"""The walk of a query: channels side by side, fused, read back from the store, explained.

Every hit is an id until the end, when it is read from SQLite: whatever an index still holds of
something gone cannot come up.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import apsw

from memory_core import ranking
from memory_core.backends.embedder import Vectors
from memory_core.concurrency import together
from memory_core.ranking import Channel
from memory_core.records import About, FactHit, Kind, Page, PageHit, Scope
from memory_core.store import facts, pages, segments
from memory_core.store.database import Database
from memory_core.store.rows import find_scopes
from memory_core.store.search import search_words
from memory_core.text import query_terms
from memory_core.vectors import VectorMemory

CANDIDATES = 100
SEGMENTS = 5
LINKED = 50
WORDS_WEIGHT = 1.0
VECTORS_WEIGHT = 0.6
SEGMENT_WEIGHT = 0.15
LINKS_WEIGHT = 0.3
RECENCY_WEIGHT = 0.2
RECENCY_HALF_LIFE_DAYS = 30.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Found:
    """What recall brings back, best first. segment_keys: segments the pages came from."""

    pages: tuple[PageHit, ...]
    user_facts: tuple[FactHit, ...]
    assistant_facts: tuple[FactHit, ...]
    segment_keys: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Query:
    """A question in the forms that the channels ask for. vector None: words only."""

    scopes: tuple[int, ...]
    terms: Sequence[str]
    vector: Vectors | None
    now: datetime


class Recall:
    """Answers queries from one store."""

    def __init__(
        self, database: Database, vectors: VectorMemory, clock: Callable[[], datetime]
    ) -> None:
        self._database = database
        self._vectors = vectors
        self._clock = clock

    async def find(
        self, text: str, scopes: Sequence[Scope], *, limit: int, short_term: Sequence[Page]
    ) -> Found:
        """What these scopes hold about a text, at most `limit` of each kind.

        short_term: the window, which is shown anyway and so is left out here.
        """
        query = Query(
            await self._database.read(find_scopes, scopes),
            query_terms(text),
            await self._vectors.embed_query(text),
            self._clock(),
        )
        found_pages: list[PageHit] = []
        found_facts: list[FactHit] = []

        async def find_pages() -> None:
            found_pages.extend(await self._pages(query, limit, {page.key for page in short_term}))

        async def find_facts() -> None:
            found_facts.extend(await self._facts(query))

        await together(find_pages, find_facts)
        return Found(
            pages=tuple(found_pages),
            user_facts=about(found_facts, About.USER, limit),
            assistant_facts=about(found_facts, About.ASSISTANT, limit),
            segment_keys=tuple({hit.page.segment_key or 0 for hit in found_pages} - {0}),
        )

    async def _pages(self, query: Query, limit: int, hidden: set[int]) -> list[PageHit]:
        words, near, topics = await self._channels(query, Kind.PAGE, Kind.SEGMENT)
        related = self._related(words, near)
        shares = ranking.fused(
            {
                "words": Channel(words, WORDS_WEIGHT, missing=0.0),
                "vectors": Channel(near, VECTORS_WEIGHT),
            }
        )
        best = [hit.key for hit in ranking.ranked(shares)[:LINKED]]
        beside = await self._database.read(pages.neighbours, best)
        around = {key for keys in beside.values() for key in keys} - shares.keys()
        links = beside | await self._database.read(pages.neighbours, sorted(around))
        shares |= ranking.with_neighbours(shares, links, LINKS_WEIGHT)
        known = await self._database.read(pages.pages_by_key, list(shares))
        for key, page in known.items():
            shares[key]["segment"] = SEGMENT_WEIGHT * topics.get(page.segment_key or 0, 0.0)
            shares[key]["recency"] = RECENCY_WEIGHT * self._recency(page.at, query)
        # Beside a related page a page may be shown, on its own it must be related itself.
        shown = related | {key for page in related for key in links.get(page, ())}
        order = ranking.ranked({key: shares[key] for key in known if key in shown - hidden})
        return [PageHit(page=known[hit.key], score=hit.score, why=hit.why) for hit in order[:limit]]

    async def _facts(self, query: Query) -> list[FactHit]:
        words, near, _ = await self._channels(query, Kind.FACT, None)
        shares = ranking.fused(
            {
                "words": Channel(words, WORDS_WEIGHT, missing=0.0),
                "vectors": Channel(near, VECTORS_WEIGHT),
            }
        )
        known = await self._database.read(facts.facts_by_key, list(shares))
        for key, fact in known.items():
            shares[key]["recency"] = RECENCY_WEIGHT * self._recency(fact.at, query)
        related = self._related(words, near)
        order = ranking.ranked({key: shares[key] for key in known if key in related})
        return [FactHit(fact=known[hit.key], score=hit.score, why=hit.why) for hit in order]

    async def _channels(
        self, query: Query, kind: Kind, topic_kind: Kind | None
    ) -> tuple[dict[int, float], dict[int, float], dict[int, float]]:
        """Words, vectors and topics, side by side: scores by key."""
        words: dict[int, float] = {}
        near: dict[int, float] = {}
        topics: dict[int, float] = {}

        async def by_words() -> None:
            words.update(
                await self._database.read(search_words, query.scopes, kind, query.terms, CANDIDATES)
            )

        async def by_vectors() -> None:
            if query.vector is not None:
                near.update(
                    await self._vectors.search(kind, query.vector, query.scopes, CANDIDATES)
                )

        async def by_topic() -> None:
            if topic_kind is not None and query.vector is not None:
                topics.update(
                    await self._vectors.search(topic_kind, query.vector, query.scopes, SEGMENTS)
                )

        await together(by_words, by_vectors, by_topic)
        return words, near, topics

    def _related(self, words: Mapping[int, float], near: Mapping[int, float]) -> set[int]:
        """Keys that share a word with the query or are near it in meaning."""
        return {*words} | {key for key, cosine in near.items() if cosine >= self._vectors.threshold}

    def _recency(self, at: datetime, query: Query) -> float:
        return ranking.recency(at, query.now, RECENCY_HALF_LIFE_DAYS)

    async def note_use(self, found: Found) -> None:
        """Warm up what was recalled; the only thing a read changes."""
        used = [hit.fact.key for hit in (*found.user_facts, *found.assistant_facts)]
        if used or found.segment_keys:
            await self._database.write(_note_use, found.segment_keys, used, self._clock())


def _note_use(
    connection: apsw.Connection,
    segment_keys: Sequence[int],
    fact_keys: Sequence[int],
    now: datetime,
) -> None:
    segments.visit(connection, segment_keys, now)
    facts.use_facts(connection, fact_keys, now)


def about(hits: Sequence[FactHit], whom: About, limit: int) -> tuple[FactHit, ...]:
    return tuple(hit for hit in hits if hit.fact.about is whom)[:limit]
