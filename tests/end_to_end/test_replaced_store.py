"""A server goes on by itself when its file is replaced or damaged while it runs."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from memory_core.store.backup import back_up
from memory_core.store.integrity import faults_in
from tests.server.process import ServerProcess, started

pytestmark = pytest.mark.skipif(os.name != "posix", reason="a file in use is replaced")

# Not from the test's own process, nor with a copy that would be another file.
ZERO = """
import apsw, sys
connection = apsw.Connection(sys.argv[1])
((root,),) = connection.execute("SELECT rootpage FROM sqlite_schema WHERE name = 'page'")
connection.pragma("wal_checkpoint", "TRUNCATE")
connection.close()
with open(sys.argv[1], "r+b") as file:
    file.seek((root - 1) * 4096)
    file.write(bytes(4096))
"""


def add(server: ServerProcess, text: str) -> str:
    reply = server.call("add_memory", user_input=text, agent_response="Noted.")
    assert not reply.get("isError"), reply
    return str(reply["structuredContent"]["id"])


def window(server: ServerProcess) -> tuple[list[str], list[str]]:
    """Texts and notes."""
    reply = server.call("retrieve_memory", query="turn")
    assert not reply.get("isError"), reply
    found = reply["structuredContent"]
    return [turn["user_input"] for turn in found["short_term_memory"]], found["notes"]


def test_a_file_put_in_place_of_the_one_in_use_is_taken_up(tmp_path: Path) -> None:
    """Its log is left there, as people do; none of it is written into the other file."""
    path = tmp_path / "data" / "memory.db"
    with started(tmp_path) as server:
        server.greet()
        add(server, "turn 1")
        back_up(path, tmp_path / "backup.db")
        add(server, "turn 2")
        os.replace(tmp_path / "backup.db", path)
        assert window(server)[0] == ["turn 1"]
        add(server, "turn 3")
        assert window(server)[0] == ["turn 1", "turn 3"]
        server.end_input()
        assert server.wait() == 0
    assert faults_in(path) == ()


def test_damage_while_it_runs_is_put_right_within_the_call_that_meets_it(tmp_path: Path) -> None:
    path = tmp_path / "data" / "memory.db"
    texts = [f"turn {number}" for number in range(3)]
    with started(tmp_path) as server:
        server.greet()
        for text in texts:
            add(server, text)
        subprocess.run([sys.executable, "-c", ZERO, path], check=True)
        # What its connections have in memory is sound; a change by another one makes them read.
        with started(tmp_path) as other:
            other.greet()
            shown, notes = window(other)
            assert shown in ([], texts), shown
            assert any("was damaged" in note for note in notes)
            add(other, "turn by the other")
            assert "turn by the other" in window(server)[0]
            other.end_input()
            assert other.wait() == 0
        server.end_input()
        assert server.wait() == 0
    assert faults_in(path) == ()
    assert len(list(path.parent.glob("memory.damaged-*.db"))) == 1
