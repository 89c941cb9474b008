"""What 100 turns cost in model calls, how parallel they run, and whether what was said is found.

    python scripts/bench_consolidation.py --turns 100 --delay 2

A real HTTP endpoint on loopback that answers after a delay, the real client, the real tiers. In a
burst all turns are there before the first question, in a stream they come as conversations do.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parent.parent))

from memory_core import MemoryCore, ProfileView, Settings, open_memory
from memory_core.prompts.sources import self_contained
from memory_core.records import About
from tests.stub_llm import StubLLM

START = datetime(2026, 1, 1, tzinfo=UTC)
MOST_CALLS = 45
MOST_TOKENS = 30_000
"""For 100 turns; other numbers of turns in proportion."""
MOST_OF_SEQUENTIAL = 1 / 3
KINDS = ("topics", "facts", "profile")
PLANTED = [
    "My name is Hiltrud Vasquez.",
    "I work as a glassblower in Murano.",
    "I am allergic to kiwi fruit.",
    "我女儿叫小满。",
    "I prefer answers with a table.",
    "我每周三晚上学手风琴。",
    "My cat is called Pretzel.",
    "I want to cycle to Istanbul in spring.",
    "我不吃羊肉。",
    "I drive a green Citroën from 1987.",
]
"""What the user says of themselves, among talk about others; spread evenly over the turns."""


PEOPLE = "Ana Bo Carla Deng Emeka Farah Goran Hana Ivo Jun Kofi Lena Mei Nils Olga Pavel".split()
PLACES = "Lisbon Porto Oslo Kyoto Quito Accra Turin Gdansk Hue Perth Lima Cork".split()
THINGS = "piano bicycle garden camera kettle novel tent drone quilt kayak violin oven".split()
EVENTS = ["was repaired", "is lost", "won a prize", "needs a new part", "was sold", "arrived late"]
TALK = [
    "Yesterday {person} told me in {place} that the {thing} {event}, and I paid {price} euros.",
    "Remember: {person} lives in {place} and collects every old {thing}; the last one {event}.",
    "Can you help me plan how {person} gets the {thing} to {place}? It {event} at number {price}.",
    "我昨天在{place}见了{person}，聊到{thing}。",
    "{person}说{thing}在{place}坏了。",
]


def sentence(chance: random.Random) -> str:
    return chance.choice(TALK).format(
        person=chance.choice(PEOPLE),
        place=chance.choice(PLACES),
        thing=chance.choice(THINGS),
        event=chance.choice(EVENTS),
        price=chance.randint(1, 99_999),
    )


def turns_of(count: int) -> list[tuple[str, str]]:
    chance = random.Random(3)
    told = [(sentence(chance), sentence(chance)) for _ in range(count)]
    # The last turns stay in the window and are not consolidated.
    step = max(1, (count - 10) // len(PLANTED))
    for number, fact in enumerate(PLANTED):
        told[number * step] = (fact, "Good to know.")
    return told


def lost(view: ProfileView) -> list[str]:
    lines = view.profile.lines if view.profile else ()
    texts = [*(fact.text for fact in view.user_facts), *(line.text for line in lines)]
    stated = {fact: self_contained(fact, About.USER, START) for fact in PLANTED}
    return [fact for fact in PLANTED if not any(stated[fact] in text for text in texts)]


async def tell(memory: MemoryCore, turns: Sequence[tuple[str, str]], batch: int | None) -> None:
    """Add all turns; batch: consolidate whenever so many wait, None: at the end only."""
    for number, (said, answered) in enumerate(turns):
        at = START + timedelta(minutes=number)
        added = await memory.add_memory(said, answered, at=at)
        if batch and added.pending >= batch:
            await memory.consolidate()


async def main(turns: int, delay: float, parallel: int | None, burst: bool) -> bool:
    with StubLLM(delay=delay) as stub, tempfile.TemporaryDirectory() as data:
        settings = Settings.load(
            {
                "data_storage_path": data,
                "openai_base_url": stub.base_url,
                "llm_max_parallel": parallel,
            },
            environ={},
        )
        if burst:
            # A window in which all turns find room leaves the whole backlog to the next opening.
            wide = settings.model_copy(update={"short_term_capacity": turns})
            async with open_memory(wide) as memory:
                await tell(memory, turns_of(turns), None)
        async with open_memory(settings) as memory:
            begun = time.monotonic()
            if not burst:
                await tell(memory, turns_of(turns), settings.consolidation_batch_size)
            await memory.consolidate()
            ended = time.monotonic()
            view = await memory.get_user_profile()
        # Loading models and libraries has its own time, and needs none of the endpoint's.
        started = min(call.started for call in stub.calls)
        took = ended - started
        print(f"{'burst' if burst else 'stream'}: first question after {started - begun:.1f} s")
        bound = settings.llm_max_parallel
        return report(stub, view, turns, took, burst=burst, parallel=bound)


def report(
    stub: StubLLM, view: ProfileView, turns: int, took: float, *, burst: bool, parallel: int
) -> bool:
    calls, sequential = len(stub.calls), sum(call.ended - call.started for call in stub.calls)
    kinds = ", ".join(
        f"{kind} {stub.count(kind)} ({sum(c.prompt_tokens for c in stub.calls if c.kind == kind):,}"
        " tokens)"
        for kind in KINDS
    )
    missing = lost(view)
    print(
        f"{turns} turns {'in a burst' if burst else 'in a stream'}: {calls} calls, "
        f"{stub.prompt_tokens:,} prompt tokens: {kinds}; peak parallel {stub.peak} of {parallel}; "
        f"pending {view.pending}, {len(view.user_facts)} facts, "
        f"{len(PLANTED) - len(missing)} of {len(PLANTED)} planted facts found"
    )
    holds = [
        calls <= MOST_CALLS * max(1, turns / 100),
        stub.prompt_tokens <= MOST_TOKENS * max(1, turns / 100),
        stub.peak <= parallel,
        view.pending == 0,
        not missing,
    ]
    if burst:
        print(
            f"  {took:.1f} s from the first question to the end; one call after another "
            f"{sequential:.1f} s; share {took / sequential:.2f}"
        )
        holds.append(took <= MOST_OF_SEQUENTIAL * sequential)
    print(
        f"  {'holds' if all(holds) else 'DOES NOT HOLD'}{''.join(f'; lost: {m}' for m in missing)}"
    )
    return all(holds)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--turns", type=int, default=100)
    parser.add_argument("--delay", type=float, default=2.0, help="seconds the stub takes a call")
    parser.add_argument("--parallel", type=int, help="calls at the same time; else as is usual")
    chosen = parser.parse_args()
    held = [
        anyio.run(main, chosen.turns, chosen.delay, chosen.parallel, burst)
        for burst in (True, False)
    ]
    sys.exit(0 if all(held) else 1)
