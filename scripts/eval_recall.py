"""How well recall finds what was said: LoCoMo, MemoryBank, across languages, and nothing at all.

    python scripts/eval_recall.py locomo --data locomo10.json --keep kept --out locomo.jsonl
    python scripts/eval_recall.py memorybank --lang zh --data memory_bank_cn.json \\
        --questions probing_questions_cn.jsonl
    python scripts/eval_recall.py cross
    python scripts/eval_recall.py irrelevant --locomo locomo10.json
    python scripts/eval_recall.py ablation --data locomo10.json --keep kept

The settings that ship, the bundled embedder, no language model, one page a turn, through the
library's public door. `--keep` holds on to told memories (not to what was asked), so that the next
run only asks; empty it after a change to what happens when a turn is stored. `--fast` finds the
same without starting Chroma and loading the embedder for each memory. `docs/evaluation.md` says
what the figures mean.
"""

import argparse
import json
import multiprocessing
import sys
import time
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import anyio

sys.path.insert(0, str(Path(__file__).parent.parent))

from memory_core import config
from scripts.evaluation import sets
from scripts.evaluation.memories import Answer, Way, answers
from scripts.evaluation.outcome import (
    Outcome,
    budget_table,
    figures,
    outcome,
    recall_table,
    table,
)
from scripts.evaluation.sets import CATEGORIES, Dialogue

RANKING = ("R@5", "R@10", "R@20", "R@50", "hit@10", "MRR", "session hit@5")
SMALL = ("hit@5", "R@5", "MRR")
CHANNELS: tuple[str, ...] = tuple(getattr(config, "RECALL_CHANNELS", ()))


def asked(dialogue: Dialogue, way: Way) -> list[Outcome]:
    found = anyio.run(partial(answers, dialogue, dialogue.questions, way))
    return [outcome(dialogue, answer) for answer in found]


def outcomes_of(dialogues: Sequence[Dialogue], way: Way, workers: int) -> list[Outcome]:
    outcomes: list[Outcome] = []
    begun = time.monotonic()
    answered = each(partial(asked, way=way), dialogues, workers)
    for dialogue, own in zip(dialogues, answered, strict=True):
        outcomes += own
        took = time.monotonic() - begun
        print(f"{dialogue.name}: {len(own)} questions, {took:.0f} s", file=sys.stderr)
    if noted := {note for one in outcomes for note in one.notes}:
        print(f"Not as it should be: {'; '.join(sorted(noted))}", file=sys.stderr)
    return outcomes


def each(verb: Any, dialogues: Sequence[Dialogue], workers: int) -> Iterator[Any]:
    """The verb's result for each dialogue, in order; each in a process when there are workers."""
    if workers <= 1 or len(dialogues) <= 1:
        yield from map(verb, dialogues)
        return
    # Numeric libraries do not survive a fork.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(workers, mp_context=spawn) as pool:
        yield from pool.map(verb, dialogues)


def locomo(arguments: argparse.Namespace) -> None:
    outcomes = outcomes_of(conversations(arguments), way_of(arguments), arguments.workers)
    write(arguments.out, outcomes)
    show(recall_table(outcomes, RANKING, CATEGORIES.values()))
    show(budget_table(outcomes))


def ablation(arguments: argparse.Namespace) -> None:
    """Each channel alone and each left out, on LoCoMo."""
    known = channels()
    names = ("R@5", "R@10", "hit@10", "MRR")
    plans = {
        "all": known,
        **{f"without {name}": [other for other in known if other != name] for name in known},
        **{f"only {name}": [name] for name in known},
    }
    dialogues = conversations(arguments)
    rows = [["channels", "n", *names]]
    for title, chosen in plans.items():
        outcomes = outcomes_of(dialogues, way_of(arguments, chosen), arguments.workers)
        rows.append([title, str(len(outcomes)), *figures(outcomes, names)])
        print(" ".join(rows[-1]), file=sys.stderr)
    show(table(rows))


def memorybank(arguments: argparse.Namespace) -> None:
    dialogues = sets.memorybank(arguments.lang, arguments.data, arguments.questions)
    outcomes = outcomes_of(dialogues, way_of(arguments), arguments.workers)
    write(arguments.out, outcomes)
    show(recall_table(outcomes, SMALL, ()))
    misses(arguments, outcomes)


def cross(arguments: argparse.Namespace) -> None:
    """Across languages, and beside it the same questions in the language of the answer."""
    raw: list[Outcome] = []
    for which in ("questions", "same_language"):
        outcomes = outcomes_of([sets.cross_language(which)], way_of(arguments), 1)
        directions = sorted({one.category for one in outcomes})
        show(recall_table(outcomes, SMALL, directions))
        misses(arguments, outcomes)
        raw += outcomes
    write(arguments.out, raw)


