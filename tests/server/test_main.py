import subprocess
import sys
from pathlib import Path

from tests.server.process import environment

STRAY = """
import os, subprocess, sys
from server.__main__ import claim_stdio

wire = claim_stdio()
print("from print")
os.write(1, b"from C\\n")
subprocess.run([sys.executable, "-c", "print('from a child')"])
sys.stdout.write("nothing to read: " + repr(sys.stdin.read()) + " \\ud800\\n")
os.write(wire.outgoing, os.read(wire.incoming, 100))
sys.stdout.write("left in a buffer at exit")
"""


def test_only_the_protocol_reaches_the_client_and_only_it_reads_the_input(tmp_path: Path) -> None:
    done = subprocess.run(
        [sys.executable, "-c", STRAY],
        input=b"protocol",
        capture_output=True,
        env=environment(tmp_path),
    )
    assert (done.returncode, done.stdout) == (0, b"protocol")
    assert done.stderr.splitlines() == [
        b"from print",
        b"from C",
        b"from a child",
        rb"nothing to read: '' \ud800",
        b"left in a buffer at exit",
    ]


def test_closed_pipes_are_a_clear_error(tmp_path: Path) -> None:
    done = subprocess.run(
        ["sh", "-c", f"exec {sys.executable} -m server <&- >&-"],
        capture_output=True,
        env=environment(tmp_path),
        text=True,
    )
    assert done.returncode == 2
    assert done.stderr.startswith("memstrata: standard input and output must be open")
    assert done.stderr.count("\n") == 1
