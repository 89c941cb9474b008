"""Which of what was found has to do with the question, and whether anything has."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass

from memory_core import ranking
from memory_core.embedding import Asked
from memory_core.evidence import Numbers
from memory_core.periods import Period
from memory_core.store.around import ALONE
from memory_core.store.search import Hits, Worded

# Measured with questions that nothing answers; see docs/evaluation.md.
ANSWERED = 4.5
ANSWERED_BY_WORDS = 1.0
FACT_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Nearest:
    """What is near a question in meaning: cosines by key. asked None: words only."""

    asked: Asked | None
    pages: Mapping[int, float]
    facts: Mapping[int, float]
    segments: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Looked:
    """What may answer a question, and the period that it names.

    evidence: of each page that was read, as in `FEATURES`.
    """

    period: Period | None
    worded: Worded
    near: Nearest
    hits: Hits
    evidence: Mapping[int, Numbers]


def pages_shown(looked: Looked) -> Set[int]:
    """The pages that have to do with the question: where none is about it, no page at all."""
    worded, near, within = looked.worded, looked.near, set(looked.worded.within)
    bound = bound_of(near.asked)
    most = max(relevance(looked.evidence, ranking.ABOUT).values(), default=0.0)
    if not within and most < bound:
        return within
    own = relevance(looked.evidence, ("words", "vectors")).items()
    related = related_in(worded.pages.rows.keys() | within, near.pages, near.asked)
    related = related | {key for key, share in own if share >= bound / 2}
    # Beside a related page a page may be shown; on its own it must be related itself.
    beside = looked.hits.around.beside
    return related | {key for page in related for key in beside.get(page, ALONE)[1:3]}


def facts_shown(looked: Looked, words: Mapping[int, float]) -> Set[int]:
    """The facts that have to do with the question.

    words: of each fact that shares words with it, how many (`bm25_shares`).
    """
    shared = {key for key, share in words.items() if share >= FACT_SHARE}
    return related_in(shared, looked.near.facts, looked.near.asked)


def related_in(worded: Set[int], near: Mapping[int, float], asked: Asked | None) -> Set[int]:
    """Keys that share words with the question, or are near it in meaning."""
    threshold = asked.space.threshold if asked else 1.0
    return worded | {key for key, cosine in near.items() if cosine >= threshold}


def relevance(numbers: Mapping[int, Numbers], channels: Sequence[str]) -> dict[int, float]:
    """The part of each page's score that comes from these channels."""
    shares = ranking.shares_of(numbers, channels)
    return {key: sum(parts.values()) for key, parts in shares.items()}


def bound_of(asked: Asked | None) -> float:
    """The relevance that no page reaches by accident."""
    if asked is None:
        return ANSWERED_BY_WORDS
    # A threshold of one's own moves the bound as if all cosines were as much lower.
    stricter = (asked.space.threshold - asked.space.related_from) * ranking.COSINES
    return ANSWERED + stricter
