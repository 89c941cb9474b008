"""A language model behind any OpenAI-compatible endpoint, by Chat Completions.

Endpoints differ in what they take: what one refuses is learnt from its refusal, once, and kept in
the object (`Dialect`).
"""

import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, TypeVar

from memory_core.backends.dialect import (
    Dialect,
    Request,
    adapted,
    chat_request,
    without_thoughts,
)
from memory_core.backends.endpoint import Crowded, Endpoint
from memory_core.backends.llm import Question, ReplyT, Spent
from memory_core.backends.openai_errors import TEACHING, Refusal, error_for, overflow
from memory_core.backends.replies import (
    Completion,
    parse_reply,
    read_completion,
    read_prose,
    read_usage,
    salvaged,
    strict_schema,
)
from memory_core.backends.slots import Turn
from memory_core.backends.windows import was_cut
from memory_core.errors import ModelError, ModelReplyInvalid
from memory_core.tokens import estimate_tokens

T = TypeVar("T")
Report = Callable[[Spent], Awaitable[None]]
Allow = Callable[[], Awaitable[None]]

_log = logging.getLogger(__name__)


class OpenAIModel:
    """Implements `LanguageModel`. Owns its `Endpoint`, or shares one.

    Args:
        model: the model's name at the endpoint.
        base_url: the endpoint, up to and with "/v1"; empty: that of OpenAI.
        api_key: empty where the endpoint needs none.
        timeout: seconds of one try.
        max_parallel: calls at the same time, at most; more wait for their turn.
        report: told of each answer, also of one that is of no use: it cost as much.
        allow: asked before each call; what it raises is raised instead of asking the model.
        endpoint: use this one, whatever the four arguments before say.
    """

    def __init__(
        self,
        model: str,
        base_url: str = "",
        api_key: str = "",
        timeout: float = 60.0,
        max_parallel: int = 6,
        *,
        report: Report | None = None,
        allow: Allow | None = None,
        endpoint: Endpoint | None = None,
    ) -> None:
        self._model = model
        self._endpoint = endpoint or Endpoint(base_url, api_key, timeout, max_parallel)
        self._dialect = Dialect()
        self._report = report
        self._allow = allow
        self._state = "not asked yet"
        self._usual_ratio: float | None = None

    @property
    def bound(self) -> int:
        """Calls that the endpoint seems to bear side by side."""
        return self._endpoint.bound

    @property
    def dialect(self) -> Dialect:
        """What was learnt of the endpoint so far."""
        return self._dialect

    @property
    def name(self) -> str:
        return self._model

    @property
    def state(self) -> str:
        return self._state

    async def ask(self, question: Question[ReplyT]) -> ReplyT:
        """See `LanguageModel.ask`."""
        request = Request(
            kind=question.kind,
            system=question.system,
            text=question.text,
            max_tokens=question.max_tokens,
            schema=strict_schema(question.reply, question.pages),
        )
        return await self._answered(request, lambda answer: _read_reply(answer, question.reply))

    async def write(self, system: str, text: str, *, max_tokens: int = 1000) -> str:
        """See `LanguageModel.write`."""
        request = Request(kind="write", system=system, text=text, max_tokens=max_tokens)
        return await self._answered(request, lambda answer: read_prose(_whole(answer)))

    async def close(self) -> None:
        """Let connections go. A later call opens new ones."""
        await self._endpoint.close()

    async def _answered(self, request: Request, read: Callable[[Completion], T]) -> T:
        try:
            answer = await self._usable(request, read)
        except ModelError as error:
            self._state = f"failed: {error}"
            raise
        self._state = "answered"
        return answer

    async def _usable(self, request: Request, read: Callable[[Completion], T]) -> T:
        """Ask, and once more with what was wrong with the first answer."""
        first: Completion | None = None
        try:
            first = await self._send(request)
            return read(first)
        except ModelReplyInvalid as error:
            _log.info("asking once more: an answer (%s) was not usable", request.kind)
            again = _once_more(request, error, first)
        try:
            reply = read(replace(await self._send(again), last=True))
        except ModelReplyInvalid as error:
            raise ModelReplyInvalid(
                f'The model "{self._model}" gave no usable answer ({request.kind}), asked twice. '
                f"{error} If this stays so, choose a more capable model."
            ) from error
        # Where a schema binds the model, a whole answer has its form: here it does not bind.
        if first is not None and first.text and not first.truncated:
            self._dialect = replace(self._dialect, show_schema=True)
        return reply

    async def _send(self, request: Request) -> Completion:
        """One answer, paid for whether it can be read or not."""
        while True:
            async with self._endpoint.turn() as turn:
                if self._allow is not None:
                    await self._allow()
                try:
                    body, answer = await self._converse(request, turn)
                except Crowded:
                    _log.info("too many calls for the endpoint; now %d", self._endpoint.bound)
                    continue
                return await self._received(request, body, answer)

    async def _received(self, request: Request, body: dict[str, Any], answer: str) -> Completion:
        prompt, completion = read_usage(answer)
        try:
            read = read_completion(answer)
        except ModelReplyInvalid:
            await self._account(request.kind, prompt, completion)
            raise
        sent = estimate_tokens("".join(message["content"] for message in body["messages"]))
        # Who counts nothing is counted for: a daily budget must hold there too.
        said = completion if prompt or completion else estimate_tokens(read.text)
        await self._account(request.kind, prompt or sent, said)
        if was_cut(sent, prompt, self._usual_ratio):
            raise overflow(self._model)
        self._usual_ratio = sent / prompt if prompt else None
        if read.thought and request.schema is not None:
            self._dialect = without_thoughts(self._dialect)
        return read

    async def _account(self, kind: str, prompt: int, completion: int) -> None:
        if self._report is None:
            return
        try:
            await self._report(Spent(kind=kind, prompt_tokens=prompt, completion_tokens=completion))
        except Exception:  # noqa: BLE001 - whatever it is, it is logged
            # The answer is there and paid for; a sum that is short of it does less harm.
            _log.exception("an answer is missing from the usage")

    async def _converse(self, request: Request, turn: Turn) -> tuple[dict[str, Any], str]:
        """What was sent and its answer, in the dialect that the endpoint turns out to speak."""
        while True:
            dialect = self._dialect
            body = chat_request(self._model, request, dialect)
            answer = await self._endpoint.post(body, turn)
            if isinstance(answer, str):
                return body, answer
            # Calls run side by side: another one may have learnt it meanwhile.
            if self._dialect == dialect:
                self._dialect = learnt(dialect, body, answer, self._model)
                _log.info("the endpoint refused a parameter; from now on: %s", self._dialect)


