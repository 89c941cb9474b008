"""Processes at work on one store: some write, some read, and one may die."""

import random
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from datetime import datetime
from functools import partial
from pathlib import Path

from tests.living import Reply
from tests.subject import DIED, Subject, hosted
from tests.torture.workload import USERS, Said

BUNDLED = "bundled"
FOUND_SECONDS = 30.0
LOOK_SECONDS = 0.005


@dataclass(frozen=True, slots=True, kw_only=True)
class Trial:
    """One run of a part, in an empty directory.

    subjects: as many as the part asks for; size: pages of each writer or of the store, calls, or
    lives; indexed, compared: whether the index itself is searched in the end, and whether recall is
    compared with that of an undisturbed store.
    """

    chance: random.Random
    home: Path
    subjects: Sequence[Subject] = ()
    size: int
    embedder: str = BUNDLED
    indexed: bool = True
    compared: bool = True

    @property
    def data(self) -> Path:
        return self.home / "data"


@dataclass(slots=True)
class Log:
    """What happened, written by all threads. Times in seconds.

    acknowledged: in the order in which the replies came; by_words, by_meaning: from an
    acknowledgement until another process found the turn.
    """

    acknowledged: list[Said] = field(default_factory=list)
    ids: dict[str, str] = field(default_factory=dict)
    errors: list[str] = field(default_factory=list)
    reads: int = 0
    by_words: list[float] = field(default_factory=list)
    by_meaning: list[float] = field(default_factory=list)
    slowest_add: float = 0.0

    def note(self, said: Said, id: str) -> None:
        self.ids[said.word] = id
        self.acknowledged.append(said)


@contextmanager
def crew(size: int) -> Iterator[list[Subject]]:
    """So many programs, in each of which a subject can be started."""
    with ExitStack() as stack:
        yield [stack.enter_context(hosted()) for _ in range(size)]


def start(subject: Subject, directory: Path, embedder: str, now: datetime | None = None) -> None:
    """Start one process with real Chroma."""
    subject.start(directory, now, embedder=embedder, index="chroma")


def start_all(subjects: Sequence[Subject], directory: Path, embedder: str) -> None:
    """Start them at the same moment, on one store."""
    together([partial(start, subject, directory, embedder) for subject in subjects])


def stop_all(subjects: Sequence[Subject]) -> None:
    for subject in subjects:
        subject.do("stop")
        subject.do("kill")


def together(works: Sequence[Callable[[], object]]) -> None:
    """Run all, each in its thread; the first failure is raised when all have ended."""
    failures: list[BaseException] = []

    def run(work: Callable[[], object]) -> None:
        try:
            work()
        except (AssertionError, OSError, ValueError) as failure:
            failures.append(failure)

    threads = [threading.Thread(target=run, args=(work,)) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    if failures:
        raise failures[0]


def write(subject: Subject, turns: Sequence[Said], log: Log) -> None:
    """Add turns one after another, until all are added or the subject has died."""
    for said in turns:
        begun = time.monotonic()
        reply = subject.do("add", **said.as_order())
        if reply == DIED:
            return
        log.slowest_add = max(log.slowest_add, time.monotonic() - begun)
        log.note(said, reply["id"])


def read(subject: Subject, log: Log, done: threading.Event, chance: random.Random) -> None:
    """Look for what was added last, by words and meaning, and at profiles, until all is done."""
    while not done.is_set():
        if log.acknowledged:
            said = log.acknowledged[-1]
            if not seek(subject, said, time.monotonic(), log, done):
                return
        reply = subject.do("profile", user=chance.choice(USERS))
        if reply == DIED:
            return
        log.reads += 1


def seek(
    subject: Subject, said: Said, begun: float, log: Log, done: threading.Event | None = None
) -> bool:
    """Ask for a turn until it is found by its words and by its meaning.

    Returns:
        Whether the subject lives. What is not found after half a minute is an error.
    """
    by_words = False
    while True:
        reply = subject.do("retrieve", query=said.text, user=said.user, most=3)
        if reply == DIED:
            return False
        log.reads += 1
        waited = time.monotonic() - begun
        why = why_of(reply, said)
        if why.get("words", 0) > 0 and not by_words:
            by_words = True
            log.by_words.append(waited)
        if why.get("vectors", 0) > 0:
            log.by_meaning.append(waited)
            return True
        if done and done.is_set():
            return True
        if waited > FOUND_SECONDS:
            log.errors.append(f"{said.word} is not found by {'meaning' if by_words else 'words'}")
            return True
        time.sleep(LOOK_SECONDS)


def why_of(reply: Reply, said: Said) -> dict[str, float]:
    """Why a turn was found; empty when it was not."""
    for hit in (*reply["window"], *reply["pages"]):
        if hit["agent_response"] == said.agent_response:
            why: dict[str, float] = hit["why"]
            return why
    return {}


def work(
    writers: Sequence[Subject],
    readers: Sequence[Subject],
    series: Sequence[Sequence[Said]],
    chance: random.Random,
    disturb: Callable[[Log], object] | None = None,
) -> Log:
    """Let all work until the writers are done; `disturb` runs beside them."""
    log, done = Log(), threading.Event()

    def attempt(work: Callable[..., object], *arguments: object) -> None:
        try:
            work(*arguments)
        except AssertionError as failure:
            log.errors.append(str(failure))

    def write_all() -> None:
        together(
            [
                partial(attempt, write, subject, turns, log)
                for subject, turns in zip(writers, series, strict=True)
            ]
        )
        done.set()

    reading = [
        partial(attempt, read, subject, log, done, random.Random(chance.random()))
        for subject in readers
    ]
    disturbing = [partial(disturb, log)] if disturb else []
    together([write_all, *reading, *disturbing])
    return log
