"""Stand-ins that work, for tests of this package and of what is built on it."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from memory_core.backends.llm import Question, ReplyT
from memory_core.errors import ModelError

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

    @property
    def name(self) -> str:
        return self._name

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
        if isinstance(scripted, ModelError):
            raise scripted
        if not isinstance(scripted, str):
            raise LookupError("The script holds no text to write.")
        return scripted

    async def close(self) -> None:
        """See `LanguageModel.close`."""
        self.closed = True

    def _next(self, kind: str, wanted: type[BaseModel] | type[str]) -> Scripted | None:
        for index, (of, scripted) in enumerate(self._queue):
            if of in (None, kind) and isinstance(scripted, (wanted, ModelError)):
                return self._queue.pop(index)[1]
        return None
