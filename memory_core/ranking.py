"""The arithmetic of ranking: what speaks for a page or a fact becomes one score. Pure, no I/O."""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

from memory_core.evidence import FEATURES, Numbers, channel_of
from memory_core.weights import WEIGHTS

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
    return {key: _summed(numbers, channels) for key, numbers in evidence.items()}


def _summed(numbers: Numbers, channels: Sequence[str]) -> dict[str, float]:
    shares: dict[str, float] = {}
    for feature, number in zip(FEATURES, numbers.tolist(), strict=True):
        channel = channel_of(feature)
        if channel in channels:
            shares[channel] = shares.get(channel, 0.0) + WEIGHTS[feature] * number
    return {channel: share for channel, share in shares.items() if share}


def recency(at: datetime, now: datetime, half_life_days: float) -> float:
    """1 for now or later, halving with every half-life."""
    days = max(0.0, (now - at).total_seconds()) / 86_400
    return float(0.5 ** (days / half_life_days))


def ranked(shares: Mapping[int, Mapping[str, float]], middle: float = 0.0) -> list[Ranked]:
    """Best first; of equals the newer key. middle: the sum whose score is one half."""
    found = [
        Ranked(key, squeezed(sum(parts.values()) - middle), parts) for key, parts in shares.items()
    ]
    return sorted(found, key=lambda hit: (-hit.score, -hit.key))


def squeezed(value: float) -> float:
    """Any number to 0..1, in the same order. Sums of some deviations fall into the middle."""
    return 1 / (1 + math.exp(-max(-90.0, min(90.0, value)) / 3))
