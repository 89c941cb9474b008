"""Fits what each number of the evidence weighs, and writes memory_core/weights.py.

    pip install -e '.[fit]'
    python scripts/fit_ranking.py --locomo locomo.json --keep kept [--write]

A page is the answer with a probability proportional to exp(sum of its weighted numbers); the
weights are those under which the marked pages of all questions are likeliest, none of them
negative, held down by an L2 term (listwise softmax regression). What is reported is of weights
that have not seen the conversation they are tried on.
"""

import argparse
import asyncio
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

sys.path.insert(0, str(Path(__file__).parent.parent))

from memory_core.evidence import FEATURES
from memory_core.recall import USUAL
from memory_core.records import Scope
from scripts.evaluation import memories, sets
from scripts.evaluation.sets import Dialogue

L2 = 0.005
# May count against a page; everything else speaks for it or says nothing.
EITHER_WAY = ("form.question", "form.other")
# Not fitted: LoCoMo has nothing to fit it by. See docs/evaluation.md.
GIVEN = {"vectors.alone": 10.0, "language.gap": 1.0}
# The form of all pages: with that of the best only, any sign of form is one of being among them.
LOOKED_AT = replace(USUAL, formed=None)
TARGET = Path(__file__).parent.parent / "memory_core" / "weights.py"
Matrix = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Case:
    """A question: the numbers of each page that was looked at, which of them are marked, and how
    many marked pages there are."""

    dialogue: str
    category: str
    numbers: Matrix
    marked: NDArray[np.bool_]
    wanted: int


async def cases_of(dialogue: Dialogue, keep: Path | None) -> list[Case]:
    with tempfile.TemporaryDirectory(prefix="memstrata-fit-") as scratch:
        data = Path(scratch) / "data"
        names = await memories.told(dialogue, keep, data)
        async with memories.opened(data, {}) as memory:
            scope = Scope(user_id="default_user", assistant_id="default_assistant")
            cases = []
            for question in dialogue.questions:
                looked = await memory._recall.look(question.text, [scope], LOOKED_AT)
                pages = looked.hits.around.pages
                found = [names[pages[key].id] for key in looked.evidence]
                cases.append(
                    Case(
                        dialogue.name,
                        question.category,
                        np.stack([*looked.evidence.values()]),
                        np.isin(found, question.evidence),
                        len(question.evidence),
                    )
                )
            return cases


def asked_cases(dialogue: Dialogue, keep: Path | None) -> list[Case]:
    return asyncio.run(cases_of(dialogue, keep))


def fit(cases: Sequence[Case]) -> NDArray[np.float64]:
    """Weights of the features, fitted to their standardised values."""
    cases = [case for case in cases if case.marked.any()]
    matrix = np.concatenate([case.numbers for case in cases])
    scale = matrix.std(axis=0) + 1e-6
    matrix /= scale
    ends = np.cumsum([len(case.numbers) for case in cases])
    starts = np.r_[0, ends[:-1]]
    question = np.repeat(np.arange(len(cases)), [len(case.numbers) for case in cases])
    target = np.concatenate([case.marked / np.sqrt(case.marked.sum()) for case in cases])
    mass = np.add.reduceat(target, starts)

    def loss(weights: NDArray[np.float64]) -> tuple[float, NDArray[np.float64]]:
        """The mean negative log-likelihood of the marked pages, and its slope."""
        sums = matrix @ weights
        sums -= np.maximum.reduceat(sums, starts)[question]
        odds = np.exp(sums)
        total = np.add.reduceat(odds, starts)
        unlikely = (mass * np.log(total)).sum() - (target * sums).sum()
        slope = matrix.T @ (odds / total[question] * mass[question] - target)
        return (
            float(unlikely / mass.sum() + L2 * (weights @ weights)),
            slope / mass.sum() + 2 * L2 * weights,
        )

    given = np.array([GIVEN.get(name, 0.0) for name in FEATURES]) * scale
    bounds = [
        (value, value) if name in GIVEN else (None if name in EITHER_WAY else 0.0, None)
        for name, value in zip(FEATURES, given.tolist(), strict=True)
    ]
    found = minimize(loss, given, jac=True, bounds=bounds, method="L-BFGS-B")
    if not found.success:
        raise SystemExit(f"No weights were found: {found.message}")
    fitted: NDArray[np.float64] = found.x / scale
    return fitted


def figures(cases: Sequence[Case], weights: NDArray[np.float64]) -> dict[str, float]:
    """Percent: recall within 5 and 10, and of any of the first 10; mean reciprocal rank."""
    rows = []
    for case in cases:
        order = np.argsort(-(case.numbers @ weights), kind="stable")
        hits = case.marked[order]
        first = np.flatnonzero(hits)
        rows.append(
            (
                hits[:5].sum() / case.wanted,
                hits[:10].sum() / case.wanted,
                hits[:60].sum() / case.wanted,
                hits.sum() / case.wanted,
                float(hits[:10].any()),
                1 / (first[0] + 1) if len(first) else 0.0,
            )
        )
    names = ("R@5", "R@10", "R@60", "looked at", "hit@10", "MRR")
    return dict(zip(names, np.round(100 * np.mean(rows, axis=0), 1).tolist(), strict=True))


def held_out(cases: Sequence[Case]) -> None:
    """Print figures of weights that were fitted on the other conversations."""
    scored: list[Case] = []
    for name in sorted({case.dialogue for case in cases}):
        weights = fit([case for case in cases if case.dialogue != name])
        own = [case for case in cases if case.dialogue == name]
        print(f"{name}: {len(own)} {figures(own, weights)}", flush=True)
        scored += [
            Case(c.dialogue, c.category, (c.numbers @ weights)[:, None], c.marked, c.wanted)
            for c in own
        ]
    one = np.ones(1)
    for category in sorted({case.category for case in scored}):
        print(category, figures([c for c in scored if c.category == category], one))
    print("all", len(scored), figures(scored, one), flush=True)


def written(weights: Sequence[float]) -> str:
    lines = [f'    "{name}": {weight:.2f},' for name, weight in zip(FEATURES, weights, strict=True)]
    return "\n".join(
        [
            '"""What each number of the evidence weighs. Written by scripts/fit_ranking.py."""',
            "",
            "WEIGHTS = {",
            *lines,
            "}",
            "",
        ]
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--locomo", type=Path, required=True)
    parser.add_argument("--keep", type=Path)
    parser.add_argument("--workers", type=int, default=2)
    parser.add_argument("--write", action="store_true", help="write memory_core/weights.py")
    given = parser.parse_args()
    dialogues = sets.locomo(given.locomo)
    with ProcessPoolExecutor(given.workers) as pool:
        asked = pool.map(asked_cases, dialogues, [given.keep] * len(dialogues))
        cases = [case for each in asked for case in each]
    held_out(cases)
    if given.write:
        TARGET.write_text(written(fit(cases).tolist()), encoding="utf-8")


if __name__ == "__main__":
    main()
