"""An hour's worth of calls on one server, and what becomes of its memory."""

import random
import time
from collections.abc import Iterator
from itertools import islice
from typing import Any

import psutil

from tests.server.process import ServerProcess, started
from tests.torture import checks
from tests.torture.crew import BUNDLED, Trial
from tests.torture.workload import USERS, questions, turns

PROCESSES = 0
EARLY = 10  # the part of all calls after which the server counts as warmed up: a tenth
MOST_GROWTH = 1.2
IDLE_SECONDS = 20
SETTLE_SECONDS = 5
MOST_SECONDS = 6 * IDLE_SECONDS
OPTIONS = ("--embedding-model-name", BUNDLED, "--idle-release-seconds", str(IDLE_SECONDS))
# Of twenty calls so many are of each kind.
MIX = [*["add_memory"] * 7, *["retrieve_memory"] * 9, *["get_user_profile"] * 3, "memory_status"]


def calls(trial: Trial) -> str:
    """So many mixed calls, one after another."""
    chance, count = trial.chance, trial.size
    with started(trial.home, *OPTIONS) as server:
        server.greet()
        before = _resident(server)
        said = turns("c", chance)
        warm, begun, slowest = (0.0, 0.0), time.monotonic(), 0.0
        for number in range(1, count + 1):
            called = time.monotonic()
            _call(server, chance.choice(MIX), said, chance)
            slowest = max(slowest, time.monotonic() - called)
            if number == count // EARLY:
                warm = _resident(server)
        took, busy = time.monotonic() - begun, _resident(server)
        checks.until(
            lambda: sum(_resident(server)) < sum(busy) / 2, "Idle release", 6 * IDLE_SECONDS
        )
        time.sleep(1)
        idle = min(_resident(server) for _ in _seconds(SETTLE_SECONDS))
        again = time.monotonic()
        _call(server, "retrieve_memory", said, chance)
        again = time.monotonic() - again
        server.end_input()
        assert server.wait() == 0
    figures = (
        f"{count} calls in {took:.0f} s, slowest {slowest:.2f} s; resident MB (server + children): "
        f"{_shown(before)} before use, {_shown(warm)} after {count // EARLY} calls, "
        f"{_shown(busy)} at the end, {_shown(idle)} idle; first call after that {again:.2f} s"
    )
    assert busy[0] <= MOST_GROWTH * warm[0] and busy[1] <= MOST_GROWTH * warm[1], figures
    return figures


def _seconds(count: int) -> Iterator[int]:
    """Count seconds: what is let go takes a moment, and nothing announces it."""
    for second in range(count):
        yield second
        time.sleep(1)


def _call(server: ServerProcess, name: str, said: Any, chance: random.Random) -> None:
    arguments: dict[str, Any] = {}
    if name == "add_memory":
        (one,) = islice(said, 1)
        arguments = {"user_id": one.user, "timestamp": one.at}
        arguments |= {"user_input": one.user_input, "agent_response": one.agent_response}
    elif name == "retrieve_memory":
        asked = chance.choice(questions())
        arguments = {"user_id": asked.user, "query": asked.query}
    elif name == "get_user_profile":
        arguments = {"user_id": chance.choice(USERS)}
    result = server.call(name, **arguments)
    assert not result.get("isError"), result


def _resident(server: ServerProcess) -> tuple[float, float]:
    """MB of the server, and of all its children."""
    process = psutil.Process(server.process.pid)
    children = 0
    for child in process.children(recursive=True):
        try:
            children += child.memory_info().rss
        except psutil.NoSuchProcess:
            continue
    return process.memory_info().rss / 1e6, children / 1e6


def _shown(resident: tuple[float, float]) -> str:
    return f"{resident[0]:.0f} + {resident[1]:.0f}"
