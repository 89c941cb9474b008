"""Whether a process that is named in the database is still there."""

import os
import subprocess
import sys

from memory_core.holders import is_dead, own_name


def test_a_process_knows_itself_and_no_two_names_are_alike() -> None:
    assert not is_dead(own_name())
    assert own_name() != own_name()
    assert own_name().startswith(f"{os.getpid()}-")


def test_a_process_that_has_ended_is_dead() -> None:
    command = "from memory_core.holders import own_name; print(own_name())"
    done = subprocess.run([sys.executable, "-c", command], capture_output=True, text=True)
    assert is_dead(done.stdout.strip())


def test_of_another_machine_and_of_odd_names_nothing_is_certain() -> None:
    place = own_name().partition("@")[2]
    for name in ("", "99999999", f"x-1@{place}", "99999999-ab@elsewhere", "99999999-ab@"):
        assert not is_dead(name)
