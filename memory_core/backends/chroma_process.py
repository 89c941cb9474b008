"""The parent's side of the process that owns Chroma: start it, ask it, let it go.

One thread talks to the process, one exchange at a time. A caller that is cancelled just leaves:
either its request is not sent any more, or the thread finishes the exchange, so that the pipe
stays in step. The thread is a daemon: it never holds up the end of this process, at which the
child finds its input ended and closes the index by itself.
"""

import math
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from concurrent.futures import Future
from pathlib import Path

from memory_core.backends.chroma_owner import is_owned
from memory_core.backends.frames import NOT_OWNED, Frame, read_frame, write_frame
from memory_core.errors import IndexUnavailable

_CLOSE_SECONDS = 60.0
_REAP_SECONDS = 5.0
_WATCH_SECONDS = 1.0
_MOST_LETTERS = 200

# What a Python needs to start. Chroma reads settings from variables without a prefix, and keys
# are none of its business.
_INHERITED = (
    *("PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TZ", "TMPDIR", "TEMP", "TMP"),
    *("VIRTUAL_ENV", "CONDA_PREFIX", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH"),
    *("PYTHONPATH", "PYTHONHOME", "PYTHONUTF8", "PYTHONNOUSERSITE"),
    *("PYTHONDONTWRITEBYTECODE", "PYTHONPYCACHEPREFIX"),
    *("SYSTEMROOT", "SYSTEMDRIVE", "WINDIR", "COMSPEC", "PATHEXT"),
    *("USERPROFILE", "APPDATA", "LOCALAPPDATA"),
)
_ONE_THREAD = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1"}

_Job = tuple[Future[Frame], Frame, float]


class ChromaProcess:
    """One child process and the thread that talks to it. `leave` must be called in the end.

    position, tail: as in the last reply, also when nobody waited for that any more; 0 and "" once
    it failed.
    died: the child ended though nobody told it to; noticed within a second, also between requests.
    """

    def __init__(self, directory: Path) -> None:
        self.position, self.tail = 0, ""
        self.pid: int | None = None
        self.died = False
        self.left: Future[None] = Future()
        self.left.set_running_or_notify_cancel()  # who stops waiting for it must not cancel it
        self._directory = directory
        self._deadline = math.inf
        self._ended = threading.Event()
        self._jobs: queue.SimpleQueue[_Job | None] = queue.SimpleQueue()
        threading.Thread(target=self._run, name="chroma-index", daemon=True).start()

    def ask(self, header: dict[str, object], body: bytes, seconds: float) -> Future[Frame]:
        """Send a request when those before it are answered. Not after `leave`.

        seconds: how long the child may take, not counting the wait in line; then it is killed.

        Raises (in the future):
            IndexUnavailable: another process owns the index, or the child ended or took too long.
        """
        future: Future[Frame] = Future()
        self._jobs.put((future, Frame(header, body), seconds))
        return future

    def leave(self) -> None:
        """Close the index after the requests in line; `left` is done when the child is gone."""
        self._jobs.put(None)

    def _run(self) -> None:
        child: subprocess.Popen[bytes] | None = None
        try:
            for future, request, seconds in iter(self._jobs.get, None):
                if not future.set_running_or_notify_cancel():
                    continue
                try:
                    child = child or self._start()
                    future.set_result(self._exchange(child, request, seconds))
                except IndexUnavailable as error:
                    future.set_exception(error)
            if child:
                self._part(child)
        finally:
            self._ended.set()
            self.left.set_result(None)

    def _start(self) -> subprocess.Popen[bytes]:
        child = _spawn(self._directory)
        self.pid = child.pid
        threading.Thread(target=self._watch, args=[child], name="chroma-watch", daemon=True).start()
        return child

    def _exchange(self, child: subprocess.Popen[bytes], request: Frame, seconds: float) -> Frame:
        assert child.stdin and child.stdout
        self._deadline = time.monotonic() + seconds
        try:
            write_frame(child.stdin.fileno(), request)
            reply = read_frame(child.stdout.fileno())
        except (OSError, EOFError) as error:
            self.position, self.tail = 0, ""
            raise IndexUnavailable(self._post_mortem(child)) from error
        finally:
            self._deadline = math.inf
        if problem := reply.header.get("error"):
            self.position, self.tail = 0, ""
            raise NotOwned if problem == NOT_OWNED else IndexUnavailable(problem)
        self.position, self.tail = reply.header["position"], reply.header["tail"]
        return reply

    def _watch(self, child: subprocess.Popen[bytes]) -> None:
        """Kill a child that is overdue: nothing else ends a read from a pipe on every system."""
        # A timer for each exchange would be exact, and cost each of them most of a millisecond.
        while not self._ended.wait(_WATCH_SECONDS):
            if child.poll() is not None:
                self.died = not self._ended.is_set()
                return
            if time.monotonic() > self._deadline:
                child.kill()

    def _post_mortem(self, child: subprocess.Popen[bytes]) -> str:
        """What became of a child that does not answer; it is dead afterwards."""
        overdue = time.monotonic() > self._deadline
        code = _await_end(child)
        if overdue:
            return "The process of the vector index did not answer in time; it is started anew."
        if code < 0:
            how = signal.strsignal(-code) or f"signal {-code}"
            return f"The process of the vector index ended ({how})."
        last_words = _last_line(_log_path(self._directory))
        return f"The process of the vector index ended (exit code {code}): {last_words}"

    def _part(self, child: subprocess.Popen[bytes]) -> None:
        """Ask for a clean end, and see the child off, so that no zombie stays."""
        try:
            self._exchange(child, Frame({"do": "close"}), _CLOSE_SECONDS)
        except IndexUnavailable:
            child.kill()
        with child:
            _await_end(child)


class NotOwned(IndexUnavailable):
    """Another process owns the index."""

    def __init__(self) -> None:
        super().__init__("Another process has the vector index; vectors are searched exactly.")


def _spawn(directory: Path) -> subprocess.Popen[bytes]:
    """Start the child.

    Raises:
        IndexUnavailable: the index is another's, or no process can be started.
    """
    try:
        directory.mkdir(parents=True, exist_ok=True)
        if is_owned(directory):
            raise NotOwned
        with _log_path(directory).open("ab") as log:
            return subprocess.Popen(
                [sys.executable, "-P", "-m", "memory_core.backends.chroma_child", directory],
                bufsize=0,
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=log,
                cwd=directory,
                env=_environment(),
                start_new_session=True,
                creationflags=getattr(subprocess, "CREATE_NEW_PROCESS_GROUP", 0)
                | getattr(subprocess, "CREATE_NO_WINDOW", 0),
            )
    except (OSError, NotImplementedError) as error:
        raise IndexUnavailable(
            f"The process of the vector index cannot be started in {directory}: {error}."
        ) from error


def _environment() -> dict[str, str]:
    return {name: os.environ[name] for name in _INHERITED if name in os.environ} | _ONE_THREAD


def _log_path(directory: Path) -> Path:
    return directory.with_name(f"{directory.name}.log")


def _last_line(log: Path) -> str:
    """Of a Python that died of an exception: which one."""
    try:
        lines = log.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        lines = []
    return next(
        (line[:_MOST_LETTERS] for line in reversed(lines) if line.strip()), "no reason given"
    )


def _await_end(child: subprocess.Popen[bytes]) -> int:
    try:
        return child.wait(_REAP_SECONDS)
    except subprocess.TimeoutExpired:
        child.kill()
        return child.wait()
