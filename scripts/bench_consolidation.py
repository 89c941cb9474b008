"""What 100 turns cost in model calls, and how parallel they run, against a stub endpoint.

    python scripts/bench_consolidation.py --turns 100 --delay 2

A real HTTP endpoint on loopback that answers after a delay, the real client, the real tiers.
"""

import argparse
import random
import sys
import tempfile
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parent.parent))

from memory_core import Settings, open_memory
from scripts.bench_retrieve import sentence
from tests.stub_llm import StubLLM

START = datetime(2026, 1, 1, tzinfo=UTC)


async def main(turns: int, delay: float, parallel: int, burst: bool) -> bool:
    chance = random.Random(3)
    with StubLLM(delay=delay) as stub, tempfile.TemporaryDirectory() as data:
        settings = Settings.load(
            {
                "data_storage_path": data,
                "openai_base_url": stub.base_url,
                "llm_max_parallel": parallel,
            },
            environ={},
        )
        begun = time.perf_counter()
        async with open_memory(settings) as memory:
            for number in range(turns):
                added = await memory.add_memory(
                    sentence(chance), sentence(chance), at=START + timedelta(minutes=number)
                )
                if not burst and added.pending >= settings.consolidation_batch_size:
                    await memory.consolidate()
            await memory.consolidate()
            view = await memory.get_user_profile()
        took = time.perf_counter() - begun
        kinds = {kind: stub.count(kind) for kind in ("topics", "facts", "profile")}
        print(
            f"{turns} turns {'in a burst' if burst else 'in a stream'}: "
            f"{len(stub.calls)} calls {kinds}, {stub.prompt_tokens:,} prompt tokens, "
            f"peak parallel {stub.peak} of {parallel}, {took:.1f} s "
            f"(one after another: {len(stub.calls) * delay:.1f} s), pending {view.pending}, "
            f"{len(view.user_facts)} facts"
        )
        return len(stub.calls) <= 60 and stub.peak <= parallel and view.pending == 0


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=100)
    parser.add_argument("--delay", type=float, default=2.0, help="seconds the stub takes a call")
    parser.add_argument("--parallel", type=int, default=4)
    chosen = parser.parse_args()
    held = [
        anyio.run(main, chosen.turns, chosen.delay, chosen.parallel, burst)
        for burst in (True, False)
    ]
    sys.exit(0 if all(held) else 1)
