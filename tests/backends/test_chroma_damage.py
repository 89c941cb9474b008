"""Damage to the files of an index: it is never believed, and what is found afterwards is the same.

The files are real ones of Chroma; the directories are copies of one that was closed cleanly.
"""

import json
import os
import shutil
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from memory_core.backends.chroma_files import (
    DATA,
    PROOF,
    make_proof,
    most_bytes,
    take_proof,
    write_proof,
)
from tests.backends.judge_index import COUNT

Found = dict[str, Any]


def cut(path: Path) -> None:
    os.truncate(path, path.stat().st_size // 2)


def zero(path: Path) -> None:
    path.write_bytes(bytes(path.stat().st_size))


def noise(path: Path) -> None:
    path.write_bytes(np.random.default_rng(0).bytes(path.stat().st_size))


def flip(path: Path) -> None:
    content = bytearray(path.read_bytes())
    content[len(content) // 2] ^= 1
    path.write_bytes(content)


def delete(path: Path) -> None:
    path.unlink()


DAMAGES: tuple[Callable[[Path], None], ...] = (cut, zero, noise, flip, delete)


def judged(*directories: Path) -> list[Found]:
    """What an owner of each of these finds in it, one after the other in one process."""
    root = str(Path(__file__).parents[2])
    result = subprocess.run(
        [sys.executable, "-m", "tests.backends.judge_index", *map(str, directories)],
        stdout=subprocess.PIPE,
        text=True,
        check=False,
        env=os.environ | {"PYTHONPATH": root},
    )
    assert result.returncode == 0, f"died at number {len(result.stdout.splitlines())}"
    return [json.loads(line) for line in result.stdout.splitlines()]


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Found]:
    """A directory that was filled and closed, and what was found in it before that."""
    directory = tmp_path_factory.mktemp("whole") / "index"
    directory.mkdir()
    return directory, judged(directory)[0]


def copied(whole: tuple[Path, Found], target: Path) -> Path:
    return Path(shutil.copytree(whole[0], target))


def files_of(directory: Path) -> list[Path]:
    return sorted(path for path in directory.rglob("*") if path.is_file())


def files_to_damage(directory: Path) -> list[Path]:
    files = files_of(directory)
    assert {path.name for path in files} == {
        *("chroma.sqlite3", "data_level0.bin", "header.bin", "index_metadata.pickle"),
        *("length.bin", "link_lists.bin", PROOF),
    }
    assert all(path.stat().st_size for path in files)
    return files


def made_with(directory: Path) -> Any:
    return json.loads((directory / PROOF).read_bytes())["left"]["made_with"]


def test_an_undamaged_copy_is_believed_and_finds_the_same(
    whole: tuple[Path, Found], tmp_path: Path
) -> None:
    first, (again,) = whole[1], judged(copied(whole, tmp_path / "copy"))
    assert (first["position"], first["before"]) == (0, [[]] * 40)
    assert (again["position"], again["tail"]) == (COUNT, f"name-{COUNT}")
    assert again["before"] == again["after"] == first["after"]


@pytest.mark.parametrize("damage", DAMAGES)
def test_no_damage_to_any_file_is_believed(
    whole: tuple[Path, Found], tmp_path: Path, damage: Callable[[Path], None]
) -> None:
    count = len(files_to_damage(whole[0]))
    for number in range(count):
        directory = copied(whole, tmp_path / str(number))
        claims = made_with(directory)
        damage(files_to_damage(directory)[number])
        assert take_proof(directory, claims) == (0, ""), files_of(directory)[number]
        assert not (directory / PROOF).exists()
    untouched = copied(whole, tmp_path / "untouched")
    assert take_proof(untouched, made_with(untouched)) == (COUNT, f"name-{COUNT}")


def test_a_proof_that_says_something_else_than_was_written_is_not_believed(
    whole: tuple[Path, Found], tmp_path: Path
) -> None:
    directory = copied(whole, tmp_path / "copy")
    proof = (directory / PROOF).read_bytes()
    changed = proof.replace(b'"position": 1100', b'"position": 9100')
    assert changed != proof
    (directory / PROOF).write_bytes(changed)
    assert take_proof(directory, made_with(whole[0])) == (0, "")


def test_after_damage_to_any_file_chroma_starts_empty_and_then_finds_the_same(
    whole: tuple[Path, Found], tmp_path: Path
) -> None:
    directories = []
    for number in range(len(files_to_damage(whole[0]))):
        directory = copied(whole, tmp_path / str(number))
        DAMAGES[number % len(DAMAGES)](files_to_damage(directory)[number])
        directories.append(directory)
    for found in judged(*directories):
        assert (found["position"], found["tail"], found["before"]) == (0, "", [[]] * 40)
        assert found["after"] == whole[1]["after"]


def test_a_directory_made_otherwise_starts_empty(whole: tuple[Path, Found], tmp_path: Path) -> None:
    names = ("unknown-file", "other-version", "other-model", "other-dimension", "no-directory")
    directories = [copied(whole, tmp_path / name) for name in names]
    (directories[0] / DATA / "unknown").write_text("")
    claims = made_with(directories[1]) | {"chromadb": "0.0.1"}
    write_proof(directories[1], make_proof(directories[1], claims, COUNT, f"name-{COUNT}"))
    shutil.rmtree(directories[4] / DATA)
    (directories[4] / DATA).write_text("a file where the directory was")
    for name, found in zip(names, judged(*directories), strict=True):
        assert (found["position"], found["before"]) == (0, [[]] * 40), name
        if name != "other-dimension":
            assert found["after"] == whole[1]["after"], name


def test_a_file_of_a_terabyte_is_refused_without_being_read(
    whole: tuple[Path, Found], tmp_path: Path
) -> None:
    directory = copied(whole, tmp_path / "bloated")
    os.truncate(next(directory.rglob("link_lists.bin")), 1 << 40)
    # The first of the two only pays for the imports.
    _, found = judged(copied(whole, tmp_path / "first"), directory)
    assert found["position"] == 0
    assert found["seconds"] < 1
    assert found["after"] == whole[1]["after"]


def test_a_file_that_grows_beyond_measure_ends_the_index_without_a_proof(
    whole: tuple[Path, Found], tmp_path: Path
) -> None:
    directory = copied(whole, tmp_path / "grows")
    (grown,), (again,) = judged(directory), judged(directory)
    assert grown["position"] == COUNT
    assert "grown to 1099" in grown["error"]
    assert again["position"] == 0


def test_the_measure_leaves_room_for_what_was_measured() -> None:
    # Bytes of an index of n vectors of so many numbers.
    for count, dimension, measured in (
        (100, 16, 246_180),
        (1_000, 16, 881_454),
        (100, 512, 833_700),
        (1_000, 512, 6_764_914),
        (10_000, 512, 27_096_038),
        (100_000, 512, 251_369_080),
    ):
        assert 8 * measured < most_bytes(count, dimension)
    assert most_bytes(100_000, 512) < 4e9
