"""A language model behind any OpenAI-compatible endpoint, by Chat Completions.

Endpoints differ in what they take: what one refuses is learnt from its refusal, once, and kept in
the object (`Dialect`). The SDK repeats what is worth repeating at once (408, 409, 429, 5xx,
connections; Retry-After up to two minutes); what still fails is named here.
"""

import logging
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeVar

import anyio
import anyio.to_thread

from memory_core.backends.dialect import Dialect, Request, adapted, chat_request, complaint_of
from memory_core.backends.llm import Question, ReplyT
from memory_core.backends.openai_errors import check_endpoint, refusal
from memory_core.backends.replies import (
    Completion,
    parse_reply,
    read_completion,
    read_prose,
    strict_schema,
)
from memory_core.errors import ModelReplyInvalid, ModelUnavailable

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

    Attributes:
        calls_by_kind: calls made, a second question included, repetitions by the SDK not.
        prompt_tokens, completion_tokens: sums of what the endpoint reported.
        peak_parallel: the most calls that were under way at once.
    """

    def __init__(
        self,
        model: str,
        base_url: str = "",
        api_key: str = "",
        timeout: float = 60.0,
        max_parallel: int = 4,
    ) -> None:
        self._model = model
        self._base_url = base_url.strip() or OPENAI_URL
        self._api_key = api_key.strip() or NO_KEY
        self._timeout = timeout
        self._client: AsyncOpenAI | None = None
        self._opening = anyio.Lock()
        self._limiter = anyio.CapacityLimiter(max_parallel)
        self._dialect = Dialect()
        self.calls_by_kind: Counter[str] = Counter()
        self.prompt_tokens = 0
        self.completion_tokens = 0
        self.peak_parallel = 0

    @property
    def name(self) -> str:
        return self._model

    @property
    def calls(self) -> int:
        return self.calls_by_kind.total()

    async def ask(self, question: Question[ReplyT]) -> ReplyT:
        """See `LanguageModel.ask`."""
        request = Request(
            kind=question.kind,
            system=question.system,
            text=question.text,
            max_tokens=question.max_tokens,
            schema=strict_schema(question.reply),
        )
        return await self._usable(request, lambda text: parse_reply(text, question.reply))

    async def write(self, system: str, text: str, *, max_tokens: int = 1000) -> str:
        """See `LanguageModel.write`."""
        request = Request(kind="write", system=system, text=text, max_tokens=max_tokens)
        return await self._usable(request, read_prose)

    async def close(self) -> None:
        """Let connections go. A later call opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

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
        """One call, in the dialect that the endpoint turns out to speak."""
        client = await self._opened()
        async with self._limiter:
            running = int(self._limiter.statistics().borrowed_tokens)
            self.peak_parallel = max(self.peak_parallel, running)
            while True:
                dialect = self._dialect
                body = chat_request(self._model, request, dialect)
                self.calls_by_kind[request.kind] += 1
                answer = await self._post(client, body)
                if isinstance(answer, Completion):
                    self.prompt_tokens += answer.prompt_tokens
                    self.completion_tokens += answer.completion_tokens
                    return answer
                # Calls run side by side: another one may have learnt it meanwhile.
                if self._dialect == dialect:
                    self._dialect = self._better(dialect, body, answer)

    async def _post(
        self, client: "AsyncOpenAI", body: dict[str, Any]
    ) -> "Completion | APIStatusError":
        """The answer, or the refusal that there may be something to learn from."""
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
        return read_completion(response.text)

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
