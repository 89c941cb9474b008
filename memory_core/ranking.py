"""The arithmetic of ranking: what speaks for a page or a fact becomes one score. Pure, no I/O."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

import numpy as np

from memory_core.evidence import FEATURES, Numbers, channel_of
from memory_core.weights import WEIGHTS

ABOUT = ("words", "context", "vectors", "surroundings")
"""Channels that compare what is asked with what was said; the others know nothing of the topic."""

COSINES = sum(WEIGHTS[name] for name in WEIGHTS if channel_of(name) in ("vectors", "surroundings"))
"""By how much the relevance grows when all cosines grow by 1, and no word is shared."""

SQUEEZED = 3.0
"""Of a sum, what one score of 0.73 stands for."""

LEAST = 1e-15

Shares = dict[int, dict[str, float]]
"""What each channel adds to the score of a key."""


@dataclass(frozen=True, slots=True)
class Ranked:
    """A key with its score, 0 to 1, and each channel's share of the sum behind it."""

    key: int
    score: float
    why: Mapping[str, float]


def shares_of(evidence: Mapping[int, Numbers], channels: Sequence[str]) -> Shares:
    """The weighted evidence of each page by channel: of these, and of those that say something."""
    if not evidence:
        return {}
    kept = sorted({channel_of(feature) for feature in FEATURES}.intersection(channels))
    weights = np.array(
        [[WEIGHTS[name] * (channel_of(name) == channel) for channel in kept] for name in FEATURES]
    )
    sums = (np.stack([*evidence.values()]) @ weights).tolist()
    return {
        key: {channel: share for channel, share in zip(kept, row, strict=True) if share}
        for key, row in zip(evidence, sums, strict=True)
    }


def sums_of(evidence: Mapping[int, Numbers], channels: Sequence[str]) -> dict[int, float]:
    """The part of each page's score that comes from these channels."""
    if not evidence:
        return {}
    weights = [WEIGHTS[name] * (channel_of(name) in channels) for name in FEATURES]
    sums: list[float] = (np.stack([*evidence.values()]) @ np.array(weights)).tolist()
    return dict(zip(evidence, sums, strict=True))


def recency(at: datetime, now: datetime, half_life_days: float) -> float:
    """1 for now or later, halving with every half-life."""
    days = max(0.0, (now - at).total_seconds()) / 86_400
    return float(0.5 ** (days / half_life_days))


def sittings(times: Mapping[int, datetime], pause: timedelta) -> list[list[int]]:
    """Keys by the sitting they were said in: between two of them nothing was said for a pause."""
    found: list[list[int]] = []
    before = None
    for key in sorted(times, key=times.__getitem__):
        if before is None or times[key] - before > pause:
            found.append([])
        found[-1].append(key)
        before = times[key]
    return found


def ranked(shares: Mapping[int, Mapping[str, float]], middle: float = 0.0) -> list[Ranked]:
    """Best first; of equals the newer key. middle: the sum whose score is one half."""
    found = [
        Ranked(key, squeezed(sum(parts.values()) - middle), parts) for key, parts in shares.items()
    ]
    return sorted(found, key=lambda hit: (-hit.score, -hit.key))


def squeezed(value: float) -> float:
    """Any number to 0..1, in the same order. Sums of some deviations fall into the middle."""
    return 1 / (1 + math.exp(-max(-90.0, min(90.0, value)) / SQUEEZED))


def sum_of(score: float) -> float:
    """The sum behind a score: of two pages whose sums differ by 1, one is 2.7 times as likely."""
    return SQUEEZED * (math.log(max(score, LEAST)) - math.log(max(1 - score, LEAST)))
