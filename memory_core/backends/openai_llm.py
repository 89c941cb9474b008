"""A language model behind any OpenAI-compatible endpoint, by Chat Completions.

Endpoints differ in what they take: what one refuses is learnt from its refusal, once, and kept in
the object (`Dialect`). The SDK repeats what is worth repeating at once (408, 409, 429, 5xx,
connections; Retry-After up to two minutes); what still fails is named here.
"""

import logging
from collections.abc import Awaitable, Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.to_thread

from memory_core.backends.dialect import Dialect, Request, adapted, chat_request, complaint_of
from memory_core.backends.llm import Question, ReplyT, Spent
from memory_core.backends.openai_errors import check_endpoint, refusal
from memory_core.backends.replies import (
    Completion,
    parse_reply,
    read_completion,
    read_prose,
    read_usage,
    strict_schema,
)
from memory_core.errors import ModelError, ModelReplyInvalid, ModelUnavailable

if TYPE_CHECKING:
    from openai import APIStatusError, AsyncOpenAI

T = TypeVar("T")

OPENAI_URL = "https://api.openai.com/v1"
NO_KEY = "unused"
SDK_RETRIES = 2

_log = logging.getLogger(__name__)


class OpenAIModel:
    """Implements `LanguageModel`. Owns one HTTP client, opened at the first call.

    Args:
        model: the model's name at the endpoint.
        base_url: the endpoint, up to and with "/v1"; empty: that of OpenAI.
        api_key: empty where the endpoint needs none.
        timeout: seconds of one try; a call with its repetitions may take twice that.
        max_parallel: calls at the same time; more wait for their turn.
        report: told of each answer, also of one that is of no use: it cost as much.
    """

    def __init__(
        self,
        model: str,
        base_url: str = "",
        api_key: str = "",
        timeout: float = 60.0,
        max_parallel: int = 4,
        *,
        report: Callable[[Spent], Awaitable[None]] | None = None,
    ) -> None:
        self._model = model
        self._base_url = base_url.strip() or OPENAI_URL
        self._api_key = api_key.strip() or NO_KEY
        self._timeout = timeout
        self._client: AsyncOpenAI | None = None
        self._opening = anyio.Lock()
        self._limiter = anyio.CapacityLimiter(max_parallel)
        self._dialect = Dialect()
        self._report = report
        self._state = "not asked yet"

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
            schema=strict_schema(question.reply),
        )
        return await self._answered(request, lambda text: parse_reply(text, question.reply))

    async def write(self, system: str, text: str, *, max_tokens: int = 1000) -> str:
        """See `LanguageModel.write`."""
        request = Request(kind="write", system=system, text=text, max_tokens=max_tokens)
        return await self._answered(request, read_prose)

    async def close(self) -> None:
        """Let connections go. A later call opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _answered(self, request: Request, read: Callable[[str], T]) -> T:
        try:
            answer = await self._usable(request, read)
        except ModelError as error:
            self._state = f"failed: {error}"
            raise
        self._state = "answered"
        return answer

    async def _usable(self, request: Request, read: Callable[[str], T]) -> T:
        """Ask, and once more with what was wrong with the first answer."""
        first: Completion | None = None
        try:
            first = await self._send(request)
            return _read_whole(first, read)
        except ModelReplyInvalid as error:
            _log.info("asking once more: an answer (%s) was not usable", request.kind)
            again = _once_more(request, error, first)
        try:
            reply = _read_whole(await self._send(again), read)
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
        client = await self._opened()
        async with self._limiter:
            answer = await self._converse(client, request)
        await self._account(request.kind, answer)
        return read_completion(answer)

    async def _account(self, kind: str, answer: str) -> None:
        if self._report is None:
            return
        prompt, completion = read_usage(answer)
        try:
            await self._report(Spent(kind=kind, prompt_tokens=prompt, completion_tokens=completion))
        except Exception:  # noqa: BLE001 - whatever it is, it is logged
            # The answer is there and paid for; a sum that is short of it does less harm.
            _log.exception("an answer is missing from the usage")

    async def _converse(self, client: "AsyncOpenAI", request: Request) -> str:
        """The body of an answer, in the dialect that the endpoint turns out to speak."""
        while True:
            dialect = self._dialect
            body = chat_request(self._model, request, dialect)
            answer = await self._post(client, body)
            if isinstance(answer, str):
                return answer
            # Calls run side by side: another one may have learnt it meanwhile.
            if self._dialect == dialect:
                self._dialect = self._better(dialect, body, answer)

    async def _post(self, client: "AsyncOpenAI", body: dict[str, Any]) -> "str | APIStatusError":
        """The body of the answer, or the refusal that there may be something to learn from."""
        import httpx2
        import openai

        try:
            with anyio.fail_after(2 * self._timeout):
                response = await client.post(
                    "/chat/completions", cast_to=httpx2.Response, body=body
                )
        except (openai.BadRequestError, openai.UnprocessableEntityError) as error:
            return error
        except (TimeoutError, openai.APITimeoutError) as error:
            raise ModelUnavailable(self._too_late()) from error
        except openai.APIStatusError as error:
            raise refusal(error, self._model) from error
        except openai.OpenAIError as error:
            raise ModelUnavailable(
                f'The endpoint of "{self._model}" cannot be reached. Check that it runs, and the '
                "base URL."
            ) from error
        text: str = response.text
        return text

    def _better(self, dialect: Dialect, body: dict[str, Any], error: "APIStatusError") -> Dialect:
        better = adapted(dialect, body, complaint_of(error.body))
        if better is None:
            raise refusal(error, self._model) from error
        _log.info("the endpoint refused a parameter; from now on: %s", better)
        return better

    def _too_late(self) -> str:
        return (
            f'The model "{self._model}" did not answer within {self._timeout:g} seconds. If it is '
            "only slow, raise llm_timeout_seconds."
        )

    async def _opened(self) -> "AsyncOpenAI":
        async with self._opening:
            if self._client is None:
                check_endpoint(self._base_url, self._api_key)
                # The import alone takes seconds.
                self._client = await anyio.to_thread.run_sync(self._open)
        return self._client

    def _open(self) -> "AsyncOpenAI":
        from openai import AsyncOpenAI

        return AsyncOpenAI(
            api_key=self._api_key,
            base_url=self._base_url,
            timeout=self._timeout,
            max_retries=SDK_RETRIES,
        )


def _read_whole(completion: Completion, read: Callable[[str], T]) -> T:
    if completion.truncated:
        raise ModelReplyInvalid("The answer was cut off for its length.")
    return read(completion.text)


def _once_more(request: Request, error: ModelReplyInvalid, first: Completion | None) -> Request:
    text = f"{request.text}\n\nYour last answer could not be used. {error} Answer again"
    if first is not None and first.truncated:
        # Some models spend the room on thoughts, so it takes both: more of it, and less to say.
        more = replace(request, max_tokens=2 * request.max_tokens)
        return replace(more, text=f"{text}, much shorter.", show_schema=True)
    return replace(request, text=f"{text}, in the asked form only.", show_schema=True)
