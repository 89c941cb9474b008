"""Mid-term memory decides: which segment a topic joins, how hot a segment is (paper 3.3)."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime, timedelta
from functools import reduce

import numpy as np

from memory_core.backends.embedder import Vectors
from memory_core.records import Page, Segment, Topic
from memory_core.sentences import sentences
from memory_core.store.segments import Placement

KEYWORDS_KEPT = 16
SUMMARY_LENGTH = 800
# People answer each other: a page that follows at once leans to where the talk was. Without
# this, 5 of 45 turns of a real conversation were in segments of five pages, with it 21.
CHAIN_BONUS = 0.15
CHAIN_GAP = timedelta(hours=1)
# The bundled embedder's: with it the paper's threshold of F was tried.
REFERENCE_THRESHOLD = 0.28


@dataclass(frozen=True, slots=True, kw_only=True)
class HeatWeights:
    """alpha, beta, gamma and mu of the heat formula; mu in seconds."""

    alpha: float
    beta: float
    gamma: float
    mu: float


def heat(segment: Segment, now: datetime, weights: HeatWeights) -> float:
    """H = alpha*N_visit + beta*L_interaction + gamma*exp(-dt/mu), at this moment.

    N_visit and L_interaction count what came since the last digest; dt is the time since the
    last recall or page. A segment of the future is as recent as can be.
    """
    idle = max(0.0, (now - segment.last_visit_at).total_seconds())
    recency = math.exp(-idle / weights.mu)
    return (
        weights.alpha * segment.visits + weights.beta * segment.undigested + weights.gamma * recency
    )


def hot_segments(
    segments: Iterable[Segment], now: datetime, weights: HeatWeights, threshold: float
) -> tuple[Segment, ...]:
    """Every segment to digest, hottest first: with something new, and hot or with news.

    The paper digests what is hot. What contradicts long-term memory must not wait for heat: the
    profile would go on saying what the user has just corrected.
    """
    found = ((heat(s, now, weights), s) for s in segments if s.undigested)
    hot = [(warmth, s) for warmth, s in found if warmth >= threshold or s.news]
    return tuple(s for _, s in sorted(hot, key=lambda pair: (-pair[0], pair[1].key)))


def coldest(
    segments: Sequence[Segment], now: datetime, weights: HeatWeights, capacity: int
) -> tuple[int, ...]:
    """Keys of the segments beyond the capacity, by least heat, then least recent."""
    order = sorted(
        segments, key=lambda s: (heat(s, now, weights), s.last_visit_at, s.key), reverse=True
    )
    return tuple(segment.key for segment in order[capacity:])


def jaccard(left: Iterable[str], right: Iterable[str]) -> float:
    """Shared keywords over all keywords, 0..1; 0 when there are none."""
    a, b = set(left), set(right)
    return len(a & b) / len(a | b) if a | b else 0.0


def spread_of(threshold: float) -> float:
    """How far an embedder's cosines must be spread to mean what the reference's mean.

    Some models call unrelated texts .05 alike, some .75. Their distance from 1 is stretched so
    that the cosine from which they call things related falls on that of `REFERENCE_THRESHOLD`.
    """
    return (1 - REFERENCE_THRESHOLD) / max(1 - threshold, 0.05)


def affinity(
    topic_vector: Vectors | None,
    topic_keywords: Sequence[str],
    segment_vector: Vectors | None,
    segment_keywords: Sequence[str],
    spread: float = 1.0,
) -> float:
    """F = cos(segment, pages) + Jaccard(keywords), up to 2 (paper 3.3).

    Without vectors the cosine is that of the keyword sets. spread: as `spread_of` gives it.
    """
    shared = jaccard(topic_keywords, segment_keywords)
    if topic_vector is None or segment_vector is None:
        size = math.sqrt(len(set(topic_keywords)) * len(set(segment_keywords)))
        cosine = len(set(topic_keywords) & set(segment_keywords)) / size if size else 0.0
    else:
        cosine = 1 - spread * (1 - float(np.dot(topic_vector, segment_vector)))
    return cosine + shared


def center(vectors: Sequence[Vectors]) -> Vectors | None:
    """The mean direction of some vectors, unit length; None of none."""
    if not vectors:
        return None
    total = np.sum(np.stack(vectors), axis=0)
    return np.asarray(total / max(float(np.linalg.norm(total)), 1e-12), dtype=np.float32)


def moved_center(
    old: Vectors | None, pages: int, added: Vectors | None, count: int
) -> Vectors | None:
    """Where the middle of a segment of `pages` pages moves when `count` pages join it."""
    if old is None or added is None:
        return old if added is None else added
    return center([old * pages, added * count])


def chained_to(first: Page, before: Page | None) -> int | None:
    """The segment that a page continues: that of the page just before (paper 3.2: chain)."""
    if before is None or first.at - before.at > CHAIN_GAP or first.at < before.at:
        return None
    return before.segment_key


def best_segment(
    topic: Topic,
    topic_vector: Vectors | None,
    segments: Sequence[Segment],
    vectors: Mapping[int, Vectors],
    chained: int | None,
    threshold: float,
    spread: float = 1.0,
) -> Segment | None:
    """The segment whose F with the topic is highest, if that reaches the threshold.

    chained: key of the segment that the topic continues, which gets a bonus, or None.
    """

    def score(segment: Segment) -> float:
        bonus = CHAIN_BONUS if segment.key == chained else 0.0
        vector = vectors.get(segment.key)
        return bonus + affinity(topic_vector, topic.keywords, vector, segment.keywords, spread)

    best = max(segments, key=lambda s: (score(s), s.key), default=None)
    return best if best is not None and score(best) >= threshold else None


def placement(
    topic: Topic, pages: Sequence[Page], segment: Segment | None, *, news: bool
) -> Placement:
    """What the segment holds and says once the topic's pages are in it."""
    newest = max(page.at for page in pages)
    if segment is None:
        return Placement(
            segment_key=None,
            page_keys=topic.page_keys,
            title=topic.title,
            summary=topic.summary,
            keywords=topic.keywords[:KEYWORDS_KEPT],
            at=newest,
            news=news,
        )
    return Placement(
        segment_key=segment.key,
        page_keys=topic.page_keys,
        title=segment.title,
        summary=joined_summary(segment.summary, topic.summary),
        keywords=joined_keywords(segment.keywords, topic.keywords),
        at=newest,
        news=news,
    )


