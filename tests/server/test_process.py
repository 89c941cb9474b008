"""The server as a process: what a client sees on the pipes, and what the system sees at the end."""

import json
import os
import signal
import subprocess
from collections.abc import Iterator
from pathlib import Path

import anyio
import pytest
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from tests.server.process import ServerProcess, command, environment, started

KEY = "sk-a-key-that-nobody-may-see"
posix = pytest.mark.skipif(os.name != "posix", reason="signals")


@pytest.fixture(scope="module")
def server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[ServerProcess]:
    """One process for the tests that leave it as they found it."""
    with started(tmp_path_factory.mktemp("server")) as server:
        server.greet()
        yield server


def test_a_line_of_garbage_is_survived(server: ServerProcess) -> None:
    server.send_bytes(b"garbage\n\n\xff\x00\n[]\n")
    assert server.ask("ping")["result"] == {}


def test_a_broken_line_with_an_id_is_answered(server: ServerProcess) -> None:
    server.send_bytes(b'{"jsonrpc": "2.0", "id": "x", "method": \n')
    reply = server.receive()
    assert (reply["id"], reply["error"]["code"]) == ("x", -32700)


def test_lone_surrogates_are_stored_as_replacement_characters(server: ServerProcess) -> None:
    given = '{"user_input": "half \\ud800 zebra", "agent_response": "\\udc00"}'
    call = f'"method": "tools/call", "params": {{"name": "add_memory", "arguments": {given}}}'
    server.send_bytes(f'{{"jsonrpc": "2.0", "id": 0, {call}}}\n'.encode())
    assert not server.receive()["result"].get("isError")
    found = server.call("retrieve_memory", query="zebra \ud800")
    assert "half \ufffd zebra" in json.dumps(found, ensure_ascii=False)


def test_a_line_of_two_megabytes_is_served(server: ServerProcess) -> None:
    stored = server.call("add_memory", user_input="walrus " + "語" * 700_000, agent_response="ok")
    assert not stored.get("isError"), stored
    found = server.call("retrieve_memory", query="walrus")["structuredContent"]
    pages = found["retrieved_pages"] + found["short_term_memory"]
    assert any(item["truncated"] for item in pages if "walrus" in item["user_input"])


def test_an_error_of_the_caller_leaves_the_server_as_it_was(server: ServerProcess) -> None:
    assert server.call("retrieve_memory", query="")["isError"]
    assert server.call("nothing")["isError"]
    assert "error" in server.ask("no/such/method")
    assert not server.call("get_user_profile").get("isError")


@pytest.mark.parametrize(("mode", "era"), [("legacy", "2025-11-25"), ("auto", "2026-07-28")])
async def test_the_official_client_stores_and_recalls_in_both_eras(
    tmp_path: Path, mode: str, era: str
) -> None:
    program, *arguments = command(tmp_path / "data")
    parameters = StdioServerParameters(
        command=program, args=arguments, env=environment(tmp_path), cwd=tmp_path
    )
    with anyio.fail_after(90):
        async with Client(parameters, mode=mode) as client:
            assert client.protocol_version == era
            assert len((await client.list_tools()).tools) == 5
            assert "Retrieve first" in (client.instructions or "")
            turn = {"user_input": "My cat is called Miso.", "agent_response": "Lovely."}
            stored = await client.call_tool("add_memory", turn)
            found = await client.call_tool("retrieve_memory", {"query": "name of the cat"})
            profile = await client.call_tool("get_user_profile", {})
    assert not (stored.is_error or found.is_error or profile.is_error)
    pages = (
        found.structured_content["retrieved_pages"] + found.structured_content["short_term_memory"]
    )
    assert stored.structured_content["id"] in [item["id"] for item in pages]


@pytest.mark.parametrize(
    "ending",
    ["end of input", pytest.param("SIGTERM", marks=posix), pytest.param("SIGINT", marks=posix)],
)
def test_every_ending_is_clean_and_keeps_what_was_stored(tmp_path: Path, ending: str) -> None:
    with started(tmp_path) as server:
        server.greet()
        stored = server.call("add_memory", user_input="It is stored.", agent_response="Yes.")
        if ending == "end of input":
            server.end_input()
        else:
            server.process.send_signal(signal.Signals[ending])
        assert server.wait() == 0
        assert server.rest() == []
        assert server.errors() == ""
    log = (tmp_path / "data" / "logs" / "memstrata.log").read_text(encoding="utf-8")
    assert "Closed." in log
    with started(tmp_path) as server:
        server.greet()
        found = server.call("retrieve_memory", query="stored")["structuredContent"]
        ids = [item["id"] for item in found["retrieved_pages"] + found["short_term_memory"]]
        assert stored["structuredContent"]["id"] in ids


def test_requests_before_the_end_of_input_are_still_answered(tmp_path: Path) -> None:
    with started(tmp_path) as server:
        server.greet()
        server.call("get_user_profile")  # it is open: that takes longer than an end may
        turn = {"user_input": "Piped.", "agent_response": ""}
        params = {"name": "add_memory", "arguments": turn}
        server.send(id=50, method="tools/call", params=params)
        server.end_input()
        reply = server.receive()
        assert (reply["id"], server.wait(), server.rest()) == (50, 0, [])
    assert not reply["result"].get("isError")


