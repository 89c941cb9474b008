"""How long recall takes in a full memory: p50 and p95, beside the query's own embedding.

    python scripts/bench_recall.py --pages 1000 10000 100000
    python scripts/bench_recall.py --pages 100000 --users 1000

Real SQLite, real Chroma, the real bundled embedder for queries. The stores are written directly,
with made-up text and vectors near those of some embedded texts (see scripts/evaluation/
full_store.py), so that 100,000 pages take some minutes; `--keep` holds on to them. Every store is
asked twice, each time in a process of its own: by one that owns the index, and by one that does
not and compares vectors one by one. Questions are a few words of some page; pasted ones are whole
messages.

Times in ms, memory in MB: the most that the process held, and what the index's process holds.
With many users each question is another's, so nothing of theirs is in memory yet.
"""

import argparse
import json
import multiprocessing
import random
import resource
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass, field
from functools import partial
from pathlib import Path

import anyio
import psutil

sys.path.insert(0, str(Path(__file__).parent.parent))

from memory_core import Settings, open_memory
from memory_core.backends.chroma_index import ChromaIndex
from memory_core.backends.embed_bundled import BundledEmbedder
from scripts.evaluation.full_store import ASSISTANT, Speech, fill, user_name
from scripts.evaluation.outcome import table
from scripts.evaluation.parts import OthersIndex, TimedEmbedder

TARGET_MS = 150.0
WAYS = ("index", "exact")
SAID = "said.json"


@dataclass(slots=True)
class Times:
    """Milliseconds of each query: all of it, and its embedding."""

    whole: list[float] = field(default_factory=list)
    embedding: list[float] = field(default_factory=list)

    @property
    def beside(self) -> list[float]:
        return [all - own for all, own in zip(self.whole, self.embedding, strict=True)]


@dataclass(frozen=True, slots=True)
class Asking:
    """A store and how to ask it."""

    data: Path
    pages: int
    users: int
    way: str
    queries: int


def percentiles(values: Sequence[float]) -> str:
    ordered = sorted(values)
    return f"{ordered[len(ordered) // 2]:.1f} / {ordered[int(len(ordered) * 0.95)]:.1f}"


async def build(data: Path, pages: int, users: int) -> None:
    said = await fill(data, BundledEmbedder(), users=users, pages_each=pages // users)
    (data / SAID).write_text(json.dumps(said), encoding="utf-8")


async def measure(asking: Asking) -> list[list[str]]:
    """Rows of the table: questions, and pasted messages."""
    embedder, chance = TimedEmbedder(), random.Random(3)
    chroma = ChromaIndex(asking.data / "chroma")
    index = chroma if asking.way == "index" else OthersIndex()
    # Filling a large index takes longer than a server without calls stays at work.
    changed = {"data_storage_path": str(asking.data), "idle_release_seconds": 86_400}
    settings = Settings.load(changed, environ={})
    said: list[str] = json.loads((asking.data / SAID).read_text(encoding="utf-8"))
    speech = Speech(11)
    kinds: dict[str, Callable[[str], str]] = {"question": speech.question, "pasted": str}
    rows = []
    async with open_memory(settings, embedder=embedder, index=index) as memory:
        begun = time.monotonic()
        await memory.consolidate()
        print(f"{asking.way}: ready in {time.monotonic() - begun:.0f} s", file=sys.stderr)
        if asking.way == "index" and index.state != "open":
            sys.exit(f"The index is not open: {index.state}.")
        users = chance.sample(range(asking.users), asking.users)

        async def ask(text: str, number: int) -> float:
            begun = time.perf_counter()
            user = user_name(users[number % asking.users])
            await memory.retrieve_memory(text, user_id=user, assistant_id=ASSISTANT)
            return 1000 * (time.perf_counter() - begun)

        first = await ask(speech.question(said[0]), -1)
        for turn, (kind, form) in enumerate(kinds.items()):
            times = Times()
            for number, text in enumerate(chance.choices(said, k=asking.queries)):
                times.whole.append(await ask(form(text), turn * asking.queries + number))
                times.embedding.append(embedder.took)
            rows.append([kind, percentiles(times.embedding), percentiles(times.beside)])
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        child = psutil.Process(chroma.pid).memory_info().rss // 2**20 if chroma.pid else 0
    size = [f"{asking.pages:,}", f"{asking.users:,}", asking.way]
    return [[*size, *row, f"{first:.0f}", f"{peak}", f"{child or '-'}"] for row in rows]


def build_and_measure(data: Path, pages: int, users: int, queries: int) -> list[list[str]]:
    rows: list[list[str]] = []
    # A process for each step: what one has held is not counted for the next.
    spawn = multiprocessing.get_context("spawn")
    with ProcessPoolExecutor(1, mp_context=spawn, max_tasks_per_child=1) as pool:
        if not (data / SAID).exists():
            begun = time.monotonic()
            pool.submit(anyio.run, build, data, pages, users).result()
            print(f"{pages:,} pages made in {time.monotonic() - begun:.0f} s", file=sys.stderr)
        for way in WAYS:
            asking = Asking(data, pages, users, way, queries)
            rows += pool.submit(anyio.run, partial(measure, asking)).result()
    return rows


def main(arguments: argparse.Namespace, directory: Path) -> bool:
    rows: list[list[str]] = []
    for pages in arguments.pages:
        data = directory / f"{pages}-of-{arguments.users}"
        rows += build_and_measure(data, pages, arguments.users, arguments.queries)
    head = ["pages", "users", "way", "query", "embedding p50 / p95", "beside p50 / p95"]
    print("\n".join(table([[*head, "first", "peak MB", "index MB"], *rows])))
    return all(float(row[5].split(" / ")[1]) < TARGET_MS for row in rows if row[3] == "question")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--pages", type=int, nargs="+", default=[1_000, 10_000])
    parser.add_argument("--users", type=int, default=1, help="who share the pages evenly")
    parser.add_argument("--queries", type=int, default=200, help="of each kind")
    parser.add_argument("--keep", type=Path, help="hold on to the stores in this directory")
    arguments = parser.parse_args()
    with tempfile.TemporaryDirectory(prefix="memstrata-bench-") as scratch:
        reached = main(arguments, arguments.keep or Path(scratch))
    sys.exit(0 if reached else 1)
