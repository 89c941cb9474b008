"""Chroma on one directory, opened only when its last owner has proved that it left it whole.

Without a proof the store is emptied; the vectors come again from the database.
"""

from collections.abc import Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

import numpy as np

from memory_core.backends.chroma_files import (
    DATA,
    SpoiledIndex,
    empty,
    make_proof,
    most_bytes,
    stamps,
    take_proof,
    write_proof,
)
from memory_core.backends.chroma_owner import Ownership
from memory_core.backends.embedder import Vectors
from memory_core.backends.vector_index import VectorHit, VectorRow
from memory_core.records import Kind

MOST_HITS = 10_000


class ChromaStore:
    """One Chroma collection a kind, filled by change number. The caller owns the directory.

    What Chroma raises is not caught: an index that had an error is not worth a proof.

    Raises (all methods):
        SpoiledIndex: somebody else has been at the files, or they are far too large.
    """

    def __init__(self, directory: Path, model: str, dimension: int, ownership: Ownership) -> None:
        self._directory = directory
        self._dimension = dimension
        self._ownership = ownership
        self._made_with = {
            "model": model,
            "dimension": dimension,
            "chromadb": version("chromadb"),
        }
        self.position, self.tail = take_proof(directory, self._made_with)
        if not self.position:
            empty(directory)
        self._open()

    def upsert(self, rows: Sequence[VectorRow]) -> None:
        """Take rows in; of several with the same identity the last one counts."""
        self._check()
        latest = {(row.kind, row.item_key, row.piece): row for row in rows}
        for kind, collection in self._collections.items():
            mine = [row for row in latest.values() if row.kind is kind]
            _remove(collection, [row for row in mine if row.vector is None])
            _put(collection, [row for row in mine if row.vector is not None])
        last = max(rows, key=lambda row: row.change)
        if last.change > self.position:
            self.position, self.tail = last.change, last.name
        self._look_at_files()

    def search(self, kind: Kind, query: Vectors, limit: int) -> list[VectorHit]:
        """The nearest pieces, best first. Chroma returns fewer when it has fewer."""
        self._ownership.check()
        return self._search(kind, query, limit)

    def discard(self) -> None:
        """Begin anew, empty."""
        self._check()
        # Chroma would leave the files of a deleted collection where they are.
        self._client.close()
        empty(self._directory)
        self.position, self.tail = 0, ""
        self._open()

    def close(self) -> None:
        """Close Chroma, wait until all is on disk, and prove it."""
        self._check()
        self._client.close()
        self._look_at_files()
        proof = make_proof(self._directory, self._made_with, self.position, self.tail)
        self._check()
        write_proof(self._directory, proof)

    def _open(self) -> None:
        self._client = _open_chroma(self._directory / DATA)
        self._collections = {kind: _open_collection(self._client, kind) for kind in Kind}
        for kind in Kind:  # Chroma loads its files at the first query; nobody waits for this one
            self._search(kind, np.zeros(self._dimension, np.float32), 1)
        self._look_at_files()

    def _search(self, kind: Kind, query: Vectors, limit: int) -> list[VectorHit]:
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

    def _check(self) -> None:
        """Make sure that the files are ours alone, and as we left them."""
        self._ownership.check()
        if stamps(self._directory) != self._stamps:
            raise SpoiledIndex("Files of the vector index were changed by another program.")

    def _look_at_files(self) -> None:
        """Remember how we leave them. Chroma has been seen to let one grow to 874 GB."""
        self._stamps = stamps(self._directory)
        size = sum(size for size, _, _ in self._stamps.values())
        if size > most_bytes(self.position, self._dimension):
            raise SpoiledIndex(f"The files of the vector index have grown to {size} bytes.")


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
