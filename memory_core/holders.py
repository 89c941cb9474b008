"""Names of processes in the database, and whether such a process is still there."""

import os
import secrets
import socket
import sys
from pathlib import Path

import psutil


def own_name() -> str:
    """A name of this process that no other has: "PID-RANDOM@PLACE"."""
    return f"{os.getpid()}-{secrets.token_hex(4)}@{_place()}"


def is_dead(name: str) -> bool:
    """Whether the process of this name is certainly gone. Of another machine nothing is certain."""
    number, _, place = name.partition("-")[0], *name.partition("@")[1:]
    if place != _place() or not number.isdecimal():
        return False
    try:
        return psutil.Process(int(number)).status() == psutil.STATUS_ZOMBIE
    except psutil.NoSuchProcess:
        return True
    except psutil.Error:
        return False


def _place() -> str:
    """Where process ids mean the same: the machine, and within it the container."""
    container = Path("/proc/self/ns/pid")
    inside = os.readlink(container) if sys.platform == "linux" and container.exists() else ""
    return f"{socket.gethostname()}{inside}"
