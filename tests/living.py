"""What a subject does: a memory that obeys orders, one JSON object a line (see subject.py)."""

import json
import os
from collections.abc import Awaitable, Callable, Mapping
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import anyio
from pydantic import BaseModel

from memory_core import MemoryCore, PageHit, Settings, open_memory
from memory_core.backends.chroma_index import ChromaIndex
from memory_core.backends.embed_bundled import BundledEmbedder
from memory_core.backends.embedder import Embedder
from memory_core.backends.llm import Question
from memory_core.backends.memory_index import MemoryIndex
from memory_core.testing import Clock, ScriptedModel, WordsEmbedder
from memory_core.wiring import utc_now
from tests.mortal import Fuse, read_line
from tests.stub_answers import plausible

Reply = dict[str, Any]
Index = ChromaIndex | MemoryIndex


@dataclass(frozen=True, slots=True)
class Living:
    """An open memory, and what the tester wants to see of it. clock None: it goes by itself."""

    memory: MemoryCore
    clock: Clock | None
    index: Index


class PlausibleModel(ScriptedModel):
    """Answers with something about each page of the question, and lets others run meanwhile."""

    def __init__(self) -> None:
        super().__init__(answer=_plausible_answer)

    async def ask(self, question: Question[Any]) -> Any:
        await anyio.sleep(0.001)
        return await super().ask(question)


def _plausible_answer(question: Question[Any]) -> BaseModel:
    reply: BaseModel = question.reply.model_validate(plausible(question.kind, question.text))
    return reply


async def live(commands: int, replies: int) -> None:
    """Start as the first line says, then obey until "stop", or until this is killed."""
    fuse = Fuse()
    begin = json.loads(read_line(commands))
    clock = Clock(datetime.fromisoformat(begin["now"])) if begin["now"] else None
    index = _index(begin)
    async with _opened(begin, clock, index) as memory:
        living = Living(memory, clock, index)
        _write(replies, {"pid": os.getpid()})
        # The background works on meanwhile.
        while line := await anyio.to_thread.run_sync(read_line, commands):
            order = json.loads(line)
            fuse.light(order.pop("fatal", 0))
            name = order.pop("do")
            if name == "stop":
                break
            try:
                _write(replies, await DOINGS[name](living, **order))
            except Exception as error:  # noqa: BLE001 - the tester is told, whatever it is
                _write(replies, {"failed": repr(error)})
    _write(replies, {})


def _index(begin: Reply) -> Index:
    if begin["index"] == "memory":
        return MemoryIndex()
    return ChromaIndex(Path(begin["settings"]["data_storage_path"]) / "chroma")


def embedder_called(name: str) -> Embedder:
    """The bundled one, or a stand-in of the name and dimension "NAME/DIMENSION"."""
    if name == "bundled":
        return BundledEmbedder()
    word, _, dimension = name.partition("/")
    return WordsEmbedder(name=word, dimension=int(dimension))


def _opened(
    begin: Reply, clock: Clock | None, index: Index
) -> AbstractAsyncContextManager[MemoryCore]:
    return open_memory(
        Settings.load(begin["settings"], environ={}),
        clock=clock or utc_now,
        model=PlausibleModel() if begin["model"] else None,
        embedder=embedder_called(begin["embedder"]),
        index=index,
    )


def _write(replies: int, reply: Reply) -> None:
    os.write(replies, json.dumps(reply).encode() + b"\n")


async def _add(living: Living, at: str, user: str, **turn: Any) -> Reply:
    added = await living.memory.add_memory(at=datetime.fromisoformat(at), user_id=user, **turn)
    return {"id": added.id, "window": added.short_term_count, "pending": added.pending}


async def _retrieve(living: Living, query: str, user: str, most: int) -> Reply:
    found = await living.memory.retrieve_memory(
        query, max_results=most, max_tokens=100_000, user_id=user
    )
    return {
        "window": [_hit(hit) for hit in found.short_term],
        "pages": [_hit(hit) for hit in found.pages],
        "pending": found.pending,
        "notes": found.notes,
    }


def _hit(hit: PageHit) -> Reply:
    return {
        "id": hit.page.id,
        "agent_response": hit.page.agent_response,
        "user_input": hit.page.user_input,
        "score": hit.score,
        "why": dict(hit.why),
    }


async def _profile(living: Living, user: str) -> Reply:
    view = await living.memory.get_user_profile(user_id=user)
    return {
        "user_facts": len(view.user_facts),
        "assistant_facts": len(view.assistant_facts),
        "pending": view.pending,
        "notes": view.notes,
    }


async def _consolidate(living: Living) -> Reply:
    await living.memory.consolidate()
    return {}


async def _advance(living: Living, seconds: float) -> Reply:
    assert living.clock
    living.clock.advance(timedelta(seconds=seconds))
    return {}


async def _look(living: Living) -> Reply:
    """The state of the index in this process, and the process that holds it."""
    index = living.index
    return {"state": index.state, "position": index.position, "child": getattr(index, "pid", None)}


DOINGS: Mapping[str, Callable[..., Awaitable[Reply]]] = {
    "add": _add,
    "retrieve": _retrieve,
    "profile": _profile,
    "consolidate": _consolidate,
    "advance": _advance,
    "look": _look,
}
