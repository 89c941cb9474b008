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
import traceback
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parent.parent))

from tests.subject import Subject
from tests.torture import calls, crew, files, lives, many, switches
from tests.torture.crew import Trial


@dataclass(frozen=True, slots=True)
class Plan:
    """A part, how many processes it plays with, how often it runs by itself, and on how much."""

    part: Callable[[Trial], str]
    processes: int
    runs: int
    size: int


PARTS = {
    "writers": Plan(many.writers, many.CREW, runs=10, size=300),
    "kill": Plan(many.kill, many.CREW, runs=30, size=300),
    "owner": Plan(many.owner, many.CREW, runs=30, size=300),
    "files": Plan(files.files, files.PROCESSES, runs=1, size=1200),
    "switches": Plan(switches.switches, switches.PROCESSES, runs=1, size=300),
    "calls": Plan(calls.calls, calls.PROCESSES, runs=1, size=10_000),
    "machine": Plan(lives.machine, lives.PROCESSES, runs=1, size=500),
}


def run_part(name: str, runs: int | None, size: int | None, seed: int) -> int:
    """Run a part as often as it is to be run; how many runs failed."""
    plan, failures, begun = PARTS[name], 0, time.monotonic()
    runs = runs or plan.runs
    for number in range(1, runs + 1):
        # A crew for each run: what one run leaves behind is no excuse for the next.
        with crew.crew(plan.processes) as subjects:
            failures += not run_once(name, number, subjects, size or plan.size, seed)
    took = time.monotonic() - begun
    print(f"{name}: {runs - failures} of {runs} runs well, {took:.0f} s (seed {seed})", flush=True)
    return failures


def run_once(name: str, number: int, subjects: Sequence[Subject], size: int, seed: int) -> bool:
    home = Path(tempfile.mkdtemp(prefix=f"memstrata-{name}-"))
    chance, begun = random.Random(f"{seed}/{name}/{number}"), time.monotonic()
    try:
        figures = PARTS[name].part(Trial(chance=chance, home=home, subjects=subjects, size=size))
    except Exception as failure:  # noqa: BLE001 - a run has failed, whatever it was
        traceback.print_exception(failure)
        first = str(failure).partition("\n")[0]
        print(f"{name} {number}: FAILED (seed {seed}, {home}): {first}", flush=True)
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
    parser.add_argument(
        "--size", type=int, help="pages of each writer or of the store; calls; lives"
    )
    parser.add_argument("--seed", type=int, default=random.SystemRandom().randrange(2**32))
    given = parser.parse_args()
    unknown = set(given.parts) - set(PARTS)
    if unknown:
        parser.error(f"no such part: {', '.join(sorted(unknown))}")
    print(f"seed {given.seed}", flush=True)
    failures = [run_part(name, given.runs, given.size, given.seed) for name in given.parts or PARTS]
    return 1 if any(failures) else 0


if __name__ == "__main__":
    sys.exit(main())
