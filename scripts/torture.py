"""What a memory must survive, tried by hand. Real processes, real SQLite, real Chroma.

    python scripts/torture.py [PART ...] [--runs N] [--seed S]

Each run of a part prints a line of figures; a run that fails prints why, keeps its directory and
makes the exit code 1. The same seed makes the same choices, though not the same timing.
"""

import argparse
import random
import shutil
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.subject import Subject
from tests.torture import crew, many

Part = Callable[[random.Random, Path, Sequence[Subject], int], str]


@dataclass(frozen=True, slots=True)
class Plan:
    """A part, how many processes it plays with, and how often and how long it runs by itself."""

    part: Part
    processes: int
    runs: int
    pages: int


PARTS = {
    "writers": Plan(many.writers, many.CREW, runs=10, pages=300),
    "kill": Plan(many.kill, many.CREW, runs=30, pages=300),
    "owner": Plan(many.owner, many.CREW, runs=30, pages=300),
}


def run_part(name: str, runs: int | None, pages: int | None, seed: int) -> int:
    """Run a part as often as it is to be run; how many runs failed."""
    plan, failures, begun = PARTS[name], 0, time.monotonic()
    runs = runs or plan.runs
    for number in range(1, runs + 1):
        # A crew for each run: what one run leaves behind is no excuse for the next.
        with crew.crew(plan.processes) as subjects:
            failures += not run_once(name, number, subjects, pages or plan.pages, seed)
    took = time.monotonic() - begun
    print(f"{name}: {runs - failures} of {runs} runs well, {took:.0f} s (seed {seed})", flush=True)
    return failures


def run_once(name: str, number: int, subjects: Sequence[Subject], pages: int, seed: int) -> bool:
    home = Path(tempfile.mkdtemp(prefix=f"memstrata-{name}-"))
    begun = time.monotonic()
    try:
        figures = PARTS[name].part(random.Random(f"{seed}/{name}/{number}"), home, subjects, pages)
    except AssertionError as failure:
        print(f"{name} {number}: FAILED (seed {seed}, {home}): {failure}", flush=True)
        return False
    print(f"{name} {number}: {figures} ({time.monotonic() - begun:.0f} s)", flush=True)
    shutil.rmtree(home)
    return True


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("parts", nargs="*", metavar="PART", help=f"of {', '.join(PARTS)}")
    parser.add_argument("--runs", type=int, help="how often; by itself as often as was promised")
    parser.add_argument("--pages", type=int, help="of each writer")
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    given = parser.parse_args()
    unknown = set(given.parts) - set(PARTS)
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    print(f"seed {given.seed}", flush=True)
    failures = [
        run_part(name, given.runs, given.pages, given.seed) for name in given.parts or PARTS
    ]
    return 1 if any(failures) else 0


if __name__ == "__main__":
    sys.exit(main())