def learnt(dialect: Dialect, body: Mapping[str, Any], refused: Refusal, model: str) -> Dialect:
    """The dialect without what was refused.

    Raises:
        ModelError: the refusal is about something else, and says what.
    """
    better = None
    if refused.status in TEACHING:
        better = adapted(dialect, body, refused.complaint)
    if better is None:
        raise error_for(refused, model)
    return better


def _whole(completion: Completion) -> str:
    if completion.truncated:
        raise ModelReplyInvalid("The answer was cut off for its length.")
    return completion.text


def _read_reply(completion: Completion, reply: type[ReplyT]) -> ReplyT:
    """The reply; of one that is cut off or faulty what is whole, where asking again is no use."""
    if completion.truncated:
        rest = salvaged(completion.text, reply, loops_only=not completion.last)
        if rest is not None:
            return rest
    return parse_reply(_whole(completion), reply, partly=completion.last)


def _once_more(request: Request, error: ModelReplyInvalid, first: Completion | None) -> Request:
    text = f"{request.text}\n\nYour last answer could not be used. {error} Answer again"
    if first is not None and first.truncated:
        # Some models spend the room on thoughts, so it takes both: more of it, and less to say.
        more = replace(request, max_tokens=2 * request.max_tokens)
        return replace(more, text=f"{text}, much shorter.", show_schema=True)
    return replace(request, text=f"{text}, in the asked form only.", show_schema=True)
