"""Many processes on one store: four write, two read, and one of them is killed or none."""

import os
import random
import signal
import time
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from itertools import islice
from pathlib import Path

import psutil

from tests.subject import Subject
from tests.torture import checks, crew
from tests.torture.crew import Log, Trial
from tests.torture.workload import Said, turns

WRITERS = 4
READERS = 2
CREW = WRITERS + READERS
PROBES = 20
MOST_DELAY_SECONDS = 1.0
LATEST_KILL_SECONDS = 0.05
MOST_WRITES_SECONDS = 60.0


def writers(trial: Trial) -> str:
    """Four processes write, two read, nobody dies."""
    series, subjects = _series(trial), trial.subjects
    _start_warm(trial)
    begun = time.monotonic()
    log = _work(trial, series)
    took = time.monotonic() - begun
    assert log.errors == [], log.errors
    assert len(log.acknowledged) == WRITERS * trial.size
    quiet = _probe(subjects, trial.chance)
    crew.stop_all(subjects)
    every = [said for own in series for said in own] + quiet.acknowledged
    left = _check(trial, subjects[0], log.ids | quiet.ids, every)
    late = max(quiet.by_words + quiet.by_meaning)
    figures = (
        f"{len(log.acknowledged)} pages in {took:.0f} s, {log.reads} reads, "
        f"slowest add {log.slowest_add:.2f} s; "
        f"found by others, busy: words {_delays(log.by_words)}, meaning {_delays(log.by_meaning)}; "
        f"quiet: words {_delays(quiet.by_words)}, meaning {_delays(quiet.by_meaning)}; {left}"
    )
    assert late < MOST_DELAY_SECONDS, figures
    return figures


def kill(trial: Trial) -> str:
    """One of the six is killed at a random moment."""
    chance, subjects = trial.chance, trial.subjects
    victim, after = chance.choice(subjects), chance.randint(0, WRITERS * trial.size - 1)
    pause = chance.uniform(0, LATEST_KILL_SECONDS)

    def disturb(log: Log) -> None:
        checks.until(lambda: len(log.acknowledged) >= after, f"{after} pages")
        time.sleep(pause)
        os.kill(victim.pid, signal.SIGKILL)

    series = _series(trial)
    crew.start_all(subjects, trial.data, trial.embedder)
    log = _work(trial, series, disturb)
    who = "a writer" if victim in subjects[:WRITERS] else "a reader"
    left = _aftermath(trial, victim, log, series)
    return f"{who} killed after {after} pages; {left}"


