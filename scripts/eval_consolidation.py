"""What consolidation makes of the golden set, with any language model or with rules.

    python scripts/eval_consolidation.py --raw outcome.jsonl
    MEMSTRATA_OPENAI_BASE_URL=http://127.0.0.1:8080/v1 MEMSTRATA_LLM_MODEL=some-model \\
        python scripts/eval_consolidation.py --language zh --raw outcome.jsonl

Settings come from the environment and `--config`; without a model rules are looked at. Each
dialogue gets a memory of its own. The file of `--raw` takes one JSON object a dialogue: all facts
and lines, each answer of the model, what it cost, and what failed.

The exit code is 0 when nothing came out that must not, no work failed, and the share of what must
come out reached `--at-least`.
"""

import argparse
import json
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import anyio

sys.path.insert(0, str(Path(__file__).parent.parent))

from memory_core import ModelError, Settings, open_memory
from memory_core.backends.llm import LanguageModel, Question, Spent
from memory_core.wiring import language_model
from tests.golden_set import SETTINGS, Dialogue, Verdict, dialogues, judge, shown, tell, views


class Recorder:
    """A language model that keeps what it was asked and what it answered."""

    def __init__(self, model: LanguageModel, answers: list[dict[str, Any]]) -> None:
        self._model = model
        self._answers = answers

    @property
    def name(self) -> str:
        return self._model.name

    @property
    def state(self) -> str:
        return self._model.state

    async def ask(self, question: Question[Any]) -> Any:
        entry: dict[str, Any] = {"kind": question.kind, "text": question.text}
        self._answers.append(entry)
        begun = time.monotonic()
        try:
            reply = await self._model.ask(question)
        except ModelError as error:
            entry["error"] = str(error)
            raise
        finally:
            entry["seconds"] = round(time.monotonic() - begun, 1)
        entry["reply"] = reply.model_dump(mode="json")
        return reply

    async def write(self, system: str, text: str, *, max_tokens: int = 1000) -> str:
        return await self._model.write(system, text, max_tokens=max_tokens)

    async def close(self) -> None:
        await self._model.close()


@dataclass(slots=True)
class Outcome:
    """What came out of one dialogue, and what it cost."""

    dialogue: Dialogue
    verdict: Verdict
    failures: tuple[str, ...]
    refused: tuple[str, ...]
    seconds: float
    spent: list[Spent] = field(default_factory=list)
    answers: list[dict[str, Any]] = field(default_factory=list)
    rules: bool = False

    @property
    def offences(self) -> list[str]:
        """What may not be there; that of which rules are known to fall short is not held against
        them here, but shown.
        """
        return [
            f"{shown(taboo.words)} in {text!r}: {taboo.why}"
            for taboo, text in self.verdict.offences
            if not (self.rules and taboo.beyond_rules)
        ]


async def look_at(dialogue: Dialogue, settings: Settings, *, by_day: bool) -> Outcome:
    spent: list[Spent] = []
    answers: list[dict[str, Any]] = []

    async def report(cost: Spent) -> None:
        spent.append(cost)

    own = language_model(settings, report)
    model = Recorder(own, answers) if own else None
    with tempfile.TemporaryDirectory() as data:
        fresh = settings.model_copy(update={**SETTINGS, "data_storage_path": Path(data)})
        begun = time.monotonic()
        async with open_memory(fresh, model=model) as memory:
            await tell(memory, dialogue, by_day=by_day)
            known = await views(memory, dialogue)
            status = await memory.status()
        took = time.monotonic() - begun
    failures = tuple(f"{job.kind}: {job.last_error}" for job in status.queue.jobs if job.attempts)
    verdict = judge(dialogue, known)
    refused = tuple(f"{r.count} {r.side}: {r.reason}" for r in status.refused)
    return Outcome(dialogue, verdict, failures, refused, took, spent, answers, rules=own is None)


def row(name: str, outcomes: Sequence[Outcome]) -> str:
    verdicts = [outcome.verdict for outcome in outcomes]
    musts = sum(len(v.found) + len(v.missed) for v in verdicts)
    about_user = sum(m.about == "user" for v in verdicts for m in (*v.found, *v.missed))
    standing = sum(len(outcome.dialogue.standing) for outcome in outcomes)
    stands = standing - sum(len(v.standing_missed) for v in verdicts)
    spent = [cost for outcome in outcomes for cost in outcome.spent]
    return (
        f"{name:18} {len(outcomes):4} {share(sum(len(v.found) for v in verdicts), musts):>12} "
        f"{share(sum(len(v.in_profile) for v in verdicts), about_user):>12} "
        f"{f'{stands}/{standing}':>8} {sum(len(v.offences) for v in verdicts):8} "
        f"{sum(len(v.foreign) for v in verdicts):7} {len(spent):6} "
        f"{sum(c.prompt_tokens for c in spent):8,} {sum(c.completion_tokens for c in spent):8,} "
        f"{sum(outcome.seconds for outcome in outcomes):8.1f} "
        f"{sum(bool(outcome.failures) for outcome in outcomes):6}"
    )


