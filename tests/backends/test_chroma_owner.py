"""Who owns an index directory, as others see it."""

import json
import os
import signal
import threading
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from filelock import Timeout

from memory_core.backends.chroma_files import SpoiledIndex
from memory_core.backends.chroma_index import ChromaIndex
from memory_core.backends.chroma_owner import (
    Ownership,
    is_owned,
    lock_path,
    owner_of,
    owner_path,
)
from memory_core.errors import IndexUnavailable
from memory_core.records import Kind
from tests.backends.indexes import opened, vectors

posix = pytest.mark.skipif(os.name != "posix", reason="signals")


async def test_an_open_index_says_who_has_it_and_since_when(tmp_path: Path) -> None:
    directory = tmp_path / "chroma"
    assert owner_of(directory) is None
    assert os.listdir(tmp_path) == []  # a look leaves nothing behind
    before = datetime.now(UTC) - timedelta(seconds=2)
    async with opened(ChromaIndex(directory)) as index:
        owner = owner_of(directory)
        assert owner is not None
        assert (owner.pid, owner.parent) == (index.pid, os.getpid())
        assert before <= owner.since <= datetime.now(UTC)
        assert owner.since.utcoffset() == timedelta(0)
    assert owner_of(directory) is None
    assert not owner_path(directory).exists()


@posix
async def test_the_note_of_a_dead_owner_is_no_owner(tmp_path: Path) -> None:
    directory = tmp_path / "chroma"
    async with opened(ChromaIndex(directory)) as index:
        assert index.pid
        os.kill(index.pid, signal.SIGKILL)
        with pytest.raises(IndexUnavailable):
            await index.search(Kind.PAGE, vectors(1)[0], 1)
        assert owner_path(directory).exists()
        assert owner_of(directory) is None


@pytest.mark.parametrize("note", [b"", b"{", b"[]", b"{}", b'{"pid": 1, "parent": 2, "since": 3}'])
def test_a_note_that_cannot_be_read_names_nobody(tmp_path: Path, note: bytes) -> None:
    ownership = Ownership.take(tmp_path / "chroma", parent=1)
    owner_path(tmp_path / "chroma").write_bytes(note)
    assert owner_of(tmp_path / "chroma") is None
    ownership.release()


def test_only_one_can_have_it(tmp_path: Path) -> None:
    directory = tmp_path / "chroma"
    first = Ownership.take(directory, parent=1)
    assert is_owned(directory)
    with pytest.raises(Timeout):
        Ownership.take(directory, parent=2)
    note = json.loads(owner_path(directory).read_bytes())
    assert note["parent"] == 1
    first.release()
    assert not is_owned(directory)
    Ownership.take(directory, parent=2).release()


def test_many_who_look_keep_nobody_from_becoming_the_owner(tmp_path: Path) -> None:
    directory, enough = tmp_path / "chroma", threading.Event()

    def look() -> None:
        while not enough.is_set():
            owner_of(directory)

    lookers = [threading.Thread(target=look) for _ in range(4)]
    for looker in lookers:
        looker.start()
    try:
        for number in range(20):
            ownership = Ownership.take(directory, parent=number)
            owner = owner_of(directory)
            assert owner is not None
            assert owner.parent == number
            ownership.release()
    finally:
        enough.set()
        for looker in lookers:
            looker.join()


@posix
@pytest.mark.parametrize("put_another", [False, True])
def test_a_lock_that_was_removed_is_noticed(tmp_path: Path, put_another: bool) -> None:
    ownership = Ownership.take(tmp_path / "chroma", parent=1)
    ownership.check()
    lock_path(tmp_path / "chroma").unlink()
    if put_another:
        lock_path(tmp_path / "chroma").touch()
    with pytest.raises(SpoiledIndex, match="lock"):
        ownership.check()
