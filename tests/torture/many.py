"""Many processes on one store: four write, two read, and one of them is killed or none."""

import os
import random
import signal
import time
from collections.abc import Iterator, Sequence
from itertools import islice
from pathlib import Path

import psutil

from tests.subject import Subject
from tests.torture import checks, crew
from tests.torture.workload import Said, turns

WRITERS = 4
READERS = 2
CREW = WRITERS + READERS
PROBES = 20
MOST_DELAY_SECONDS = 1.0
LATEST_KILL_SECONDS = 0.05
MOST_WRITES_SECONDS = 60.0


def writers(chance: random.Random, home: Path, subjects: Sequence[Subject], pages: int) -> str:
    """Four processes write, two read, nobody dies."""
    series, begun = _series(chance, pages), time.monotonic()
    crew.start_all(subjects, home / "data")
    log = crew.work(subjects[:WRITERS], subjects[WRITERS:], series, chance)
    took = time.monotonic() - begun
    assert log.errors == [], log.errors
    assert len(log.acknowledged) == WRITERS * pages
    quiet = _probe(subjects, chance)
    crew.stop_all(subjects)
    stored = [said for own in series for said in own] + quiet.acknowledged
    lookup = _check(home / "data", subjects[0], log.ids | quiet.ids, stored, stored)
    late = max(quiet.by_words + quiet.by_meaning)
    figures = (
        f"{len(log.acknowledged)} pages in {took:.0f} s, {log.reads} reads, "
        f"slowest add {log.slowest_add:.2f} s; "
        f"found by others, busy: words {_delays(log.by_words)}, meaning {_delays(log.by_meaning)}; "
        f"quiet: words {_delays(quiet.by_words)}, meaning {_delays(quiet.by_meaning)}; {lookup}"
    )
    assert late < MOST_DELAY_SECONDS, figures
    return figures


def kill(chance: random.Random, home: Path, subjects: Sequence[Subject], pages: int) -> str:
    """One of the six is killed at a random moment."""
    victim, after = chance.choice(subjects), chance.randint(0, WRITERS * pages - 1)
    pause = chance.uniform(0, LATEST_KILL_SECONDS)

    def disturb(log: crew.Log) -> None:
        checks.until(lambda: len(log.acknowledged) >= after, f"{after} pages")
        time.sleep(pause)
        os.kill(victim.pid, signal.SIGKILL)

    series = _series(chance, pages)
    crew.start_all(subjects, home / "data")
    log = crew.work(subjects[:WRITERS], subjects[WRITERS:], series, chance, disturb)
    who = "a writer" if victim in subjects[:WRITERS] else "a reader"
    return f"{who} killed after {after} pages; " + _aftermath(home, subjects, victim, log, series)


def owner(chance: random.Random, home: Path, subjects: Sequence[Subject], pages: int) -> str:
    """The owner of the index, or its child, or both are killed while the index is written."""
    whom = chance.choice(("the child", "the parent", "both"))
    pause, after = chance.uniform(0, LATEST_KILL_SECONDS), chance.randint(0, WRITERS * pages // 2)
    killed: list[Subject] = []

    def disturb(log: crew.Log) -> None:
        checks.until(lambda: len(log.acknowledged) >= after, f"{after} pages")
        _wait_for_write(home / "data" / "chroma")
        time.sleep(pause)
        subject, child = next(_owners(subjects))
        if whom != "the parent":
            child.kill()
        if whom != "the child":
            os.kill(subject.pid, signal.SIGKILL)
            killed.append(subject)

    series = _series(chance, pages)
    crew.start_all(subjects, home / "data")
    for subject in subjects:  # who is not asked does not own it
        subject.do("retrieve", query="piano", user="ana", most=1)
    checks.until(lambda: any(_owners(subjects)), "An owner of the index")
    log = crew.work(subjects[:WRITERS], subjects[WRITERS:], series, chance, disturb)
    alive = [subject for subject in subjects if subject not in killed]
    # The parts of the test that follow are one thread: now all can be asked.
    again = checks.until(
        lambda: any(subject.do("look")["state"] == "open" for subject in alive), "A new owner"
    )
    heir = next(subject for subject in alive if subject.do("look")["state"] == "open")
    checks.wait_indexed(heir, home / "data")
    checks.check_found(heir, log.acknowledged[-5:])
    done = f"{whom} killed; owned again {again:.1f} s after the last page; "
    return done + _aftermath(home, subjects, killed[0] if killed else None, log, series)


def _series(chance: random.Random, pages: int) -> list[list[Said]]:
    names = [f"w{chance.randrange(16**6):06x}n{number}" for number in range(WRITERS)]
    return [list(islice(turns(name, chance), pages)) for name in names]


def _probe(subjects: Sequence[Subject], chance: random.Random) -> crew.Log:
    """One process adds a page when all is quiet, another one looks for it."""
    for subject in subjects:
        subject.do("consolidate")
    log = crew.Log()
    for said in islice(turns(f"q{chance.randrange(16**6):06x}", chance), PROBES):
        adder, seeker = chance.sample(list(subjects), 2)
        log.note(said, adder.do("add", **said.as_order())["id"])
        assert crew.seek(seeker, said, time.monotonic(), log)
    assert log.errors == [], log.errors
    return log


def _aftermath(
    home: Path,
    subjects: Sequence[Subject],
    dead: Subject | None,
    log: crew.Log,
    series: Sequence[Sequence[Said]],
) -> str:
    """Stop the living, and compare the store with one that nothing happened to."""
    assert log.errors == [], log.errors
    crew.stop_all([subject for subject in subjects if subject is not dead])
    if dead:
        dead.do("kill")
    every = [said for own in series for said in own]
    stored = checks.in_order(home / "data", every)
    return (
        _check(home / "data", subjects[0], log.ids, every, stored)
        + "; "
        + _compare(home, subjects[0], stored)
    )


def _check(
    directory: Path,
    subject: Subject,
    told: dict[str, str],
    every: Sequence[Said],
    stored: Sequence[Said],
) -> str:
    """Nothing is lost: in the file, by recall, in the index."""
    checks.open_alone(subject, directory)
    checks.check_store(directory, told, every)
    checks.check_found(subject, stored)
    checks.close(subject)
    checks.check_index(directory, stored)
    return f"{len(told)} told, {len(stored)} there, each found by words, by meaning, in the index"


def _compare(home: Path, subject: Subject, stored: Sequence[Said]) -> str:
    checks.open_alone(subject, home / "data")
    answer = checks.recalled(subject, stored)
    checks.close(subject)
    return checks.check_same(answer, checks.undisturbed(subject, home / "undisturbed", stored))


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
