"""The main job, watched from outside: a conversation in two languages through a real server.

Adds scripts/conversation.jsonl, waits for consolidation, asks scripts/questions.jsonl, shows the
profile, kills the server with SIGKILL, starts it again and asks once more. With OPENAI_API_KEY or
OPENAI_BASE_URL (and MEMSTRATA_LLM_MODEL) set, a model fills the tiers; without, rules do.
"""

import argparse
import json
import os
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any

import anyio
from mcp import Client, StdioServerParameters

HERE = Path(__file__).parent
# Writes its process id, then becomes the server: so that the demo can kill it.
LAUNCHER = "import os, sys; open(sys.argv[1], 'w').write(str(os.getpid())); os.execv(sys.argv[2], sys.argv[2:])"  # noqa: E501
FEWEST_RIGHT = 8
MODEL_VARIABLES = ("OPENAI_", "MEMSTRATA_")

Reply = dict[str, Any]


class Timings:
    """How long each step took, in s."""

    def __init__(self) -> None:
        self._steps: list[tuple[str, float]] = []

    @contextmanager
    def step(self, name: str) -> Iterator[None]:
        print(f"\n=== {name}")
        started = time.perf_counter()
        yield
        self._steps.append((name, time.perf_counter() - started))

    def show(self) -> None:
        print("\n=== Time")
        for name, seconds in self._steps:
            print(f"{seconds:8.2f} s  {name}")


class Server:
    """A running server and a client of it."""

    def __init__(self, client: Client, pid_file: Path) -> None:
        self._client = client
        self._pid_file = pid_file

    async def call(self, tool: str, **arguments: Any) -> Reply:
        result = await self._client.call_tool(tool, arguments)
        if result.is_error or result.structured_content is None:
            raise SystemExit(f"{tool} failed: {result.content}")
        reply: Reply = result.structured_content
        return reply

    async def text(self, tool: str) -> str:
        """The reply as a model reads it."""
        result = await self._client.call_tool(tool, {})
        return "\n".join(getattr(part, "text", "") for part in result.content)

    def kill(self) -> None:
        os.kill(int(self._pid_file.read_text()), signal.SIGKILL)


@asynccontextmanager
async def started(data: Path) -> AsyncIterator[Server]:
    pid_file = data / "server.pid"
    command = [sys.executable, "-P", "-m", "server", f"--data_storage_path={data}"]
    parameters = StdioServerParameters(
        command=sys.executable,
        args=["-c", LAUNCHER, str(pid_file), *command, "--consolidation_idle_seconds=2"],
        env={name: value for name, value in os.environ.items() if name.startswith(MODEL_VARIABLES)},
    )
    async with Client(parameters) as client:
        yield Server(client, pid_file)


def lines_of(name: str) -> list[Reply]:
    return [json.loads(line) for line in (HERE / name).read_text(encoding="utf-8").splitlines()]


async def add_conversation(server: Server) -> set[str]:
    """Add every turn; the ids, so that nothing can go missing unnoticed."""
    turns = lines_of("conversation.jsonl")
    ids: set[str] = set()
    took = []
    for number, turn in enumerate(turns, 1):
        begun = time.perf_counter()
        added = await server.call(
            "add_memory",
            user_input=turn["user"],
            agent_response=turn["assistant"],
            timestamp=turn["at"],
        )
        took.append(time.perf_counter() - begun)
        ids.add(added["id"])
        if number % 9 == 0:
            print(
                f"  {number:3} of {len(turns)} turns   window {added['short_term_count']}   "
                f"pending {added['pending']:2}   {turn['user'][:48]}"
            )
    print(f"  median {1000 * sorted(took)[len(took) // 2]:.1f} ms a turn")
    return ids


async def wait_for_consolidation(server: Server) -> None:
    """Until no turn waits and the profile has settled."""
    version, settled = -1, time.monotonic()
    with anyio.fail_after(600):
        while True:
            view = await server.call("get_user_profile", include_knowledge=False)
            for note in view["notes"]:
                print(f"  note: {note}")
            if view["pending"] or view["version"] != version:
                if view["version"] != version:
                    print(f"  pending {view['pending']:2}   profile version {view['version']}")
                version, settled = view["version"], time.monotonic()
            elif time.monotonic() - settled > 3:
                return
            await anyio.sleep(0.3)


def hits_of(reply: Reply) -> list[tuple[float, str, str, str]]:
    """Everything found, best first: (score, tier, date, text)."""
    pages = [*reply["retrieved_pages"], *reply["short_term_memory"]]
    knowledge = [*reply["retrieved_user_knowledge"], *reply["retrieved_assistant_knowledge"]]
    found = [
        (
            hit["score"],
            hit["tier"],
            hit["timestamp"][:10],
            f"{hit['user_input']} | {hit['agent_response']}",
        )
        for hit in pages
    ] + [(hit["score"], hit["tier"], hit["timestamp"][:10], hit["text"]) for hit in knowledge]
    return sorted((hit for hit in found if hit[0] > 0), reverse=True)


