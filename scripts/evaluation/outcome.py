"""From answers to figures, and from figures to tables."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from memory_core.token_budget import worth
from memory_core.tokens import estimate_tokens
from scripts.evaluation import metrics
from scripts.evaluation.memories import Answer
from scripts.evaluation.metrics import Ranks
from scripts.evaluation.sets import CATEGORIES, Dialogue

BUDGETS = (300, 600, 1200, 2400)
# Adversarial questions have no right answer, so there is nothing a budget must hold.
BUDGETED = [name for name in CATEGORIES.values() if name != "adversarial"]


@dataclass(frozen=True, slots=True)
class Outcome:
    """One question's figures. session: rank of the first session with evidence.

    shares: share of the evidence inside each budget of words; tokens: what fills that budget.
    """

    dialogue: str
    index: int
    category: str
    ranks: Ranks
    session: int | None
    returned: int
    shares: Mapping[int, float] = field(default_factory=dict)
    tokens: Mapping[int, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def raw(self) -> dict[str, Any]:
        """For a file that may be shown: no text of the data."""
        return {
            "dialogue": self.dialogue,
            "question": self.index,
            "category": self.category,
            "ranks": [*self.ranks],
            "session": self.session,
            "returned": self.returned,
            "shares": {str(budget): round(share, 4) for budget, share in self.shares.items()},
            "tokens": {str(budget): count for budget, count in self.tokens.items()},
            "notes": len(self.notes),
        }


def outcome(dialogue: Dialogue, answer: Answer) -> Outcome:
    evidence, ranked = answer.question.evidence, answer.ranked
    sessions = {turn.name: turn.session for turn in dialogue.turns}
    words = {turn.name: len(turn.shown.split()) for turn in dialogue.turns}
    tokens = {turn.name: estimate_tokens(turn.shown) for turn in dialogue.turns}
    # As a reply is filled.
    by_worth = sorted(answer.wide, key=lambda hit: -worth(hit[1], words[hit[0]]))
    order = [name for name, _ in by_worth]
    taken = {budget: metrics.filling(budget, order, words) for budget in BUDGETS}
    return Outcome(
        dialogue=dialogue.name,
        index=answer.question.index,
        category=answer.question.category,
        ranks=metrics.ranks_of(evidence, ranked),
        session=metrics.group_rank(evidence, ranked, sessions.__getitem__),
        returned=len(answer.wide),
        shares={
            budget: metrics.recall_at(len(names), metrics.ranks_of(evidence, names))
            for budget, names in taken.items()
        },
        tokens={budget: sum(tokens[name] for name in names) for budget, names in taken.items()},
        notes=answer.notes,
    )


FIGURES = {
    "R@5": lambda one: metrics.recall_at(5, one.ranks),
    "R@10": lambda one: metrics.recall_at(10, one.ranks),
    "R@20": lambda one: metrics.recall_at(20, one.ranks),
    "R@50": lambda one: metrics.recall_at(50, one.ranks),
    "hit@5": lambda one: metrics.hit_at(5, one.ranks),
    "hit@10": lambda one: metrics.hit_at(10, one.ranks),
    "MRR": lambda one: metrics.reciprocal_rank(one.ranks),
    "session hit@5": lambda one: metrics.hit_at(5, [one.session]),
}
"""What is made of one question, 0..1."""


def by_dialogue(outcomes: Iterable[Outcome]) -> list[list[Outcome]]:
    groups: dict[str, list[Outcome]] = {}
    for one in outcomes:
        groups.setdefault(one.dialogue, []).append(one)
    return [*groups.values()]


def figures(outcomes: Sequence[Outcome], names: Iterable[str]) -> list[str]:
    """The means, in percent."""
    return [f"{100 * metrics.mean(map(FIGURES[name], outcomes)):.1f}" for name in names]


def intervals(outcomes: Sequence[Outcome], names: Iterable[str]) -> list[str]:
    """The 95 % intervals of the means, in percent, over dialogues."""
    groups = by_dialogue(outcomes)
    bounds = [
        metrics.interval([[FIGURES[name](one) for one in group] for group in groups])
        for name in names
    ]
    return [f"{100 * low:.1f}-{100 * high:.1f}" for low, high in bounds]


def recall_table(
    outcomes: Sequence[Outcome], names: Sequence[str], order: Iterable[str]
) -> list[str]:
    """Lines of a table: each category, all, and the interval of all over several dialogues."""
    rows = [["", "n", *names]]
    for category in order:
        if own := [one for one in outcomes if one.category == category]:
            rows.append([category, str(len(own)), *figures(own, names)])
    rows.append(["**all**", str(len(outcomes)), *figures(outcomes, names)])
    if len(by_dialogue(outcomes)) > 1:
        rows.append(["95 % interval", "", *intervals(outcomes, names)])
    return table(rows)


def budget_table(outcomes: Sequence[Outcome]) -> list[str]:
    """Lines of a table: evidence inside budgets of words, and the tokens that it takes."""
    own = [one for one in outcomes if one.category in BUDGETED]
    groups = by_dialogue(own)
    rows = [["words", "n", "evidence", "95 % interval", "mean tokens"]]
    for budget in BUDGETS:
        low, high = metrics.interval([[one.shares[budget] for one in group] for group in groups])
        share = metrics.mean(one.shares[budget] for one in own)
        tokens = metrics.mean(one.tokens[budget] for one in own)
        between = f"{100 * low:.1f}-{100 * high:.1f}"
        rows.append([f"{budget:,}", str(len(own)), f"{100 * share:.1f}", between, f"{tokens:,.0f}"])
    return table(rows)


def table(rows: Sequence[Sequence[str]]) -> list[str]:
    """A Markdown table, its columns in line."""
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    lines = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    return [lines[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *lines[1:]]
