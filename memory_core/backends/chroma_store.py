"""Chroma on one directory, opened only when its last owner has proved that it left it whole.

A store that was killed while Chroma rewrote its files can crash the process that opens it, with a
segmentation fault that passes every `except`. So a store counts as damaged until proved clean: the
proof is written after Chroma was closed and everything is on disk, and taken away before Chroma is
opened. Without it the store is emptied; the vectors come again from the database.
"""

import json
import os
import shutil
from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from memory_core.backends.embedder import Vectors
from memory_core.backends.vector_index import VectorHit, VectorRow
from memory_core.records import Kind

MOST_HITS = 10_000
PROOF = "clean.json"
DATA = "data"


def lock_path(directory: Path) -> Path:
    """The owner's lock. Beside the directory: throwing the index away does not release it."""
    return directory.with_name(f"{directory.name}.lock")


class ChromaStore:
    """One Chroma collection a kind, filled by change number. The caller owns the directory.

    What Chroma raises is not caught: an index that had an error is not worth a proof.
    """

    def __init__(self, directory: Path, model: str, dimension: int) -> None:
        self._directory = directory
        self._made_with = {
            "model": model,
            "dimension": dimension,
            "chromadb": version("chromadb"),
        }
        self.position, self.tail = _take_proof(directory, self._made_with)
        if not self.position:
            _empty(directory / DATA)
        self._client = _open_chroma(directory / DATA)
        self._collections = {kind: _open_collection(self._client, kind) for kind in Kind}
        for kind in Kind:  # Chroma loads its files at the first query; nobody waits for this one
            self.search(kind, np.zeros(dimension, np.float32), 1)

    def discard(self) -> None:
        """Begin anew, empty. Chroma forgets its files by itself."""
        for kind in Kind:
            self._client.delete_collection(f"memory-{kind}")
        self._collections = {kind: _open_collection(self._client, kind) for kind in Kind}
        self.position, self.tail = 0, ""

    def upsert(self, rows: Sequence[VectorRow]) -> None:
        """Take rows in; of several with the same identity the last one counts."""
        latest = {(row.kind, row.item_key, row.piece): row for row in rows}
        for kind, collection in self._collections.items():
            mine = [row for row in latest.values() if row.kind is kind]
            _remove(collection, [row for row in mine if row.vector is None])
            _put(collection, [row for row in mine if row.vector is not None])
        last = max(rows, key=lambda row: row.change)
        if last.change > self.position:
            self.position, self.tail = last.change, last.name

    def search(self, kind: Kind, query: Vectors, limit: int) -> list[VectorHit]:
        """The nearest pieces, best first. Chroma returns fewer when it has fewer."""
        # No filter by scope: with one, Chroma is slower than an exact scan at every size.
        found = self._collections[kind].query(
            query_embeddings=[query],
            n_results=min(limit, MOST_HITS),
            include=["metadatas", "distances"],
        )
        pairs = zip(found["metadatas"][0], found["distances"][0], strict=True)
        return [
            VectorHit(item_key=meta["item"], scope_key=meta["scope"], cosine=1.0 - distance)
            for meta, distance in pairs
        ]

    def close(self) -> None:
        """Close Chroma, wait until all is on disk, and prove it."""
        self._client.close()
        _sync_files(self._directory / DATA)
        _write_proof(
            self._directory, self._made_with | {"position": self.position, "tail": self.tail}
        )


def _open_chroma(path: Path) -> Any:
    import chromadb
    from chromadb.config import Settings

    # Chroma's settings would otherwise take un-prefixed variables and a .env of the cwd.
    settings = Settings(
        _env_file=None,
        anonymized_telemetry=False,
        allow_reset=False,
        is_persistent=True,
        persist_directory=str(path),
    )
    return chromadb.PersistentClient(path=str(path), settings=settings)


def _open_collection(client: Any, kind: Kind) -> Any:
    # With the default embedding function Chroma would download a model at the first use.
    return client.get_or_create_collection(
        f"memory-{kind}",
        embedding_function=None,
        configuration={"hnsw": {"space": "cosine"}},
    )


def _remove(collection: Any, rows: Sequence[VectorRow]) -> None:
    if rows:
        collection.delete(ids=[_name(row) for row in rows])


def _put(collection: Any, rows: Sequence[VectorRow]) -> None:
    if rows:
        collection.upsert(
            ids=[_name(row) for row in rows],
            embeddings=[row.vector for row in rows],
            metadatas=[{"item": row.item_key, "scope": row.scope_key} for row in rows],
        )


def _name(row: VectorRow) -> str:
    return f"{row.item_key}.{row.piece}"


def _take_proof(directory: Path, made_with: dict[str, Any]) -> tuple[int, str]:
    """Position and tail of a store that was proved clean and made with the same, else none."""
    path = directory / PROOF
    try:
        proof = json.loads(path.read_bytes())
    except (OSError, ValueError):
        proof = None
    path.unlink(missing_ok=True)
    _sync_directory(directory)
    if not isinstance(proof, dict):
        return 0, ""
    position, tail = proof.pop("position", 0), proof.pop("tail", "")
    if not isinstance(position, int) or not isinstance(tail, str):
        return 0, ""
    if proof != made_with | {"sizes": _sizes(directory / DATA)}:
        return 0, ""
    return position, tail


def _write_proof(directory: Path, proof: dict[str, Any]) -> None:
    draft = directory / f"{PROOF}.new"
    with draft.open("w", encoding="utf-8") as file:
        json.dump(proof | {"sizes": _sizes(directory / DATA)}, file)
        file.flush()
        os.fsync(file.fileno())
    os.replace(draft, directory / PROOF)
    _sync_directory(directory)


def _sizes(path: Path) -> dict[str, int]:
    """Bytes of each file: Chroma opens a store with a lost or cut file, and finds half of it."""
    files = (file for file in path.rglob("*") if file.is_file())
    return {file.relative_to(path).as_posix(): file.stat().st_size for file in files}


def _empty(path: Path) -> None:
    if path.exists():
        shutil.rmtree(path)
    path.mkdir()


def _sync_files(path: Path) -> None:
    """Chroma does not wait for the disk: without this a power cut could outlive the proof."""
    for folder, _, names in os.walk(path):
        for name in names:
            with Path(folder, name).open("r+b") as file:
                os.fsync(file.fileno())
        _sync_directory(Path(folder))


def _sync_directory(path: Path) -> None:
    if os.name == "posix":
        fd = os.open(path, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