def owner(trial: Trial) -> str:
    """The owner of the index, or its child, or both are killed while the index is written."""
    chance, subjects = trial.chance, trial.subjects
    whom = chance.choice(("the child", "the parent", "both"))
    pause = chance.uniform(0, LATEST_KILL_SECONDS)
    after = chance.randint(0, WRITERS * trial.size // 2)
    killed: list[Subject] = []

    def disturb(log: Log) -> None:
        checks.until(lambda: len(log.acknowledged) >= after, f"{after} pages")
        _wait_for_write(trial.data / "chroma")
        time.sleep(pause)
        subject, child = next(_owners(subjects))
        if whom != "the parent":
            child.kill()
        if whom != "the child":
            os.kill(subject.pid, signal.SIGKILL)
            killed.append(subject)

    series = _series(trial)
    _start_warm(trial)
    checks.until(lambda: any(_owners(subjects)), "An owner of the index")
    log = _work(trial, series, disturb)
    alive = [subject for subject in subjects if subject not in killed]
    # The parts of the test that follow are one thread: now all can be asked.
    again = checks.until(
        lambda: any(subject.do("look")["state"] == "open" for subject in alive), "A new owner"
    )

    def heirs() -> list[Subject]:
        # Whose child was killed may take itself for the owner for another second.
        return [own for own in alive if checks.is_indexed(own, trial.data, trial.embedder)]

    checks.until(lambda: bool(heirs()), "The index is complete")
    heir = heirs()[0]
    checks.check_found(heir, log.acknowledged[-5:])
    dead = killed[0] if killed else None
    left = _aftermath(trial, dead, log, series)
    return f"{whom} killed; owned again {again:.1f} s after the last page; {left}"


def _start_warm(trial: Trial) -> None:
    """Start all, and ask each: it has loaded its model then, and may own the index."""
    crew.start_all(trial.subjects, trial.data, trial.embedder)
    ask = {"query": "piano", "user": "ana", "most": 1}
    crew.together([partial(subject.do, "retrieve", **ask) for subject in trial.subjects])


def _series(trial: Trial) -> list[list[Said]]:
    """What each writer is to write."""
    chance = trial.chance
    names = [f"w{chance.randrange(16**6):06x}n{number}" for number in range(WRITERS)]
    return [list(islice(turns(name, chance), trial.size)) for name in names]


def _work(
    trial: Trial, series: Sequence[Sequence[Said]], disturb: Callable[[Log], None] | None = None
) -> Log:
    subjects = trial.subjects
    return crew.work(subjects[:WRITERS], subjects[WRITERS:], series, trial.chance, disturb)


def _probe(subjects: Sequence[Subject], chance: random.Random) -> Log:
    """One process adds a page when all is quiet, another one looks for it."""
    for subject in subjects:
        subject.do("consolidate")
    log = Log()
    for said in islice(turns(f"q{chance.randrange(16**6):06x}", chance), PROBES):
        adder, seeker = chance.sample(list(subjects), 2)
        log.note(said, adder.do("add", **said.as_order())["id"])
        assert crew.seek(seeker, said, time.monotonic(), log)
    assert log.errors == [], log.errors
    return log


def _aftermath(
    trial: Trial, dead: Subject | None, log: Log, series: Sequence[Sequence[Said]]
) -> str:
    """Stop the living, and look at what is left."""
    assert log.errors == [], log.errors
    crew.stop_all([subject for subject in trial.subjects if subject is not dead])
    if dead:
        dead.do("kill")
    every = [said for own in series for said in own]
    return _check(trial, trial.subjects[0], log.ids, every)


def _check(
    trial: Trial,
    subject: Subject,
    told: dict[str, str],
    every: Sequence[Said],
) -> str:
    """Nothing is lost: in the file, by recall, in the index; and recall is that of a new store."""
    stored = checks.in_order(trial.data, every)
    checks.open_alone(subject, trial.data, trial.embedder)
    checks.check_store(trial.data, told, every)
    checks.check_found(subject, stored)
    answer = checks.recalled(subject, stored) if trial.compared else None
    checks.close(subject)
    figures = f"{len(told)} told, {len(stored)} there, each found by words and meaning"
    if trial.indexed:
        checks.check_index(trial.data, stored, trial.embedder)
        figures += ", and indexed"
    if answer:
        undisturbed = trial.home / "undisturbed"
        expected = checks.undisturbed(subject, undisturbed, stored, trial.embedder)
        figures += f"; {checks.check_same(answer, expected)}"
    return figures


def _owners(subjects: Sequence[Subject]) -> Iterator[tuple[Subject, psutil.Process]]:
    """Those who have a process that holds Chroma."""
    for subject in subjects:
        try:
            for child in psutil.Process(subject.pid).children():
                if "memory_core.backends.chroma_child" in child.cmdline():
                    yield subject, child
        except psutil.NoSuchProcess:
            continue


def _wait_for_write(directory: Path) -> None:
    """Return when a file of the index has just been written."""
    before = _state(directory)
    checks.until(lambda: _state(directory) != before, "A write of the index", MOST_WRITES_SECONDS)


def _state(directory: Path) -> set[tuple[str, int, int]]:
    found = set()
    for file in directory.rglob("*"):
        try:
            facts = file.stat()
        except FileNotFoundError:
            continue
        found.add((file.name, facts.st_size, facts.st_mtime_ns))
    return found


def _delays(values: Sequence[float]) -> str:
    if not values:
        return "none"
    ordered = sorted(values)
    return f"p50 {ordered[len(ordered) // 2] * 1000:.0f} max {ordered[-1] * 1000:.0f} ms"
