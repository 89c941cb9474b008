"""scripts/test_comprehensive.py: it passes here, and says so when there is nothing to pass."""

import os
import shlex
import subprocess
import sys
import time
from pathlib import Path

import pytest

SCRIPT = Path(__file__).parents[2] / "scripts" / "test_comprehensive.py"


def run(*arguments: str, seconds: float) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-P", SCRIPT, *arguments],
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        encoding="utf-8",
        env={**os.environ, "PYTHONUTF8": "1"},
        timeout=seconds,
    )


def test_every_check_holds_for_this_tree() -> None:
    done = run(seconds=240)
    assert done.returncode == 0, done.stdout
    assert "Every check holds." in done.stdout
    assert "FAILED" not in done.stdout


@pytest.mark.parametrize(
    "code", ["", "print('hello')", "import sys; sys.stdin.read()", "import sys; sys.exit(3)"]
)
def test_a_command_that_is_no_server_is_told_apart_within_seconds(code: str) -> None:
    begun = time.monotonic()
    command = shlex.join([sys.executable, "-c", code, "--"])
    done = run("--command", command, "--patience", "3", seconds=60)
    assert done.returncode == 2, done.stdout
    assert "does not start an MCP server" in done.stdout
    assert "Traceback" not in done.stdout
    assert time.monotonic() - begun < 30


def test_a_program_that_does_not_exist_is_told_apart() -> None:
    done = run("--command", "no-such-program-anywhere --flag", seconds=60)
    assert done.returncode == 2, done.stdout
    assert "no-such-program-anywhere" in done.stdout
    assert "Traceback" not in done.stdout
