"""Figures of a ranking against the turns that hold the evidence. Pure, no I/O."""

import random
from collections.abc import Callable, Iterable, Mapping, Sequence

Ranks = Sequence[int | None]
"""Rank of each evidence turn, from 1; None: it did not come back."""


def ranks_of(evidence: Iterable[str], ranked: Sequence[str]) -> list[int | None]:
    """Where each piece of evidence stands in a ranking."""
    places = {name: place for place, name in reversed([*enumerate(ranked, start=1)])}
    return [places.get(name) for name in evidence]


def recall_at(k: int, ranks: Ranks) -> float:
    """Share of the evidence among the first k."""
    return sum(rank is not None and rank <= k for rank in ranks) / len(ranks)


def hit_at(k: int, ranks: Ranks) -> float:
    """1 when any evidence is among the first k, else 0."""
    return float(any(rank is not None and rank <= k for rank in ranks))


def reciprocal_rank(ranks: Ranks) -> float:
    """1 / rank of the first evidence; 0 when none came back."""
    return max((1 / rank for rank in ranks if rank is not None), default=0.0)


def group_rank(
    evidence: Iterable[str], ranked: Iterable[str], group: Callable[[str], str]
) -> int | None:
    """Rank of the first group (session) with evidence, each group standing where its best does."""
    groups = list(dict.fromkeys(group(name) for name in ranked))
    ranks = ranks_of({group(name) for name in evidence}, groups)
    return min((rank for rank in ranks if rank is not None), default=None)


def filling(budget: int, ranked: Iterable[str], sizes: Mapping[str, int]) -> list[str]:
    """The first of a ranking that fit into a budget together; a smaller one may take the place of
    one that does not, as in a reply."""
    taken: list[str] = []
    for name in ranked:
        if sizes[name] <= budget:
            budget -= sizes[name]
            taken.append(name)
    return taken


def mean(values: Iterable[float]) -> float:
    """The mean; of nothing it is 0."""
    listed = list(values)
    return sum(listed) / len(listed) if listed else 0.0


def interval(
    groups: Sequence[Sequence[float]], *, rounds: int = 2000, seed: int = 5
) -> tuple[float, float]:
    """95 % bootstrap interval of the mean over all values, drawing whole groups (conversations).

    Questions about one conversation share its difficulty, so they are not drawn one by one. The
    same seed gives the same interval.
    """
    filled = [(sum(group), len(group)) for group in groups if group]
    if not filled:
        return 0.0, 0.0
    chance = random.Random(seed)
    means = []
    for _ in range(rounds):
        drawn = chance.choices(filled, k=len(filled))
        means.append(sum(total for total, _ in drawn) / sum(count for _, count in drawn))
    means.sort()
    return means[int(0.025 * rounds)], means[int(0.975 * rounds)]