def share(part: int, whole: int) -> str:
    return f"{part}/{whole} {100 * part // whole}%" if whole else "-"


def report_on(outcomes: Sequence[Outcome]) -> None:
    print(
        f"{'':18} {'dia-':>4} {'musts in':>12} {'musts in':>12} {'stand-':>8} {'must':>8} "
        f"{'foreign':>7} {'':>6} {'prompt':>8} {'answer':>8} {'':>8}\n"
        f"{'':18} {'logs':>4} {'facts':>12} {'profile':>12} {'ing':>8} {'not':>8} "
        f"{'tongue':>7} {'calls':>6} {'tokens':>8} {'tokens':>8} {'seconds':>8} {'failed':>6}"
    )
    for language in dict.fromkeys(outcome.dialogue.language for outcome in outcomes):
        print(row(language, [o for o in outcomes if o.dialogue.language == language]))
    for kind in sorted({outcome.dialogue.kind for outcome in outcomes}):
        print(row(f"  {kind}", [o for o in outcomes if o.dialogue.kind == kind]))
    print(row("all", outcomes))
    spent = [cost for outcome in outcomes for cost in outcome.spent]
    for kind, calls in sorted(Counter(cost.kind for cost in spent).items()):
        own = [cost for cost in spent if cost.kind == kind]
        tokens = sum(c.prompt_tokens for c in own), sum(c.completion_tokens for c in own)
        print(f"{kind}: {calls} calls, {tokens[0]:,} prompt and {tokens[1]:,} completion tokens")
    details(outcomes)


def details(outcomes: Iterable[Outcome]) -> None:
    for outcome in outcomes:
        verdict = outcome.verdict
        lines = [f"missed: {shown(must.words)}" for must in verdict.missed]
        lines += [f"no standing instruction: {shown(w)}" for w in verdict.standing_missed]
        lines += [
            f"MUST NOT: {shown(t.words)} in {text!r}: {t.why}" for t, text in verdict.offences
        ]
        lines += [f"in a language that nobody spoke: {text!r}" for text in verdict.foreign]
        lines += [f"refused: {'; '.join(outcome.refused)}"] if outcome.refused else []
        lines += [f"FAILED: {failure}" for failure in outcome.failures]
        if lines:
            print("\n".join([outcome.dialogue.name, *(f"  {line}" for line in lines)]))


def as_json(outcome: Outcome) -> str:
    verdict = outcome.verdict
    value = {
        "dialogue": outcome.dialogue.name,
        "facts": verdict.facts,
        "profile": verdict.lines,
        "found": [shown(must.words) for must in verdict.found],
        "missed": [shown(must.words) for must in verdict.missed],
        "must_not": [[shown(t.words), text, t.why] for t, text in verdict.offences],
        "failures": outcome.failures,
        "refused": outcome.refused,
        "seconds": round(outcome.seconds, 1),
        "spent": [[c.kind, c.prompt_tokens, c.completion_tokens] for c in outcome.spent],
        "answers": outcome.answers,
    }
    return json.dumps(value, ensure_ascii=False)


def asked(arguments: argparse.Namespace) -> list[Dialogue]:
    return [
        dialogue
        for dialogue in dialogues(*arguments.only)
        if arguments.language in ("", dialogue.language) and arguments.kind in ("", dialogue.kind)
    ]


async def main(arguments: argparse.Namespace) -> bool:
    settings = Settings.load(
        {"llm_model": "none"} if arguments.rules else {}, file=arguments.config
    )
    print(f"made by {settings.llm_model if settings.has_model else 'rules'}", flush=True)
    outcomes = []
    for dialogue in asked(arguments):
        outcome = await look_at(dialogue, settings, by_day=arguments.by_day)
        outcomes.append(outcome)
        found, missed = len(outcome.verdict.found), len(outcome.verdict.missed)
        print(
            f"{dialogue.name}: {found} of {found + missed}, {outcome.seconds:.0f} s",
            file=sys.stderr,
        )
        if arguments.raw:
            with arguments.raw.open("a", encoding="utf-8") as raw:
                raw.write(as_json(outcome) + "\n")
    report_on(outcomes)
    found = sum(len(outcome.verdict.found) for outcome in outcomes)
    musts = found + sum(len(outcome.verdict.missed) for outcome in outcomes)
    clean = not any(outcome.offences or outcome.failures for outcome in outcomes)
    return clean and 100 * found >= arguments.at_least * musts


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--config", type=Path, help="a JSON file of settings")
    parser.add_argument("--only", nargs="+", default=[], metavar="NAME", help="these dialogues")
    parser.add_argument("--language", default="", help="en, zh, ja or mixed")
    parser.add_argument("--kind", default="", help="short, long, noisy, ...")
    parser.add_argument("--rules", action="store_true", help="no model, whatever the settings say")
    parser.add_argument("--by-day", action="store_true", help="consolidate after each day")
    parser.add_argument("--raw", type=Path, help="append the outcome to this file")
    parser.add_argument("--at-least", type=float, default=0.0, help="percent of musts in facts")
    sys.exit(0 if anyio.run(main, parser.parse_args()) else 1)
