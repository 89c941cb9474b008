"""Random lives against a plain model, as long as one likes."""

from tests.test_state_machine import run_lives
from tests.torture.crew import Trial

PROCESSES = 0
STEPS = 40


def machine(trial: Trial) -> str:
    """So many lives."""
    run_lives(trial.size, STEPS, seed=trial.chance.randrange(2**32))
    return f"{trial.size} lives of {STEPS} steps"
