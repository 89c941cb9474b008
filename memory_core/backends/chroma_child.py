"""The process that owns Chroma: `python -P -m memory_core.backends.chroma_child DIRECTORY`.

It answers frames on its standard input with frames on its standard output, one at a time, and
leaves cleanly when the input ends, whatever became of its parent. An operating-system lock beside
the directory makes it the only one: the kernel gives the lock back when the process dies.
An error in Chroma ends the process without a proof, so that the next owner starts anew.
"""

import faulthandler
import os
import signal
import sys
from pathlib import Path
from typing import Any

import numpy as np
from filelock import Timeout

from memory_core.backends.chroma_files import SpoiledIndex
from memory_core.backends.chroma_owner import Ownership
from memory_core.backends.chroma_store import ChromaStore
from memory_core.backends.frames import NOT_OWNED, Frame, read_frame, write_frame
from memory_core.backends.vector_index import VectorRow
from memory_core.records import Kind

_MOST_LOG_BYTES = 1 << 20


def main(directory: Path) -> None:
    """Serve one parent until it says close, or is gone."""
    source, sink = _take_pipes()
    _outlive_signals(source)
    try:
        request = read_frame(source)
        ownership = Ownership.take(directory, request.header["parent"])
    except EOFError:
        return
    except Timeout:
        _reply(sink, {"error": NOT_OWNED})
        return
    faulthandler.enable()
    _bound_log(0)
    try:
        store = ChromaStore(
            directory, request.header["model"], request.header["dimension"], ownership
        )
        if _reply(sink, _place(store)):
            _serve(store, source, sink)
        store.close()
    except SpoiledIndex as error:
        _reply(sink, {"error": str(error)})
        os._exit(1)  # Chroma is open, and must not write any more
    ownership.release()
    _reply(sink, _place(store))
    # All is on disk. Unloading the libraries would take longer, and could only go wrong.
    os._exit(0)


def _take_pipes() -> tuple[int, int]:
    """Keep the pipes to ourselves: a library that prints or reads must not meet the protocol."""
    source, sink = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDONLY)
    os.dup2(nothing, 0)
    os.close(nothing)
    os.dup2(2, 1)
    return source, sink


def _outlive_signals(source: int) -> None:
    """Interrupts are meant for the parent; a request to terminate ends the input instead."""

    def end_input(*_: object) -> None:
        nothing = os.open(os.devnull, os.O_RDONLY)
        os.dup2(nothing, source)
        os.close(nothing)

    signal.signal(signal.SIGINT, signal.SIG_IGN)
    signal.signal(signal.SIGTERM, end_input)


def _serve(store: ChromaStore, source: int, sink: int) -> None:
    while True:
        try:
            request = read_frame(source)
        except EOFError:
            return
        if request.header["do"] == "close" or not _reply(sink, _answer(store, request)):
            return


def _answer(store: ChromaStore, request: Frame) -> dict[str, Any]:
    header = request.header
    vectors = np.frombuffer(request.body, np.float32)
    if header["do"] == "search":
        hits = store.search(Kind(header["kind"]), vectors, header["limit"])
        found = [(hit.item_key, hit.scope_key, hit.cosine) for hit in hits]
        return _place(store) | {"hits": found}
    if header["do"] == "discard":
        store.discard()
    else:
        store.upsert(_rows(header["rows"], vectors))
    _bound_log(_MOST_LOG_BYTES)
    return _place(store)


def _place(store: ChromaStore) -> dict[str, Any]:
    return {"position": store.position, "tail": store.tail}


def _rows(rows: list[tuple[int, int, str, int, str, int, bool]], vectors: Any) -> list[VectorRow]:
    """The rows of an upsert; the vectors of those that have one follow each other in the body."""
    kept = sum(has_vector for *_, has_vector in rows)
    each = iter(vectors.reshape(kept, -1) if kept else ())
    return [
        VectorRow(
            change=change,
            item_key=item,
            name=name,
            piece=piece,
            kind=Kind(kind),
            scope_key=scope,
            vector=next(each) if has_vector else None,
        )
        for change, item, name, piece, kind, scope, has_vector in rows
    ]


def _reply(sink: int, header: dict[str, Any]) -> bool:
    """Whether the parent is still there to be told."""
    try:
        write_frame(sink, Frame(header))
    except OSError:
        return False
    return True


def _bound_log(most: int) -> None:
    """Forget the log when it is longer than that; it may be no file at all."""
    try:
        if os.fstat(2).st_size > most:
            os.ftruncate(2, 0)
    except OSError:
        return


if __name__ == "__main__":
    main(Path(sys.argv[1]))
