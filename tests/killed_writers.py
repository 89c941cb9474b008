"""Writers on one store that are killed one after another. Run by test_kill.py as a program.

    python -m tests.killed_writers DIRECTORY rules|model ROUNDS SEED

Each writer is a forked process, so that a start costs no imports. It adds turns and consolidates
as fast as it can and prints "ID WORD" once a turn is acknowledged, until SIGKILL ends it: at a
random moment, before a random statement of SQL, or just after the model has answered.
"""

import itertools
import os
import random
import signal
import sys
from dataclasses import dataclass
from typing import Any

import anyio
from pydantic import BaseModel

from memory_core import Settings, open_memory
from memory_core.backends.llm import Question
from memory_core.backends.memory_index import MemoryIndex
from memory_core.testing import ScriptedModel, WordsEmbedder
from tests.mortal import Fuse, end_threads, kill, wait_for_end
from tests.stub_answers import plausible
from tests.whole import faults_of

USERS = ("ana", "ben", "语")
SAID = (
    "I live in Lisbon.",
    "I like green tea.",
    "My dog is called Toby.",
    "我喜欢爬山。",
    "Which train goes to Porto?",
    "I moved to Porto.",
    "I work as a nurse.",
)
KINDS = ("topics", "facts", "profile")
LONGEST_LIFE_SECONDS = 0.4
LONGEST_WAIT_SECONDS = 10.0
MOST_STATEMENTS = 1_500
TURNS_BETWEEN_CONSOLIDATIONS = 30


@dataclass(frozen=True, slots=True)
class End:
    """What ends a writer, whichever comes first.

    seconds: from its start; statement: number of a statement of SQL; answer: a kind of question,
    and the number of the answer of this kind.
    """

    seconds: float = LONGEST_WAIT_SECONDS
    statement: int = 0
    answer: tuple[str, int] = ("", 0)


class MortalModel(ScriptedModel):
    """Lets others run before and after an answer; the answer that `end` names is fatal."""

    def __init__(self, end: End) -> None:
        super().__init__(answer=self._answer_to)
        self._fatal = end.answer

    def _answer_to(self, question: Question[Any]) -> BaseModel:
        reply: BaseModel = question.reply.model_validate(plausible(question.kind, question.text))
        return reply

    async def ask(self, question: Question[Any]) -> Any:
        await anyio.sleep(0.002)
        reply = await super().ask(question)
        if self._fatal == (question.kind, sum(q.kind == question.kind for q in self.history)):
            os.kill(os.getpid(), signal.SIGKILL)
        await anyio.sleep(0.002)
        return reply


def settings(directory: str) -> Settings:
    """Everything is placed and digested as soon as it can be."""
    given = {
        "data_storage_path": directory,
        "short_term_capacity": 2,
        "consolidation_batch_size": 4,
        "consolidation_idle_seconds": 0,
        "mid_term_heat_threshold": 0,
    }
    return Settings.load(given, environ={})


async def write(directory: str, number: int, model: MortalModel | None, turns: int | None) -> None:
    """Add so many turns, or without end."""
    async with open_memory(
        settings(directory), model=model, embedder=WordsEmbedder(), index=MemoryIndex()
    ) as memory:
        for turn in itertools.count() if turns is None else range(turns):
            word = f"word{number}x{turn}"
            # Old topics to join, and new ones to open.
            said = SAID[turn % len(SAID)] if turn % 2 else f"{word}, {word}a and {word}b."
            added = await memory.add_memory(said, word, user_id=USERS[turn % len(USERS)])
            os.write(1, f"{added.id} {word}\n".encode())
            if turn % TURNS_BETWEEN_CONSOLIDATIONS == 20:
                await memory.consolidate()


def chosen_end(mode: str, number: int, chance: random.Random) -> End:
    if number % 3 == 0:
        return End(seconds=chance.uniform(0, LONGEST_LIFE_SECONDS))
    if number % 3 == 1 and mode == "model":
        return End(answer=(chance.choice(KINDS), chance.randint(1, 4)))
    return End(statement=chance.randint(1, MOST_STATEMENTS))


def live_and_die(directory: str, number: int, mode: str, end: End) -> None:
    """One writer from its start to its end."""
    writer = os.fork()
    if writer == 0:
        Fuse().light(end.statement)
        anyio.run(write, directory, number, MortalModel(end) if mode == "model" else None, None)
    wait_for_end(writer, end.seconds)
    status = kill(writer)
    if not os.WIFSIGNALED(status):
        sys.exit(f"Writer {number} ended by itself: {status}.")
    # Whoever opens the file first recovers it: often that should be the next writer.
    if number % 2 and (faults := faults_of(settings(directory).data_storage_path / "memory.db")):
        sys.exit(f"Writer {number} left {', '.join(faults)}.")


def main(directory: str, mode: str, rounds: str, seed: str) -> None:
    chance = random.Random(int(seed))
    # What is imported and compiled at its first use, a fork has already.
    anyio.run(write, directory, 0, MortalModel(End()) if mode == "model" else None, 25)
    end_threads()
    for number in range(1, 1 + int(rounds)):
        live_and_die(directory, number, mode, chosen_end(mode, number, chance))


if __name__ == "__main__":
    main(*sys.argv[1:])