def retold(segment: Segment, own: frozenset[int], topics: Sequence[Topic]) -> Segment:
    """The segment as the topics of its pages say it; its title is that of most of them.

    Args:
        own: keys of its pages, of which each is in one of the topics.
    """
    told = [topic for topic in topics if not own.isdisjoint(topic.page_keys)]
    main = max(told, key=lambda topic: len(own.intersection(topic.page_keys)))
    return replace(
        segment,
        title=main.title,
        summary=reduce(joined_summary, (topic.summary for topic in told)),
        keywords=reduce(joined_keywords, (topic.keywords for topic in told)),
    )


def joined_keywords(old: Sequence[str], new: Sequence[str]) -> tuple[str, ...]:
    """Keywords of both: shared ones first, then alternating, so that neither side drowns."""
    shared = [word for word in old if word in new]
    rest_old = [word for word in old if word not in shared]
    rest_new = [word for word in new if word not in shared]
    mixed: list[str] = []
    for index in range(max(len(rest_old), len(rest_new))):
        mixed += rest_new[index : index + 1] + rest_old[index : index + 1]
    return tuple(dict.fromkeys([*shared, *mixed]))[:KEYWORDS_KEPT]


def joined_summary(old: str, new: str, limit: int = SUMMARY_LENGTH) -> str:
    """Sentences of both, each once, newest last; beyond the limit the oldest leave."""
    kept: list[str] = []
    length = 0
    for sentence in reversed(list(dict.fromkeys([*sentences(old), *sentences(new)]))):
        length += len(sentence) + 1
        if kept and length > limit:
            break
        kept.append(sentence)
    return " ".join(reversed(kept))
