"""A memory in a process of its own that obeys commands, and dies when it is told to.

    python -m tests.subject

One JSON object a line in, one out. "start" forks a subject that opens the memory, "kill" ends it;
whatever else comes is for the subject (living.py). With `fatal` a command is given so many
statements of SQL to live: {"died": true} is the reply of a subject that is not there any more.
"""

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime
from pathlib import Path
from typing import Any

import anyio

from memory_core import Settings, open_memory
from memory_core.backends.memory_index import MemoryIndex
from memory_core.testing import WordsEmbedder
from tests.living import PlausibleModel, Reply, live
from tests.mortal import end_threads, kill, read_line

ROOT = Path(__file__).parent.parent
DIED = {"died": True}
LONGEST_LINE_TOLD = 300
PATIENCE_SECONDS = 20


class Subject:
    """The tester's end: commands out, replies in. Made by `hosted`.

    pid: of the subject that was started last; story: the commands so far, to be read by a person.
    """

    def __init__(self, host: "subprocess.Popen[str]") -> None:
        assert host.stdin and host.stdout
        self._host = host
        self._commands, self._replies = host.stdin, host.stdout
        self.pid = 0
        self.story: list[str] = []

    def start(
        self,
        directory: Path,
        now: datetime | None = None,
        *,
        model: bool = False,
        embedder: str = "words/64",
        index: str = "memory",
        **settings: Any,
    ) -> None:
        """Open the memory.

        Args:
            now: a time that stands still, or None for a clock that goes.
            model: with a scripted model, or by rules.
            embedder: "NAME/DIMENSION" of a stand-in, or "bundled".
            index: "memory" or "chroma".
        """
        reply = self.do(
            "start",
            now=now and now.isoformat(),
            model=model,
            embedder=embedder,
            index=index,
            settings={"data_storage_path": str(directory), **settings},
        )
        self.pid = reply["pid"]

    def do(self, name: str, **arguments: Any) -> Reply:
        """Carry out a command; `DIED` when the subject did not live to reply."""
        line = json.dumps({"do": name, **arguments})
        self.story.append(line[:LONGEST_LINE_TOLD])
        self._commands.write(line + "\n")
        self._commands.flush()
        answer = self._replies.readline()
        assert answer, f"The host has ended with {self._host.wait(PATIENCE_SECONDS)}."
        reply: Reply = json.loads(answer)
        assert "failed" not in reply, reply
        return reply


@contextmanager
def hosted() -> Iterator[Subject]:
    """The program, and a subject to start in it as often as one likes."""
    host = subprocess.Popen(
        [sys.executable, "-m", "tests.subject"],
        cwd=ROOT,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        encoding="ascii",
    )
    with host:
        try:
            yield Subject(host)
            assert host.stdin
            host.stdin.close()
            host.wait(PATIENCE_SECONDS)
        finally:
            host.kill()


class Host:
    """Forks subjects, one at a time, and passes lines on."""

    def __init__(self) -> None:
        self._process = 0
        self._commands = self._replies = -1

    def obey(self, line: str) -> str:
        command = json.loads(line)
        if command["do"] == "start":
            self._fork()
        elif command["do"] == "kill":
            self.end()
            return "{}\n"
        if not self._process:
            return _died()
        try:
            os.write(self._commands, line.encode())
            reply = read_line(self._replies)
        except BrokenPipeError:
            reply = ""
        if not reply:
            self.end()
        return reply or _died()

    def _fork(self) -> None:
        assert not self._process
        commands, self._commands = os.pipe()
        self._replies, replies = os.pipe()
        self._process = os.fork()
        if not self._process:
            os.close(self._commands)
            os.close(self._replies)
            anyio.run(live, commands, replies)
            os._exit(0)
        os.close(commands)
        os.close(replies)

    def end(self) -> None:
        """Kill the subject, if there is one."""
        if self._process:
            kill(self._process)
            os.close(self._commands)
            os.close(self._replies)
        self._process = 0


def _died() -> str:
    return json.dumps(DIED) + "\n"


async def _warm_up() -> None:
    """What is imported and compiled at its first use, a fork has already."""
    for model in (None, PlausibleModel()):
        with tempfile.TemporaryDirectory() as directory:
            settings = Settings.load({"data_storage_path": directory}, environ={})
            async with open_memory(
                settings, model=model, embedder=WordsEmbedder(), index=MemoryIndex()
            ) as memory:
                for turn in range(10):
                    await memory.add_memory("I like tea.", f"Turn {turn}.")
                await memory.consolidate()
                await memory.retrieve_memory("tea")


def main() -> None:
    anyio.run(_warm_up)
    end_threads()
    host = Host()
    for line in sys.stdin:
        sys.stdout.write(host.obey(line))
        sys.stdout.flush()
    host.end()


if __name__ == "__main__":
    main()
