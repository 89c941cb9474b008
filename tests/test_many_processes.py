"""Any number of processes on one store, any of which may be killed; longer in scripts/torture.py.

Real processes, real SQLite and real Chroma; the stand-in embedder, but for the two servers.
"""

import os
import random
import shutil
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from tests.server.process import ServerProcess, started
from tests.subject import DIED, Subject
from tests.test_kill import UNDONE
from tests.torture import many
from tests.torture.crew import Trial, crew
from tests.whole import faults_of, rows

pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGKILL and fork")

PAGES = 40
WORDS = "words/64"
START = datetime(2026, 5, 1, 12, 0, tzinfo=UTC)
LEASES_ARE_OVER = timedelta(minutes=2)
MOST_TRIES = 40
PATIENCE_SECONDS = 30.0
OTHERS = ("I like green tea.", "The piano is lost.", "我喜欢爬山。")
SEEN = "A {} was seen in the harbour."


@pytest.fixture(scope="module")
def subjects() -> Iterator[list[Subject]]:
    with crew(many.CREW) as found:
        yield found


@pytest.fixture
def chance() -> random.Random:
    seed = random.SystemRandom().randrange(2**32)
    # Shown when a test fails.
    sys.stdout.write(f"seed {seed}\n")
    return random.Random(seed)


@pytest.mark.parametrize(
    ("part", "indexed", "compared"),
    [(many.writers, False, False), (many.kill, False, True), (many.owner, True, False)],
    ids=["undisturbed", "one killed", "the owner killed"],
)
def test_nothing_is_lost_and_recall_is_that_of_an_undisturbed_store(
    part: Callable[[Trial], str],
    indexed: bool,
    compared: bool,
    tmp_path: Path,
    chance: random.Random,
    subjects: Sequence[Subject],
) -> None:
    trial = Trial(
        chance=chance,
        home=tmp_path,
        subjects=subjects,
        size=PAGES,
        embedder=WORDS,
        indexed=indexed,
        compared=compared,
    )
    try:
        sys.stdout.write(part(trial))
    finally:
        for subject in subjects:
            subject.do("kill")


def test_two_servers_find_the_pages_of_each_other_within_a_second(tmp_path: Path) -> None:
    options = ("--embedding-model-name", "bundled")
    with started(tmp_path, *options) as left, started(tmp_path, *options) as right:
        left.greet()
        right.greet()
        for said in (
            "I like green tea.",
            "The piano is lost.",
            "我喜欢爬山。",
            SEEN.format("seal"),
        ):
            left.call("add_memory", user_input=said)
        for server in (left, right):  # when both have loaded their model
            _wait_found(server, "seal")
        for adder, seeker, word in ((left, right, "aardvark"), (right, left, "zeppelin")):
            added = adder.call("add_memory", user_input=SEEN.format(word))
            assert not added.get("isError")
            assert _wait_found(seeker, word) < 1.0
        for server in (left, right):
            server.end_input()
            assert server.wait() == 0


def _wait_found(server: ServerProcess, word: str) -> float:
    """Ask until the page with this word is found by words and by meaning; seconds."""
    begun = time.monotonic()
    why: dict[str, float] = {}
    while (waited := time.monotonic() - begun) < PATIENCE_SECONDS:
        reply = server.call("retrieve_memory", query=SEEN.format(word))["structuredContent"]
        for turn in reply["short_term_memory"]:
            why = turn["why"] if word in turn["user_input"] else why
        if why.get("words", 0) > 0 and why.get("vectors", 0) > 0:
            return waited
    raise AssertionError(f"The page is not found: {why}")


def test_another_process_takes_over_what_the_dead_were_at(
    tmp_path: Path, chance: random.Random, subjects: Sequence[Subject]
) -> None:
    first, second = subjects[:2]
    settings: dict[str, Any] = {"short_term_capacity": 2, "mid_term_heat_threshold": 0}
    for number in range(MOST_TRIES):
        data = tmp_path / str(number)
        first.start(data, START, model=True, **settings)
        for turn in range(8):
            _add(first, "I like tea.", f"word{turn}")
        died = first.do("consolidate", fatal=chance.randint(10, 120)) == DIED
        first.do("kill")
        if died and rows(data / "memory.db", "SELECT 1 FROM job WHERE holder NOT NULL"):
            break
        shutil.rmtree(data)
    else:
        raise AssertionError("Nobody died at work.")
    second.start(data, START + LEASES_ARE_OVER, model=True, **settings)
    assert second.do("consolidate") == {}
    second.do("stop")
    second.do("kill")
    database = data / "memory.db"
    assert faults_of(database) == []
    assert rows(database, "SELECT count(*) FROM page WHERE segment IS NULL") == [(2,)]
    assert rows(database, "SELECT count(DISTINCT agent_response), count(*) FROM page") == [(8, 8)]
    for what, sql in UNDONE.items():
        assert rows(database, sql) == [], what
    assert rows(database, "SELECT * FROM job") == []


def _add(subject: Subject, said: str, word: str) -> None:
    turn = {"user": "ana", "user_input": said, "agent_response": word}
    assert "id" in subject.do("add", at=START.isoformat(), **turn)