async def wait_for_models(server: Server) -> None:
    """Until nothing is missing from the answers, as the notes say: models load after the start."""
    with anyio.fail_after(120):
        while True:
            view = await server.call("get_user_profile", include_knowledge=False)
            if not view["notes"]:
                return
            await anyio.sleep(0.2)


async def ask(server: Server, *, quiet: bool = False) -> int:
    """Ask every question and show what came back; how many found what was expected."""
    right = 0
    for number, question in enumerate(lines_of("questions.jsonl"), 1):
        begun = time.perf_counter()
        reply = await server.call("retrieve_memory", query=question["question"], max_results=5)
        took = time.perf_counter() - begun
        hits = hits_of(reply)
        text = " ".join(hit[3] for hit in hits[:6])
        found = all(word.lower() in text.lower() for word in question["expect"])
        right += found
        if quiet and not found:
            print(f"  missed: {question['question']}")
        if quiet:
            continue
        verdict = "found" if found else "MISSED"
        print(f"\n{number:2}. {question['question']}   ({1000 * took:.0f} ms, {verdict})")
        for score, tier, date, line in hits[:3]:
            print(f"      {tier:5} {date}  {score:.2f}  {line[:110]}")
    print(f"\n  {right} of {number} questions found what was expected")
    return right


async def known_pages(server: Server, ids: set[str]) -> set[str]:
    """Which of the turns are still there: in the window, or found by their own words."""
    found: set[str] = set()
    for turn in lines_of("conversation.jsonl"):
        reply = await server.call(
            "retrieve_memory", query=turn["user"], max_results=20, max_tokens=10_000
        )
        found |= {hit["id"] for hit in (*reply["retrieved_pages"], *reply["short_term_memory"])}
    return found & ids


async def first_life(data: Path, timings: Timings) -> tuple[set[str], Reply, int]:
    """Fill the memory, ask it, and kill its server."""
    with timings.step("Start the server and shake hands"):
        context = started(data)
        server = await context.__aenter__()
    try:
        with timings.step("Add a conversation of 45 turns, English and Chinese"):
            ids = await add_conversation(server)
        with timings.step("Wait for consolidation: short -> mid -> long"):
            await wait_for_consolidation(server)
        with timings.step("Ask ten questions"):
            right = await ask(server)
        with timings.step("The profile"):
            profile = await server.call("get_user_profile", include_assistant_knowledge=True)
            show_profile(profile)
        with timings.step("The status"):
            print(await server.text("memory_status"))
        with timings.step("Kill the server with SIGKILL"):
            server.kill()
    finally:
        await context.__aexit__(None, None, None)
    return ids, profile, right


def show_profile(profile: Reply) -> None:
    print(profile["user_profile"])
    print(f"\n  version {profile['version']}, made by: {profile['made_by']}")
    for fact in profile["assistant_knowledge"][:5]:
        print(f"  about the assistant: {fact['text']}")


async def second_life(data: Path, ids: set[str], profile: Reply, right: int) -> bool:
    """Look for everything that the killed server knew."""
    async with started(data) as server:
        await wait_for_models(server)
        kept = await known_pages(server, ids)
        again = await server.call("get_user_profile", include_knowledge=False)
        same = again["user_profile"] == profile["user_profile"]
        print(f"  {len(kept)} of {len(ids)} turns are there")
        print(f"  the profile, version {again['version']}, is {'the same' if same else 'CHANGED'}")
        again_right = await ask(server, quiet=True)
        return kept == ids and same and again_right >= right


async def main(data: Path) -> bool:
    timings = Timings()
    print(f"The memory of this demo is in {data}")
    ids, profile, right = await first_life(data, timings)
    with timings.step("Start it again and look for everything"):
        whole = await second_life(data, ids, profile, right)
    timings.show()
    learnt = profile["version"] > 0 and right >= FEWEST_RIGHT
    if not learnt:
        print("\nTOO LITTLE WAS LEARNT: there is no profile, or too few answers were found.")
    print("\nNothing is gone." if whole else "\nSOMETHING IS MISSING.")
    return whole and learnt


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    parser.add_argument("--data", type=Path, help="keep the memory here instead of a fresh place")
    chosen = parser.parse_args().data or Path(tempfile.mkdtemp(prefix="memstrata-demo-"))
    chosen.mkdir(parents=True, exist_ok=True)
    sys.exit(0 if anyio.run(main, chosen.resolve()) else 1)
