"""Dialogues told to memories, and the memories asked: only through the library's public door."""

import hashlib
import json
import shutil
import tempfile
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import MappingProxyType
from typing import Any

from memory_core import MemoryCore, Recollection, Settings, open_memory
from scripts.evaluation.parts import OthersIndex, lasting_embedder
from scripts.evaluation.sets import Dialogue, Question

COMPLETE = "complete.json"
# What figures of the first 5, 10, 20 and 50 are taken from. More than what is asked for by default,
# and looked at as closely as that (`recall.USUAL`).
RESULTS = 50
# More than any budget here takes.
WIDE_RESULTS = 150
# A ranking is looked at whole; what a budget does to it is computed.
NO_BUDGET = 100_000
NONE: Mapping[str, Any] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class Way:
    """How memories are made and asked.

    keep: directory in which told memories stay for the next run; None: they do not.
    settings: what differs from what ships.
    fast: without an index, and with one embedder for all memories of a process. What is found is
    the same, and a memory opens at once.
    """

    keep: Path | None = None
    settings: Mapping[str, Any] = field(default_factory=dict)
    fast: bool = False

    @property
    def parts(self) -> dict[str, Any]:
        """What to open a memory with."""
        return {"embedder": lasting_embedder(), "index": OthersIndex()} if self.fast else {}


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back, best first, by the names of turns.

    facts: how many; notes: what is amiss; wide: the same of many more turns, with their scores.
    """

    question: Question
    ranked: tuple[str, ...]
    facts: int
    notes: tuple[str, ...]
    wide: tuple[tuple[str, float], ...] = ()


async def answers(
    dialogue: Dialogue, questions: Sequence[Question], way: Way, *, whole: bool = True
) -> list[Answer]:
    """Ask a memory that knows the dialogue; whole: for long rankings, instead of what ships."""
    with tempfile.TemporaryDirectory(prefix="memstrata-eval-") as scratch:
        data = Path(scratch) / "data"
        names = await told(dialogue, way.keep, data, way.parts)
        async with opened(data, way.settings, way.parts) as memory:
            ask = _ask_twice if whole else _ask
            return [await ask(memory, question, names) for question in questions]


async def told(
    dialogue: Dialogue, keep: Path | None, data: Path, parts: Mapping[str, Any] = NONE
) -> dict[str, str]:
    """Make `data` a memory that knows the dialogue; the names of its turns by page id.

    What is kept is copied before it is asked: recall warms up what it finds, and every run should
    find the same. The index is left out; it is made anew from the store.
    """
    kept = keep / _name_of(dialogue) if keep else None
    if kept and (kept / COMPLETE).exists():
        shutil.copytree(kept / "data", data)
        held: dict[str, str] = json.loads((kept / COMPLETE).read_text(encoding="utf-8"))
        return held
    names = await _tell(dialogue, data, parts)
    if kept:
        shutil.rmtree(kept, ignore_errors=True)
        shutil.copytree(data, kept / "data", ignore=shutil.ignore_patterns("chroma*"))
        (kept / COMPLETE).write_text(json.dumps(names), encoding="utf-8")
    return names


def _name_of(dialogue: Dialogue) -> str:
    """Of what was said and when: other turns under the same name are another memory."""
    told = repr([(turn.name, turn.user, turn.agent, turn.at) for turn in dialogue.turns])
    digest = hashlib.sha256(told.encode("utf-8", "surrogatepass")).hexdigest()[:12]
    return f"{''.join(filter(str.isalnum, dialogue.name))}-{digest}"


async def _tell(dialogue: Dialogue, data: Path, parts: Mapping[str, Any]) -> dict[str, str]:
    names = {}
    async with open_memory(_settings(data, {}), **parts) as memory:
        for turn in dialogue.turns:
            added = await memory.add_memory(turn.user, turn.agent, at=turn.at)
            names[added.id] = turn.name
        await memory.consolidate()
    return names


@asynccontextmanager
async def opened(
    data: Path, changed: Mapping[str, Any], parts: Mapping[str, Any] = NONE
) -> AsyncIterator[MemoryCore]:
    async with open_memory(_settings(data, changed), **parts) as memory:
        # Loads the embedder, takes up its first call, and opens the index.
        await memory.consolidate()
        await memory.retrieve_memory("?")
        yield memory


def _settings(data: Path, changed: Mapping[str, Any]) -> Settings:
    return Settings.load({"data_storage_path": str(data), **changed}, environ={})


async def _ask_twice(memory: MemoryCore, question: Question, names: Mapping[str, str]) -> Answer:
    answer = await _ask(memory, question, names, RESULTS, NO_BUDGET)
    wide = await memory.retrieve_memory(
        question.text, max_results=WIDE_RESULTS, max_tokens=NO_BUDGET
    )
    return replace(answer, wide=tuple((names[hit.page.id], hit.score) for hit in in_order(wide)))


async def _ask(
    memory: MemoryCore,
    question: Question,
    names: Mapping[str, str],
    most: int | None = None,
    budget: int | None = None,
) -> Answer:
    """most: items of each kind; None for what ships."""
    found = await memory.retrieve_memory(question.text, max_results=most, max_tokens=budget)
    return Answer(
        question=question,
        ranked=tuple(names[hit.page.id] for hit in in_order(found)),
        facts=len(found.user_facts) + len(found.assistant_facts),
        notes=found.notes,
    )


def in_order(found: Recollection) -> list[Any]:
    """Pages that fit the question, best first; those still in the short-term window too."""
    window = [hit for hit in found.short_term if hit.score > 0]
    return sorted((*window, *found.pages), key=lambda hit: -hit.score)
