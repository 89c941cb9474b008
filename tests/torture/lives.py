"""Random lives against a plain model, as long as one likes."""

import random
from collections.abc import Sequence
from pathlib import Path

from tests.subject import Subject
from tests.test_state_machine import run_lives

PROCESSES = 0
STEPS = 40


def machine(chance: random.Random, home: Path, _: Sequence[Subject], lives: int) -> str:
    """So many lives with these choices."""
    run_lives(lives, STEPS, seed=chance.randrange(2**32))
    return f"{lives} lives of {STEPS} steps"