def irrelevant(arguments: argparse.Namespace) -> None:
    """How many questions bring back anything, of a memory that knows nothing about them."""
    rows = [["asked of", "questions", "n", "brought something back, %", "items each"]]
    for dialogue in foreign(arguments):
        for which in ("questions", "personal"):
            way, questions = way_of(arguments), sets.irrelevant(which)
            found = anyio.run(partial(answers, dialogue, questions, way, whole=False))
            loud = [answer for answer in found if count(answer)]
            share = f"{100 * len(loud) / len(found):.1f}"
            items = f"{sum(map(count, found)) / len(found):.2f}"
            kind = "personal" if which == "personal" else "of daily work"
            rows.append([dialogue.name, kind, str(len(found)), share, items])
            for answer in loud if arguments.verbose else ():
                print(f"{dialogue.name}: {count(answer)} for {answer.question.text!r}")
    show(table(rows))


def count(answer: Answer) -> int:
    return len(answer.ranked) + answer.facts


def foreign(arguments: argparse.Namespace) -> Iterator[Dialogue]:
    yield sets.cross_language()
    if arguments.locomo:
        yield sets.locomo(arguments.locomo)[0]
    for language, paths in (("zh", arguments.memorybank_zh), ("en", arguments.memorybank_en)):
        if paths:
            yield sets.memorybank(language, *paths)[0]


def misses(arguments: argparse.Namespace, outcomes: Iterable[Outcome]) -> None:
    """With -v: which questions had no evidence among the first five."""
    for one in outcomes if arguments.verbose else ():
        if not any(rank is not None and rank <= 5 for rank in one.ranks):
            print(f"{one.dialogue} {one.index} {one.category}: ranks {[*one.ranks]}")


def conversations(arguments: argparse.Namespace) -> list[Dialogue]:
    return sets.locomo(arguments.data, arguments.conversations)


def channels() -> tuple[str, ...]:
    if not CHANNELS or "recall_channels" not in config.Settings.model_fields:
        sys.exit("This version cannot switch channels off.")
    return CHANNELS


def way_of(arguments: argparse.Namespace, chosen: Sequence[str] | None = None) -> Way:
    if unknown := {*arguments.only, *arguments.without} - {*CHANNELS}:
        sys.exit(f"No such channel: {', '.join(sorted(unknown))}. There are {', '.join(CHANNELS)}.")
    if chosen is None and (arguments.only or arguments.without):
        kept = arguments.only or channels()
        chosen = [name for name in channels() if name in kept and name not in arguments.without]
    changed: Mapping[str, Any] = dict(arguments.set)
    if chosen is not None:
        changed = {**changed, "recall_channels": ",".join(chosen)}
    return Way(keep=arguments.keep, settings=changed, fast=arguments.fast)


def write(out: Path | None, outcomes: Iterable[Outcome]) -> None:
    if out:
        lines = [json.dumps(one.raw, ensure_ascii=False) for one in outcomes]
        out.parent.mkdir(parents=True, exist_ok=True)
        out.write_text("\n".join(lines) + "\n", encoding="utf-8")


def show(lines: Iterable[str]) -> None:
    print("\n".join(lines), end="\n\n", flush=True)


def setting(text: str) -> tuple[str, Any]:
    key, _, value = text.partition("=")
    try:
        return key, json.loads(value)
    except ValueError:
        return key, value


def names(text: str) -> list[str]:
    return [name.strip() for name in text.split(",")]


def arguments_of() -> argparse.ArgumentParser:
    common = argparse.ArgumentParser(add_help=False)
    common.add_argument("--keep", type=Path, help="hold on to told memories in this directory")
    common.add_argument("--out", type=Path, help="write each question's ranks here, as JSON lines")
    common.add_argument("--workers", type=int, default=1, help="conversations at the same time")
    common.add_argument("--fast", action="store_true", help="no index process, one embedder")
    common.add_argument("--without", action="append", default=[], metavar="CHANNEL")
    common.add_argument("--only", action="append", default=[], metavar="CHANNEL")
    common.add_argument("--set", action="append", default=[], type=setting, metavar="SETTING=JSON")
    common.add_argument("-v", "--verbose", action="store_true", help="name the questions that fail")
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    verbs = parser.add_subparsers(required=True)

    def command(verb: Any) -> argparse.ArgumentParser:
        own = verbs.add_parser(verb.__name__, parents=[common], help=verb.__doc__)
        own.set_defaults(verb=verb)
        return own

    for verb in (locomo, ablation):
        own = command(verb)
        own.add_argument("--data", type=Path, required=True)
        own.add_argument("--conversations", type=names, default=[], metavar="NAME,NAME")
    own = command(memorybank)
    own.add_argument("--lang", choices=("zh", "en"), required=True)
    own.add_argument("--data", type=Path, required=True)
    own.add_argument("--questions", type=Path, required=True)
    command(cross)
    own = command(irrelevant)
    own.add_argument("--locomo", type=Path)
    for language in ("zh", "en"):
        own.add_argument(
            f"--memorybank-{language}", type=Path, nargs=2, metavar=("DATA", "QUESTIONS")
        )
    return parser


if __name__ == "__main__":
    asked_for = arguments_of().parse_args()
    asked_for.verb(asked_for)
