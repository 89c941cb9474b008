"""The arithmetic of fusion: scores of several channels become one order. Pure, no I/O."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime

Scores = Mapping[int, float]
"""Score of each key that a channel found; larger is better."""


@dataclass(frozen=True, slots=True)
class Channel:
    """What one way of searching found.

    missing: score of a key that it did not find, or None for "as its worst".
    """

    scores: Scores
    weight: float
    missing: float | None = None


@dataclass(frozen=True, slots=True)
class Ranked:
    """A key with its fused score and each channel's share of it."""

    key: int
    score: float
    why: Mapping[str, float]


def standardised(channel: Channel, pool: Iterable[int]) -> dict[int, float]:
    """Scores over the pool with mean 0 and deviation 1, so that channels can be added.

    Sums of standardised scores keep what the scores know; ranks throw it away (3 to 10 points
    of recall on LoCoMo).
    """
    worst = min(channel.scores.values(), default=0.0)
    missing = worst if channel.missing is None else channel.missing
    raw = {key: channel.scores.get(key, missing) for key in pool}
    if not raw:
        return {}
    mean = sum(raw.values()) / len(raw)
    deviation = math.sqrt(sum((value - mean) ** 2 for value in raw.values()) / len(raw))
    return {key: (value - mean) / deviation if deviation else 0.0 for key, value in raw.items()}


def fused(
    channels: Mapping[str, Channel], beside: Iterable[int] = ()
) -> dict[int, dict[str, float]]:
    """Each key's weighted share from each channel, over the union of what they found.

    beside: keys that are scored though no channel found them: what the found ones stand out from.
    """
    pool = {key for channel in channels.values() for key in channel.scores}.union(beside)
    shares: dict[int, dict[str, float]] = {key: {} for key in pool}
    for name, channel in channels.items():
        for key, value in standardised(channel, pool).items():
            shares[key][name] = channel.weight * value
    return shares


def with_neighbours(
    shares: Mapping[int, Mapping[str, float]],
    neighbours: Mapping[int, Iterable[int]],
    weight: float,
) -> dict[int, dict[str, float]]:
    """Let a good page lift the pages beside it: an answer often stands next to its question.

    A neighbour that no channel found enters with the lowest score of the pool.
    """
    totals = {key: sum(parts.values()) for key, parts in shares.items()}
    floor = min(totals.values(), default=0.0)
    lifted: dict[int, dict[str, float]] = {}
    for key, beside in neighbours.items():
        lift = weight * sum(totals.get(other, floor) - floor for other in beside)
        own = shares.get(key)
        lifted[key] = {**own, "links": lift} if own else {"links": floor + lift}
    return lifted


def recency(at: datetime, now: datetime, half_life_days: float) -> float:
    """1 for now or later, halving with every half-life."""
    days = max(0.0, (now - at).total_seconds()) / 86_400
    return float(0.5 ** (days / half_life_days))


def ranked(shares: Mapping[int, Mapping[str, float]]) -> list[Ranked]:
    """Best first; of equals the newer key. The score is squeezed into 0..1."""
    found = [Ranked(key, squeezed(sum(parts.values())), parts) for key, parts in shares.items()]
    return sorted(found, key=lambda hit: (-hit.score, -hit.key))


def squeezed(value: float) -> float:
    """Any number to 0..1, in the same order. Sums of some deviations fall into the middle."""
    return 1 / (1 + math.exp(-max(-90.0, min(90.0, value)) / 3))
