"""SIGKILL at any moment loses nothing that was acknowledged, and leaves no half of anything."""

import os
import random
import subprocess
import sys
import threading
import time
from pathlib import Path

import anyio
import pytest

from memory_core import MemoryCore, open_memory
from memory_core.backends.memory_index import MemoryIndex
from memory_core.testing import WordsEmbedder
from tests.killed_writers import USERS, End, MortalModel, settings
from tests.server.process import ServerProcess, started
from tests.whole import check_file, rows

pytestmark = pytest.mark.skipif(os.name != "posix", reason="SIGKILL and fork")

ROOT = Path(__file__).parent.parent
PATIENCE_SECONDS = 120
LONGEST_SERVER_LIFE_SECONDS = 5.0

# What consolidation has to have done once it has come to its end.
UNDONE = {
    "a page that is not digested": """
        SELECT key FROM page WHERE segment IS NOT NULL AND digested_by IS NULL""",
    "a memory without a vector": """
        SELECT key FROM memory WHERE key NOT IN (SELECT item FROM vector)""",
}


def run_writers(directory: Path, mode: str, lives: int, seed: int) -> list[tuple[str, str]]:
    """What was acknowledged in so many lives, as (id, word)."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.killed_writers", directory, mode, str(lives), str(seed)],
        cwd=ROOT,
        stdout=subprocess.PIPE,
        text=True,
        timeout=PATIENCE_SECONDS,
        check=True,
    )
    return [(id, word) for id, word in map(str.split, done.stdout.splitlines())]


async def check_counts(memory: MemoryCore, database: Path) -> None:
    """What the memory says of itself is what is in the file."""
    for user in USERS:
        view = await memory.get_user_profile(user_id=user)
        assert (view.pending, view.notes) == (0, ())
        found = await memory.retrieve_memory(
            "word", max_results=10_000, max_tokens=100_000, user_id=user
        )
        shown = [hit.page.id for hit in (*found.short_term, *found.pages)]
        assert len(shown) == len(set(shown))
    short = rows(database, "SELECT count(*) FROM page WHERE segment IS NULL GROUP BY scope")
    assert short == [(2,)] * len(USERS)


@pytest.mark.parametrize(("mode", "lives"), [("rules", 32), ("model", 30)])
async def test_a_store_survives_that_each_of_its_writers_is_killed(
    tmp_path: Path, mode: str, lives: int
) -> None:
    seed = random.SystemRandom().randrange(2**32)
    remark = f"seed {seed}"
    acknowledged = run_writers(tmp_path, mode, lives, seed)
    assert len(acknowledged) > 4 * lives, remark
    database = tmp_path / "memory.db"
    check_file(database, acknowledged, remark)

    model = MortalModel(End()) if mode == "model" else None
    async with open_memory(
        settings(str(tmp_path)), model=model, embedder=WordsEmbedder(), index=MemoryIndex()
    ) as memory:
        with anyio.fail_after(PATIENCE_SECONDS):
            await memory.consolidate()
        await check_counts(memory, database)
        for _, word in random.Random(seed).sample(acknowledged, 10):
            found = [await memory.retrieve_memory(word, user_id=user) for user in USERS]
            hits = [hit for each in found for hit in (*each.short_term, *each.pages)]
            assert [hit.page.agent_response for hit in hits].count(word) == 1, remark
    check_file(database, acknowledged, remark)
    for what, sql in UNDONE.items():
        assert rows(database, sql) == [], f"{what}; {remark}"


def add_until_killed(server: ServerProcess, number: int, seconds: float) -> list[tuple[str, str]]:
    """Add turns to a server that is killed after so many seconds."""
    acknowledged = []
    killer = threading.Timer(seconds, server.process.kill)
    killer.start()
    try:
        # Then it has peace to load its models and to write its index, if it lives so long.
        for turn in range(100):
            word = f"word{number}x{turn}"
            said = {"user_input": f"I like tea number {turn}.", "agent_response": word}
            reply = server.call("add_memory", **said)
            assert not reply.get("isError"), reply
            acknowledged.append((reply["structuredContent"]["id"], word))
    except (BrokenPipeError, ValueError):
        # The pipe broke, or the output ended where a reply should be.
        server.wait()
    finally:
        killer.join()
    return acknowledged


def test_the_real_server_with_its_index_survives_being_killed(tmp_path: Path) -> None:
    seed = random.SystemRandom().randrange(2**32)
    chance = random.Random(seed)
    acknowledged = []
    options = ("--embedding-model-name", "bundled")
    for number in range(5):
        with started(tmp_path, *options) as server:
            server.greet()
            life = chance.uniform(0.5, LONGEST_SERVER_LIFE_SECONDS)
            acknowledged += add_until_killed(server, number, life)
    database = tmp_path / "data" / "memory.db"
    check_file(database, acknowledged, f"seed {seed}")
    with started(tmp_path, *options) as server:
        server.greet()
        deadline = time.monotonic() + PATIENCE_SECONDS
        view = {"pending": 1}
        while view["pending"] or view["notes"]:
            assert time.monotonic() < deadline, view
            view = server.call("get_user_profile")["structuredContent"]
        for _, word in random.Random(seed).sample(acknowledged, 5):
            found = server.call("retrieve_memory", query=word)["structuredContent"]
            turns = [*found["short_term_memory"], *found["retrieved_pages"]]
            assert [turn["agent_response"] for turn in turns].count(word) == 1
        server.end_input()
        assert server.wait() == 0
    check_file(database, acknowledged, f"seed {seed}")
