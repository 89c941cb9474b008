"""The files of the index, damaged in every way, under the real server."""

import json
import os
import random
import shutil
import tempfile
import time
from collections.abc import Callable, Sequence
from itertools import islice
from pathlib import Path
from typing import Any

from tests.server.process import ServerProcess, started
from tests.torture import checks
from tests.torture.crew import BUNDLED, Trial
from tests.torture.workload import Said, questions, turns

PROCESSES = 1
BLOAT_BYTES = 1 << 30
NEWCOMERS = 5
LATE_SECONDS = 15.0
Damage = Callable[[Path, random.Random], None]
Found = dict[tuple[str, str], tuple[str, ...]]


def _truncate(file: Path, chance: random.Random) -> None:
    os.truncate(file, chance.randrange(max(1, file.stat().st_size)))


def _zero(file: Path, _: random.Random) -> None:
    file.write_bytes(bytes(file.stat().st_size))


def _noise(file: Path, chance: random.Random) -> None:
    file.write_bytes(chance.randbytes(max(64, file.stat().st_size)))


def _delete(file: Path, _: random.Random) -> None:
    file.unlink()


def _bloat(file: Path, _: random.Random) -> None:
    os.truncate(file, BLOAT_BYTES)


DAMAGES: dict[str, Damage] = {
    "truncated": _truncate,
    "zeroed": _zero,
    "noise": _noise,
    "deleted": _delete,
    "bloated": _bloat,
}


def files(trial: Trial) -> str:
    """Each file of the index in turn, and the directory removed under a running server."""
    chance, home = trial.chance, trial.home
    said = list(islice(turns("f", chance), trial.size))
    sound = home / "sound"
    checks.undisturbed(trial.subjects[0], sound / "data", said, BUNDLED)
    with started(sound, *OPTIONS) as server:
        server.greet()
        _wait_complete(server)
        expected = _recall(server)
        server.end_input()
        assert server.wait() == 0
    names = sorted(
        file.relative_to(sound / "data" / "chroma").as_posix()
        for file in (sound / "data" / "chroma").rglob("*")
        if file.is_file()
    )
    slowest, rebuilt, failures = 0.0, 0.0, []
    for name in names:
        for kind, damage in DAMAGES.items():
            try:
                answered, complete = _survives(home, name, damage, chance, said, expected)
            except (AssertionError, OSError) as failure:
                failures.append(f"{name} {kind}: {failure}")
                continue
            slowest, rebuilt = max(slowest, answered), max(rebuilt, complete)
    _survives_removal(home, chance, said, expected)
    assert not failures, f"{len(failures)} of {len(names) * len(DAMAGES)}: " + "; ".join(failures)
    return (
        f"{len(names)} files in {len(DAMAGES)} ways, and the directory removed: first answer after "
        f"at most {slowest:.1f} s, the index complete after {rebuilt:.1f} s, "
        f"{len(expected)} questions answered as before, at once and then"
    )


OPTIONS = ("--embedding-model-name", BUNDLED)


def _survives(
    home: Path, name: str, damage: Damage, chance: random.Random, said: Sequence[Said], same: Found
) -> tuple[float, float]:
    """Start a server on a copy with this damage; seconds to its first answer, and until the index
    is complete.
    """
    trial = _copy(home)
    damage(trial / "data" / "chroma" / name, chance)
    begun = time.monotonic()
    with started(trial, *OPTIONS) as server:
        server.greet()
        one = said[0]
        _ask(server, one.user, one.text)
        answered = time.monotonic() - begun
        assert answered < LATE_SECONDS
        checks.until(lambda: _is_near(_ask(server, one.user, one.text), one), "The model is loaded")
        assert _recall(server) == same, "recall by scan differs"
        _wait_complete(server)
        complete = time.monotonic() - begun
        assert _recall(server) == same, "recall by the new index differs"
        server.end_input()
        assert server.wait() == 0
    checks.check_index(trial / "data", said, BUNDLED)
    return answered, complete


def _copy(home: Path) -> Path:
    """A copy of the sound store. In a new place: the last server's index may be closing still."""
    trial = Path(tempfile.mkdtemp(prefix="trial-", dir=home))
    shutil.copytree(home / "sound" / "data", trial / "data")
    return trial


def _survives_removal(home: Path, chance: random.Random, said: Sequence[Said], same: Found) -> None:
    """The index directory goes while a server has it open."""
    trial = _copy(home)
    news = list(islice(turns("g", chance), NEWCOMERS))
    with started(trial, *OPTIONS) as server:
        server.greet()
        _wait_complete(server)
        shutil.rmtree(trial / "data" / "chroma")
        assert _recall(server) == same, "recall without the directory differs"
        for one in news:
            _call(
                server,
                "add_memory",
                user_id=one.user,
                user_input=one.user_input,
                agent_response=one.agent_response,
                timestamp=one.at,
            )
        checks.until(
            lambda: all(_is_near(_ask(server, one.user, one.text), one) for one in news),
            "New pages are found by meaning",
        )
        server.end_input()
        assert server.wait() == 0
    with started(trial, *OPTIONS) as server:
        server.greet()
        _ask(server, said[0].user, said[0].text)
        _wait_complete(server)
        server.end_input()
        assert server.wait() == 0
    checks.check_index(trial / "data", [*said, *news], BUNDLED)


def _call(server: ServerProcess, name: str, **arguments: Any) -> dict[str, Any]:
    result = server.call(name, **arguments)
    assert not result.get("isError"), json.dumps(result)[:500]
    content: dict[str, Any] = result["structuredContent"]
    return content


def _ask(server: ServerProcess, user: str, query: str) -> dict[str, Any]:
    bounds = {"max_results": checks.MOST, "max_tokens": 100_000}
    return _call(server, "retrieve_memory", query=query, user_id=user, **bounds)


def _is_near(reply: dict[str, Any], said: Said) -> bool:
    return any(
        said.word in hit["agent_response"] and hit["why"].get("vectors", 0) > 0
        for hit in (*reply["short_term_memory"], *reply["retrieved_pages"])
    )


def _recall(server: ServerProcess) -> Found:
    """What is found for each question, whatever its order."""
    return {
        (asked.user, asked.query): tuple(
            sorted(
                hit["agent_response"]
                for hit in _ask(server, asked.user, asked.query)["retrieved_pages"]
            )
        )
        for asked in questions()[::6]
    }


def _wait_complete(server: ServerProcess) -> float:
    """Wait until the server's own index holds all rows, as its status says."""

    def complete() -> bool:
        index = _call(server, "memory_status")["index"]
        return bool(
            index.get("owned_here")
            and index["state"] == "open"
            and index["rows_taken_in"] == index["rows"]
        )

    _ask(server, "ana", "piano")  # who is never asked leaves the index to others
    return checks.until(complete, "The index is complete")