@posix
def test_the_end_of_the_parent_ends_the_server(tmp_path: Path) -> None:
    """A client that dies may leave the pipe open in another of its children."""
    launcher = f"""
import subprocess, sys
process = subprocess.Popen({command(tmp_path / "data")!r}, stderr=subprocess.DEVNULL)
sys.stderr.write(str(process.pid))
sys.stderr.flush()
sys.stdin.buffer.raw.read(0)
import os, select
select.select([{{release}}], [], [])
"""
    release_out, release_in = os.pipe()
    parent = subprocess.Popen(
        [command(tmp_path)[0], "-c", launcher.replace("{release}", str(release_out))],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
        pass_fds=[release_out],
    )
    assert parent.stdin and parent.stdout and parent.stderr
    hello = {"jsonrpc": "2.0", "id": 1, "method": "server/discover"}
    parent.stdin.write(json.dumps(hello).encode() + b"\n")
    parent.stdin.flush()
    assert parent.stdout.readline()
    parent.kill()
    assert parent.stdout.read() == b""  # the server, its last writer, has gone
    parent.wait()
    for stream in (parent.stdin, parent.stdout, parent.stderr):
        stream.close()
    os.close(release_in)
    os.close(release_out)


def test_the_start_needs_none_of_the_heavy_libraries(tmp_path: Path) -> None:
    code = """
import sys
from pathlib import Path
from memory_core import Settings
from server.logs import configure_logging
import server.serve, server.__main__
heavy = {"numpy", "openai", "chromadb", "onnxruntime", "torch", "memory_core.core"}
sys.exit(", ".join(heavy & set(sys.modules)) or 0)
"""
    done = subprocess.run(
        [command(tmp_path)[0], "-c", code], env=environment(tmp_path), capture_output=True
    )
    assert (done.returncode, done.stderr) == (0, b"")


def run(home: Path, *arguments: str, **variables: str) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        command(home / "data", *arguments),
        env=environment(home, **variables),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
    )


def test_a_wrong_setting_is_one_clear_line_and_exit_code_two(tmp_path: Path) -> None:
    done = run(tmp_path, "--short-term-capacityy", "3", OPENAI_API_KEY=KEY)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        'memstrata: Unknown key "short_term_capacityy" in the arguments. '
        'Did you mean "short_term_capacity"?\n'
    )


@pytest.mark.parametrize("arguments", [["--heat-alpha", "warm"], ["--config", "no/such/file"]])
def test_no_wrong_setting_ends_in_a_traceback(tmp_path: Path, arguments: list[str]) -> None:
    done = run(tmp_path, *arguments)
    assert (done.returncode, done.stdout, done.stderr.count("\n")) == (2, "", 1)


def test_help_and_version_are_on_the_real_output(tmp_path: Path) -> None:
    version, usage = run(tmp_path, "--version"), run(tmp_path, "--help", OPENAI_API_KEY=KEY)
    assert (version.returncode, version.stderr) == (0, "")
    assert version.stdout.startswith("memstrata ")
    assert usage.stdout.startswith("usage: memstrata")
    assert KEY not in usage.stdout


def test_a_memory_that_cannot_be_opened_is_explained_in_each_call(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file where the directory should be")
    with started(tmp_path, OPENAI_API_KEY=KEY) as server:
        assert "result" in server.greet()
        result = server.call("add_memory", user_input="hello")
        status = server.call("memory_status")
        server.end_input()
        assert server.wait() == 0
        errors = server.errors()
    assert result["isError"]
    assert "not open" in result["content"][0]["text"]
    told = status["structuredContent"]
    assert "not open" in told["problem"] and told["data_directory"] == str(tmp_path / "data")
    assert told["process"]["pid"] == server.process.pid
    assert KEY not in errors + json.dumps([result, status])


def test_the_status_tells_what_was_stored_and_for_whom(tmp_path: Path) -> None:
    users = ("李雷", "../ana'--")
    with started(tmp_path) as server:
        server.greet()
        for user in (*users, users[0]):
            server.call("add_memory", user_input="I like tea.", user_id=user)
        told = server.call("memory_status", user_id=users[0])["structuredContent"]
        text = server.call("memory_status")["content"][0]["text"]
    assert told["process"]["pid"] == server.process.pid
    assert (told["counts"]["users"], told["counts"]["short_term_pages"]) == (2, 3)
    assert (told["scope"]["user_id"], told["scope"]["short_term_pages"]) == (users[0], 2)
    assert told["embedder"]["state"] == "off" and told["language_model"]["state"] == "off"
    assert "Memory: 3 turns" in text


def test_the_key_is_in_no_log(tmp_path: Path) -> None:
    with started(
        tmp_path, MEMSTRATA_OPENAI_API_KEY=KEY, MEMSTRATA_OPENAI_BASE_URL="http://127.0.0.1:9/v1"
    ) as server:
        server.greet()
        for number in range(10):
            stored = server.call("add_memory", user_input=f"I like tea number {number}.")
            assert not stored.get("isError")
        server.end_input()
        server.wait()
        errors = server.errors()
    log = (tmp_path / "data" / "logs" / "memstrata.log").read_text(encoding="utf-8")
    assert "Closed." in log
    assert KEY not in errors + log
