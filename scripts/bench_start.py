"""How long a client waits: the start, and the round trip of a call, beside a bare server.

    python scripts/bench_start.py --starts 10 --calls 200

Starts the two servers in turns over raw pipes. A start is from the start of the process to the
reply to `initialize`; a call is from the request to its reply, once the memory is open.
"""

import argparse
import json
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
TARGET_RATIO = 1.3
BARE = [sys.executable, str(ROOT / "scripts" / "bare_server.py")]
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "bench", "version": "1"},
}
TURN = {"user_input": "I moved to Lisbon last week.", "agent_response": "How do you like it?"}


class Client:
    """A server process, and one request at a time."""

    def __init__(self, command: list[str]) -> None:
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        self._last_id = 0

    def ask(self, method: str, params: dict[str, Any]) -> dict[str, Any]:
        self._last_id += 1
        self._send({"id": self._last_id, "method": method, "params": params})
        assert self._process.stdout is not None
        reply: dict[str, Any] = json.loads(self._process.stdout.readline())
        return reply

    def greet(self) -> None:
        self.ask("initialize", HELLO)
        self._send({"method": "notifications/initialized"})

    def call(self, name: str, arguments: dict[str, Any]) -> None:
        reply = self.ask("tools/call", {"name": name, "arguments": arguments})
        if reply.get("result", {}).get("isError", "error" in reply):
            raise SystemExit(f"{name} failed: {reply}")

    def _send(self, message: dict[str, Any]) -> None:
        assert self._process.stdin is not None
        self._process.stdin.write(json.dumps({"jsonrpc": "2.0"} | message).encode() + b"\n")
        self._process.stdin.flush()

    def close(self) -> None:
        self._process.communicate()


def seconds(work: Callable[[], object]) -> float:
    before = time.perf_counter()
    work()
    return time.perf_counter() - before


def start(command: list[str]) -> float:
    """Seconds to the first reply of a new process."""
    before = time.perf_counter()
    client = Client(command)
    client.greet()
    taken = time.perf_counter() - before
    client.close()
    return taken


def round_trips(
    command: list[str], name: str, arguments: dict[str, Any], count: int
) -> list[float]:
    """Seconds of each call after the first, which waits for the memory to open."""
    client = Client(command)
    client.greet()
    client.call(name, arguments)
    taken = [seconds(lambda: client.call(name, arguments)) for _ in range(count)]
    client.close()
    return taken


def show(label: str, values: list[float]) -> None:
    middle, least = statistics.median(values) * 1e3, min(values) * 1e3
    print(f"{label:<28} median {middle:9.2f} ms   least {least:9.2f} ms   n {len(values)}")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--starts", type=int, default=10)
    parser.add_argument("--calls", type=int, default=200, help="0: starts only")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as data:
        ours = [sys.executable, "-m", "server", "--data-storage-path", data]
        ours += ["--embedding-model-name", "none"]
        starts = [(start(BARE), start(ours)) for _ in range(options.starts)]
        bare, full = ([pair[side] for pair in starts] for side in (0, 1))
        show("start, bare server", bare)
        show("start, memstrata", full)
        medians = statistics.median(full) / statistics.median(bare)
        print(f"ratio of medians {medians:.2f}, of minima {min(full) / min(bare):.2f}", end=" ")
        print(f"(target <= {TARGET_RATIO})")
        if options.calls:
            show("empty tool, bare server", round_trips(BARE, "nothing", {}, options.calls))
            show("add_memory", round_trips(ours, "add_memory", TURN, options.calls))
            question = {"query": "Where does the user live?"}
            show("retrieve_memory", round_trips(ours, "retrieve_memory", question, options.calls))


if __name__ == "__main__":
    main()
