"""Processes that are forked to be killed: a start costs them no imports."""

import os
import signal
import threading
import time

import apsw


class Fuse:
    """Kills this process before a statement of SQL on any connection that is opened from now on."""

    def __init__(self) -> None:
        self._left = 0
        apsw.connection_hooks.append(self._watch)

    def light(self, statement: int) -> None:
        """Let it not come beyond this statement, counted from here; 0: let it live."""
        self._left = statement

    def _watch(self, connection: apsw.Connection) -> None:
        connection.exec_trace = self._trace

    def _trace(self, *_: object) -> bool:
        self._left -= 1
        if self._left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        return True


def end_threads() -> None:
    """Wait for all other threads: what is forked from a process without threads is sound."""
    for thread in threading.enumerate():
        if thread is not threading.main_thread():
            thread.join()


def wait_for_end(process: int, seconds: float) -> None:
    """At most so long. An ended process is left to be waited for, so its id stays its own."""
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if os.waitid(os.P_PID, process, os.WEXITED | os.WNOHANG | os.WNOWAIT):
            return
        time.sleep(0.005)


def kill(process: int) -> int:
    """End a child by SIGKILL, if it has not ended before; its status."""
    os.kill(process, signal.SIGKILL)
    return os.waitpid(process, 0)[1]


def read_line(source: int) -> str:
    """A whole line of a pipe, or nothing when its writer died before its end."""
    data = b""
    while not data.endswith(b"\n"):
        piece = os.read(source, 1 << 16)
        if not piece:
            return ""
        data += piece
    return data.decode()
