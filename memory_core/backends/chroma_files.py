"""The files of an index: proof that they are as their last owner left them, and what they weigh.

A store that was killed while Chroma rewrote its files can crash the process that opens it, with a
segmentation fault that passes every `except`; with a file that was damaged later Chroma opens, and
finds half of it. So a store counts as damaged until proved clean. The proof is written after Chroma
was closed and everything is on disk, and taken away before Chroma is opened.
"""

import hashlib
import json
import os
import shutil
import stat
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any

PROOF = "clean.json"
DATA = "data"

# Measured with vectors of 512 numbers: 2.4 times their bytes at 100 (0.8 MB), 1.3 at 10,000. What
# this is for are files of hundreds of gigabytes, so there is no need to be near.
_USUAL_BYTES = 256 << 20
_OVERHEAD_BYTES = 1000
_TIMES = 8

Stamp = tuple[int, int, int]
"""Of a file: bytes, time of the last write in ns, number."""


class SpoiledIndex(Exception):
    """The files are no index to rely on any more: their owner must end without a proof."""


def most_bytes(changes: int, dimension: int) -> int:
    """More than the files of an index ever weigh that took in so many changes."""
    return _USUAL_BYTES + _TIMES * changes * (4 * dimension + _OVERHEAD_BYTES)


def stamps(directory: Path) -> dict[str, Stamp]:
    """What can be seen from outside of each file of the data: it changes with every write."""
    data = directory / DATA
    return {
        path.relative_to(data).as_posix(): (status.st_size, status.st_mtime_ns, status.st_ino)
        for path, status in _files(data)
    }


def empty(directory: Path) -> None:
    """Begin anew, whatever is there."""
    data = directory / DATA
    if data.is_symlink() or data.is_file():
        data.unlink()
    elif data.exists():
        shutil.rmtree(data)
    data.mkdir()


def take_proof(directory: Path, made_with: Mapping[str, Any]) -> tuple[int, str]:
    """Position and tail of an index that is as it was left, and was made with the same.

    Returns:
        0 and "" otherwise. In any case the proof is gone from the disk.
    """
    path = directory / PROOF
    try:
        proof = json.loads(path.read_bytes())
    except (OSError, ValueError):
        proof = None
    path.unlink(missing_ok=True)
    _sync_directory(directory)
    if not isinstance(proof, dict) or proof.get("seal") != _seal(proof.get("left")):
        return 0, ""
    left = proof["left"]
    if left["made_with"] != made_with or not _is_as_left(directory / DATA, left["files"]):
        return 0, ""
    return left["position"], left["tail"]


def make_proof(directory: Path, made_with: Mapping[str, Any], position: int, tail: str) -> bytes:
    """The proof for the files as they are, once all of them are on the disk."""
    data = directory / DATA
    _sync_files(data)
    files = {
        path.relative_to(data).as_posix(): [status.st_size, _digest(path)]
        for path, status in _files(data)
    }
    left = {"made_with": dict(made_with), "position": position, "tail": tail, "files": files}
    return json.dumps({"left": left, "seal": _seal(left)}).encode()


def write_proof(directory: Path, proof: bytes) -> None:
    """Put the proof where the next owner looks for it."""
    replace_file(directory / PROOF, proof)
    _sync_directory(directory)


def replace_file(path: Path, content: bytes) -> None:
    """Write a file whole or not at all."""
    draft = path.with_name(f"{path.name}.new")
    with draft.open("wb") as file:
        file.write(content)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, path)


def _is_as_left(data: Path, files: Mapping[str, tuple[int, str]]) -> bool:
    # Sizes first: a file that has grown to a terabyte is not for reading.
    sizes = {path.relative_to(data).as_posix(): status.st_size for path, status in _files(data)}
    if sizes != {name: size for name, (size, _) in files.items()}:
        return False
    try:
        return all(_digest(data / name) == digest for name, (_, digest) in files.items())
    except OSError:
        return False


def _files(data: Path) -> Iterator[tuple[Path, os.stat_result]]:
    """All files. One that goes while they are listed is left out."""
    for folder, _, names in os.walk(data):
        for name in names:
            path = Path(folder, name)
            try:
                status = path.stat()
            except FileNotFoundError:
                continue
            if stat.S_ISREG(status.st_mode):
                yield path, status


def _seal(left: object) -> str:
    return hashlib.sha256(json.dumps(left, sort_keys=True).encode()).hexdigest()


def _digest(path: Path) -> str:
    # Most processors have instructions for this one; it is twice as fast as blake2b.
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


def _sync_files(data: Path) -> None:
    """Chroma does not wait for the disk: without this a power cut could outlive the proof."""
    for path, _ in _files(data):
        with path.open("r+b") as file:
            os.fsync(file.fileno())
    for folder, _, _ in os.walk(data):
        _sync_directory(Path(folder))


def _sync_directory(path: Path) -> None:
    if os.name == "posix":
        fd = os.open(path, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
