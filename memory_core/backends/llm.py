"""The contract of a language model: a question with the type of its answer."""

from dataclasses import dataclass
from typing import Generic, Protocol, TypeVar

from pydantic import BaseModel

ReplyT = TypeVar("ReplyT", bound=BaseModel)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question(Generic[ReplyT]):
    """What a model is asked.

    kind: "topics", "facts", ... for counts and logs; pages: how many pages the one list of the
    reply is asked for, an entry each (`by_page`); 0: the list as it is.
    """

    kind: str
    system: str
    text: str
    reply: type[ReplyT]
    max_tokens: int = 2000
    pages: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Spent:
    """What one answer of an endpoint cost, as it says; kind: of the question, "write" for prose."""

    kind: str
    prompt_tokens: int
    completion_tokens: int


class LanguageModel(Protocol):
    """A chat model behind some endpoint. It bounds its own parallel calls."""

    @property
    def name(self) -> str:
        """The model's name, kept with whatever it made."""
        ...

    @property
    def state(self) -> str:
        """How the last question went: "not asked yet", "answered", or "failed: ..."."""
        ...

    async def ask(self, question: Question[ReplyT]) -> ReplyT:
        """Ask for a structured answer, once more if the first is not of the asked form.

        Raises:
            ModelUnavailable: the endpoint cannot be reached now, or asks to wait.
            ModelRefused: the endpoint refuses the request itself.
            ModelReplyInvalid: neither answer was of the asked form.
        """
        ...

    async def write(self, system: str, text: str, *, max_tokens: int = 1000) -> str:
        """Ask for prose; think-blocks are stripped, and the answer is never empty.

        Raises:
            ModelUnavailable, ModelRefused, ModelReplyInvalid: as in `ask`.
        """
        ...

    async def close(self) -> None:
        """Let connections go."""
        ...
