"""Stand-ins that work, for tests of this package and of what is built on it."""

import zlib
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import numpy as np
from pydantic import BaseModel

from memory_core.backends.embedder import Vectors
from memory_core.backends.llm import Question, ReplyT
from memory_core.errors import EmbedderError, ModelError, RerankerError
from memory_core.text import index_terms, query_terms

Scripted = BaseModel | str | ModelError
"""What a scripted model gives: the answer to `ask`, the answer to `write`, or a failure."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What a scripted model was asked to write."""

    system: str
    text: str


class ScriptedModel:
    """A language model that answers by a script. Implements `LanguageModel`.

    Args:
        answer: gives the answer to a question for which nothing is queued.
        name: what it is called.

    Attributes:
        history: every question asked, in order; `written`: the same of `write`.
    """

    def __init__(
        self,
        *,
        answer: Callable[[Question[Any]], BaseModel | ModelError] | None = None,
        name: str = "scripted",
    ) -> None:
        self._name = name
        self._answer = answer
        self._queue: list[tuple[str | None, Scripted]] = []
        self.history: list[Question[Any]] = []
        self.written: list[Written] = []
        self.closed = False
        self._state = "not asked yet"

    @property
    def name(self) -> str:
        return self._name

    @property
    def state(self) -> str:
        return self._state

    def enqueue(self, *replies: Scripted, kind: str | None = None) -> None:
        """Add to the script. A reply serves the first question of its type; a failure the next one
        at all, or the next of `kind` ("facts", ...; "write" for prose).
        """
        self._queue.extend((kind, reply) for reply in replies)

    async def ask(self, question: Question[ReplyT]) -> ReplyT:
        """See `LanguageModel.ask`.

        Raises:
            LookupError: the script holds no answer to this question.
        """
        self.history.append(question)
        scripted = self._next(question.kind, question.reply)
        if scripted is None and self._answer:
            scripted = self._answer(question)
        self._note(scripted)
        if isinstance(scripted, ModelError):
            raise scripted
        if not isinstance(scripted, question.reply):
            raise LookupError(f'The script holds no answer to a question about "{question.kind}".')
        return scripted

    async def write(self, system: str, text: str, *, max_tokens: int = 1000) -> str:
        """See `LanguageModel.write`.

        Raises:
            LookupError: the script holds no text.
        """
        self.written.append(Written(system=system, text=text))
        scripted = self._next("write", str)
        self._note(scripted)
        if isinstance(scripted, ModelError):
            raise scripted
        if not isinstance(scripted, str):
            raise LookupError("The script holds no text to write.")
        return scripted

    async def close(self) -> None:
        """See `LanguageModel.close`."""
        self.closed = True

    def _note(self, scripted: Scripted | None) -> None:
        failed = isinstance(scripted, ModelError)
        self._state = f"failed: {scripted}" if failed else "answered"

    def _next(self, kind: str, wanted: type[BaseModel] | type[str]) -> Scripted | None:
        for index, (of, scripted) in enumerate(self._queue):
            if of in (None, kind) and isinstance(scripted, (wanted, ModelError)):
                return self._queue.pop(index)[1]
        return None


class WordsEmbedder:
    """An embedder that needs no model: texts that share words lie near each other.

    Implements `Embedder`. Deterministic, in any language; it knows no synonyms.

    Args:
        name: its fingerprint.
        failure: what loading raises, to play a model that cannot be had.
    """

    window = 240
    similarity_threshold: float | None = 0.3

    def __init__(
        self, *, dimension: int = 64, name: str = "words", failure: EmbedderError | None = None
    ) -> None:
        self.name = f"{name}/{dimension}"
        self.dimension = dimension
        self.failure = failure
        self.embedded = 0

    async def load(self) -> None:
        """See `Embedder.load`."""
        if self.failure:
            raise self.failure

    async def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed_documents`."""
        self.embedded += len(texts)
        if not texts:
            return np.empty((0, self.dimension), dtype=np.float32)
        return np.stack([self._vector(text) for text in texts])

    async def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        return self._vector(text)

    async def close(self) -> None:
        """See `Embedder.close`."""

    def _vector(self, text: str) -> Vectors:
        vector = np.full(self.dimension, 1e-6, dtype=np.float32)
        for term in query_terms(text, limit=1_000):
            vector[zlib.crc32(term.encode()) % self.dimension] += 1.0
        return np.asarray(vector / np.linalg.norm(vector), dtype=np.float32)


class WordsReranker:
    """A reranker that needs no model: the share of the question's terms that a text has.

    Implements `Reranker`. Deterministic, in any language; it knows no synonyms.

    Args:
        failure: what asking raises, to play a model that cannot be had; None again mends it.

    Attributes:
        asked: the texts of each question so far.
    """

    def __init__(self, *, name: str = "words", failure: RerankerError | None = None) -> None:
        self.name = name
        self.failure = failure
        self.asked: list[list[str]] = []
        self.closed = False

    async def load(self) -> None:
        """See `Reranker.load`."""
        if self.failure:
            raise self.failure

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """See `Reranker.scores`."""
        self.asked.append([*texts])
        await self.load()
        terms = query_terms(query)
        shared = (len(set(terms).intersection(index_terms(text))) for text in texts)
        return [count / max(1, len(terms)) for count in shared]

    async def close(self) -> None:
        """See `Reranker.close`."""
        self.closed = True


class Clock:
    """A time that stands still until it is moved. Call it to read it."""

    def __init__(self, now: datetime) -> None:
        self.now = now

    def __call__(self) -> datetime:
        return self.now

    def advance(self, by: timedelta) -> None:
        """Let time pass; a negative span sets the clock back."""
        self.now += by
