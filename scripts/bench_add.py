"""How long `add_memory` takes over stdio, beside an empty tool of a bare server of the same SDK.

    python scripts/bench_add.py --calls 200

Median round trips in one run, in turns: the empty tool, adds while nothing else happens, and adds
while consolidation runs against a model that takes 2 s a call.
"""

import argparse
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from scripts.bench_start import BARE, TURN, Client
from tests.stub_llm import StubLLM

TARGET_RATIO = 3.0
ROUNDS = 5
SETTLE_SECONDS = 2.0


def median_of(call: Callable[[], None], times: int) -> list[float]:
    took = []
    for _ in range(times):
        begun = time.perf_counter()
        call()
        took.append(1000 * (time.perf_counter() - begun))
    return took


def main(calls: int) -> bool:
    with (
        tempfile.TemporaryDirectory() as idle,
        tempfile.TemporaryDirectory() as busy,
        StubLLM(delay=2.0) as stub,
    ):
        server = [sys.executable, "-P", "-m", "server"]
        bare = Client(BARE)
        quiet = Client([*server, f"--data_storage_path={idle}"])
        working = Client(
            [*server, f"--data_storage_path={busy}", f"--openai_base_url={stub.base_url}"]
        )
        took: dict[str, list[float]] = {"empty tool": [], "add": [], "add, model at work": []}
        for client in (bare, quiet, working):
            client.greet()
        # Until models are loaded and the endpoint is in use: a first use is not the usual one.
        for _ in range(20):
            quiet.call("add_memory", TURN)
            working.call("add_memory", TURN)
        while not stub.calls:
            time.sleep(0.1)
        time.sleep(8)
        before = len(stub.calls)
        for _ in range(ROUNDS):
            each = calls // ROUNDS
            took["empty tool"] += median_of(lambda: bare.call("nothing", {}), each)
            took["add"] += median_of(lambda: quiet.call("add_memory", TURN), each)
            # One server's background work must not be charged to another.
            time.sleep(SETTLE_SECONDS)
            took["add, model at work"] += median_of(lambda: working.call("add_memory", TURN), each)
            time.sleep(SETTLE_SECONDS)
        asked = len(stub.calls) - before
        for client in (bare, quiet, working):
            client.close()
    medians = {name: statistics.median(values) for name, values in took.items()}
    for name, value in medians.items():
        worst = sorted(took[name])[int(len(took[name]) * 0.95)]
        ratio = value / medians["empty tool"]
        print(f"{name:20} median {value:6.2f} ms   p95 {worst:6.2f} ms   ratio {ratio:4.2f}")
    print(f"model calls meanwhile: {asked}")
    return all(value < TARGET_RATIO * medians["empty tool"] for value in medians.values())


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--calls", type=int, default=200)
    sys.exit(0 if main(parser.parse_args().calls) else 1)
