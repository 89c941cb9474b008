"""`memstrata probe` as a person runs it."""

import subprocess
import sys
from pathlib import Path

import pytest

from tests.server.process import environment
from tests.stub_llm import StubLLM

KEY = "sk-a-key-that-nobody-may-see"


def run(home: Path, url: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", "server", "probe", "--openai-base-url", url, "--llm-model=stub-1"],
        capture_output=True,
        cwd=home,
        env=environment(home, PYTHONIOENCODING="utf-8", MEMSTRATA_OPENAI_API_KEY=KEY),
        encoding="utf-8",
    )


@pytest.mark.parametrize(("behaviour", "code"), [("ok", 0), ("unauthorized", 1)])
def test_a_probe_is_lines_for_a_person_and_an_exit_code(
    tmp_path: Path, behaviour: str, code: int
) -> None:
    with StubLLM(behaviour=behaviour) as stub:
        done = run(tmp_path, stub.base_url)
    assert (done.returncode, done.stderr) == (code, "")
    assert done.stdout.startswith("ok    endpoint 127.0.0.1: reachable")
    last = done.stdout.splitlines()[-1]
    assert last == ("It cannot be used so." if code else "All that is configured can be used.")
    assert KEY not in done.stdout
    assert not (tmp_path / ".local").exists()
