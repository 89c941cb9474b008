"""How long recall takes in a full memory: p50 and p95 beside the query's own embedding.

    python scripts/bench_retrieve.py --pages 10000 --queries 200

Real bundled embedder, real SQLite, real Chroma. Measures the same queries while the vectors are
scanned exactly, and once the index has taken them all in. Times in ms, memory in MB.
"""

import argparse
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio

from memory_core import MemoryCore, Settings, open_memory
from memory_core.backends.chroma_index import ChromaIndex
from memory_core.backends.embed_bundled import BundledEmbedder

TARGET_MS = 50.0
QUESTIONS = [
    "What did {person} tell me about the {thing}?",
    "Where does {person} live?",
    "How much did the {thing} in {place} cost?",
    "{person}在{place}聊到了什么？",
    "哪里的{thing}坏了？",
    "Who needs a new part for the {thing}?",
]
START = datetime(2025, 1, 1, tzinfo=UTC)
PEOPLE = "Ana Bo Carla Deng Emeka Farah Goran Hana Ivo Jun Kofi Lena Mei Nils Olga Pavel".split()
PLACES = "Lisbon Porto Oslo Kyoto Quito Accra Turin Gdansk Hue Perth Lima Cork".split()
THINGS = "piano bicycle garden camera kettle novel tent drone quilt kayak violin oven".split()
EVENTS = ["was repaired", "is lost", "won a prize", "needs a new part", "was sold", "arrived late"]
CHINESE = ["我昨天在{place}见了{person}，聊到{thing}。", "{person}说{thing}在{place}坏了。"]
ENGLISH = [
    "Yesterday {person} told me in {place} that the {thing} {event}, and I paid {price} euros.",
    "Remember: {person} lives in {place} and collects every old {thing}; the last one {event}.",
    "Can you help me plan how {person} gets the {thing} to {place}? It {event} at number {price}.",
]


def sentence(chance: random.Random, forms: Sequence[str] = (*ENGLISH, *CHINESE)) -> str:
    return chance.choice(forms).format(
        person=chance.choice(PEOPLE),
        place=chance.choice(PLACES),
        thing=chance.choice(THINGS),
        event=chance.choice(EVENTS),
        price=chance.randint(1, 99_999),
    )


async def fill(memory: MemoryCore, count: int, chance: random.Random) -> None:
    took = []
    for number in range(count):
        begun = time.perf_counter()
        await memory.add_memory(
            sentence(chance), sentence(chance), at=START + timedelta(minutes=7 * number)
        )
        took.append(1000 * (time.perf_counter() - begun))
    print(f"add, {count} pages: {percentiles(took)}")


async def measure(
    memory: MemoryCore, embedder: BundledEmbedder, queries: list[str], name: str
) -> float:
    whole, embedding = [], []
    for query in queries:
        begun = time.perf_counter()
        await embedder.embed_query(query)
        embedding.append(1000 * (time.perf_counter() - begun))
        begun = time.perf_counter()
        await memory.retrieve_memory(query, max_results=10)
        whole.append(1000 * (time.perf_counter() - begun))
    beside = [total - own for total, own in zip(whole, embedding, strict=True)]
    print(f"retrieve, {name}: whole {percentiles(whole)}; beside embedding {percentiles(beside)}")
    return statistics.median(beside)


def percentiles(values: list[float]) -> str:
    ordered = sorted(values)
    return f"p50 {ordered[len(ordered) // 2]:.1f} p95 {ordered[int(len(ordered) * 0.95)]:.1f} ms"


def resident_mb() -> str:
    try:
        status = Path("/proc/self/status").read_text(encoding="ascii")
    except OSError:
        return "unknown"
    fields = dict(line.split(":", 1) for line in status.splitlines())
    now, peak = (int(fields[name].split()[0]) // 1024 for name in ("VmRSS", "VmHWM"))
    return f"{now} now, {peak} peak"


async def main(pages: int, count: int, data: Path) -> bool:
    chance = random.Random(7)
    embedder, index = BundledEmbedder(), ChromaIndex(data / "chroma")
    settings = Settings.load({"data_storage_path": str(data)}, environ={})
    questions = [sentence(chance, QUESTIONS) for _ in range(count)]
    pasted = [sentence(chance) for _ in range(count)]
    async with open_memory(settings, embedder=embedder, index=index) as memory:
        await fill(memory, pages, chance)
        begun = time.perf_counter()
        await memory.consolidate()
        print(f"consolidation by rules: {time.perf_counter() - begun:.0f} s, {resident_mb()} MB")
        print(f"index: {index.state}, {index.position} changes")
        median = await measure(memory, embedder, questions, "index, questions")
        await measure(memory, embedder, pasted, "index, pasted statements")
        print(f"memory with the index: {resident_mb()} MB")
        await index.close()
        await measure(memory, embedder, questions, "exact scan, questions")
        print(f"memory with the scan: {resident_mb()} MB")
        return median < TARGET_MS


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--pages", type=int, default=10_000)
    parser.add_argument("--queries", type=int, default=200)
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memstrata-bench-") as directory:
        reached = anyio.run(main, arguments.pages, arguments.queries, Path(directory))
    sys.exit(0 if reached else 1)
