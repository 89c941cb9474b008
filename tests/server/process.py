"""A server process on raw pipes, as a client starts it."""

import json
import os
import queue
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

PATIENCE_SECONDS = 60.0
HELLO = {
    "protocolVersion": "2025-06-18",
    "capabilities": {},
    "clientInfo": {"name": "test", "version": "1"},
}


def command(data: Path, *arguments: str) -> list[str]:
    settings = ("--data-storage-path", str(data), "--embedding-model-name", "none")
    return [sys.executable, "-m", "server", *settings, *arguments]


def environment(home: Path, **variables: str) -> dict[str, str]:
    """What a client passes on, without any key of the person who runs the tests."""
    return {"PATH": os.environ["PATH"], "HOME": str(home), "OMP_NUM_THREADS": "1", **variables}


class ServerProcess:
    """Made by `started`. Lines of its output come one by one from `receive`."""

    def __init__(self, process: "subprocess.Popen[bytes]", errors: Path) -> None:
        assert process.stdin and process.stdout
        self.process = process
        self._input = process.stdin
        self._output = process.stdout
        self._errors = errors
        self._lines: queue.Queue[bytes] = queue.Queue()
        self._reader = threading.Thread(target=self._read)
        self._reader.start()
        self._last_id = 0

    def _read(self) -> None:
        for line in self._output:
            self._lines.put(line)
        self._lines.put(b"")

    def send_bytes(self, data: bytes) -> None:
        self._input.write(data)
        self._input.flush()

    def send(self, **message: Any) -> None:
        self.send_bytes(json.dumps({"jsonrpc": "2.0"} | message).encode() + b"\n")

    def receive(self) -> dict[str, Any]:
        """The next message; fails on anything that is not JSON."""
        message: dict[str, Any] = json.loads(self._lines.get(timeout=PATIENCE_SECONDS))
        assert message["jsonrpc"] == "2.0"
        return message

    def ask(self, method: str, params: dict[str, Any] | None = None) -> dict[str, Any]:
        self._last_id += 1
        self.send(id=self._last_id, method=method, params=params or {})
        reply = self.receive()
        assert reply["id"] == self._last_id
        return reply

    def greet(self) -> dict[str, Any]:
        reply = self.ask("initialize", HELLO)
        self.send(method="notifications/initialized")
        return reply

    def call(self, name: str, **arguments: Any) -> dict[str, Any]:
        result: dict[str, Any] = self.ask("tools/call", {"name": name, "arguments": arguments})[
            "result"
        ]
        return result

    def end_input(self) -> None:
        self._input.close()

    def wait(self) -> int:
        return self.process.wait(PATIENCE_SECONDS)

    def rest(self) -> list[bytes]:
        """The lines that were not received yet; the process has ended."""
        self._reader.join(PATIENCE_SECONDS)
        return [line for line in iter(self._lines.get_nowait, b"") if line]

    def errors(self) -> str:
        return self._errors.read_text(encoding="utf-8")

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
        self.process.wait()
        self._reader.join()
        for stream in (self._input, self._output):
            stream.close()


@contextmanager
def started(home: Path, *arguments: str, **variables: str) -> Iterator[ServerProcess]:
    """A server whose data is in `home / "data"`."""
    errors = home / "stderr.txt"
    with errors.open("ab") as sink:
        process = subprocess.Popen(
            command(home / "data", *arguments),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=sink,
            env=environment(home, **variables),
            cwd=home,
        )
    server = ServerProcess(process, errors)
    try:
        yield server
    finally:
        server.close()
