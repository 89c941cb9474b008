"""One OpenAI-compatible endpoint: its address, its key, and the calls that are under way.

What may pass (409, 429, 5xx, a broken connection) is tried again here, within the turn of the call,
so that a busy endpoint is not asked by the next in line meanwhile.
"""

import json
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from ipaddress import ip_address
from random import random
from typing import TYPE_CHECKING, Any
from urllib.parse import parse_qsl, urlsplit, urlunsplit

import anyio
import anyio.to_thread

from memory_core.backends.openai_errors import (
    Refusal,
    check_endpoint,
    refusal_of,
    refusal_within,
)
from memory_core.backends.slots import Slots, Turn
from memory_core.errors import ModelUnavailable

if TYPE_CHECKING:
    from httpx2 import Response
    from openai import AsyncOpenAI

OPENAI_URL = "https://api.openai.com/v1"
NO_KEY = "unused"
PAUSES = (0.5, 1.0)
"""Seconds before the second and the third try, where the endpoint asks for none."""
LONGEST_PAUSE = 60.0
CHAT = "/chat/completions"
AZURE_HOSTS = (".openai.azure.com", ".cognitiveservices.azure.com", ".azure-api.net")


class Late(ModelUnavailable):
    """There was no answer in time."""


class Crowded(Late):
    """There was none beside other calls: there may be one when fewer are under way."""


class Unreachable(ModelUnavailable):
    """There is no connection to the endpoint."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Address:
    """Where an endpoint is. query: of each request, as Azure's `api-version`."""

    url: str
    query: dict[str, str]
    host: str

    @property
    def is_local(self) -> bool:
        """Whether it is this machine, which no proxy is needed for."""
        if self.host == "localhost" or self.host.endswith(".localhost"):
            return True
        try:
            return ip_address(self.host).is_loopback
        except ValueError:
            return False

    @property
    def is_azure(self) -> bool:
        return self.host.endswith(AZURE_HOSTS)


def address_of(base_url: str) -> Address:
    """The address, also where the path of the call was pasted with it.

    Raises:
        ModelRefused: it is none.
    """
    base_url = base_url.strip() or OPENAI_URL
    check_endpoint(base_url, "")
    parts = urlsplit(base_url)
    path = parts.path.rstrip("/").removesuffix(CHAT)
    url = urlunsplit((parts.scheme, parts.netloc, path, "", ""))
    return Address(url=url, query=dict(parse_qsl(parts.query)), host=parts.hostname or "")


class Endpoint:
    """Owns one HTTP client, opened at the first call.

    Args:
        base_url: up to and with "/v1"; empty: that of OpenAI.
        api_key: empty where none is needed.
        timeout: seconds of one try.
        max_parallel: calls at the same time, at most; more wait for their turn.
    """

    def __init__(
        self, base_url: str = "", api_key: str = "", timeout: float = 60.0, max_parallel: int = 6
    ) -> None:
        self._base_url = base_url.strip() or OPENAI_URL
        self._api_key = api_key.strip() or NO_KEY
        self._timeout = timeout
        self._client: AsyncOpenAI | None = None
        self._opening = anyio.Lock()
        self._slots = Slots(max_parallel)

    @property
    def bound(self) -> int:
        """Calls that it seems to bear side by side."""
        return self._slots.bound

    @asynccontextmanager
    async def turn(self) -> AsyncIterator[Turn]:
        """Wait until one more call may be under way, and hold its place.

        Raises:
            ModelRefused: the address or the key is none.
        """
        await self._opened()
        async with self._slots.taken() as turn:
            yield turn

    async def post(self, body: dict[str, Any], turn: Turn) -> str | Refusal:
        """The body of the answer, or the refusal that stayed after three tries.

        Raises:
            Crowded: it took too long beside others; worth another turn.
            ModelUnavailable: it took too long, or there is no connection.
        """
        for pause in (*PAUSES, None):
            failed: Refusal | Unreachable
            try:
                answer = await self._try(body, turn)
            except Unreachable as error:
                failed, wait = error, None
            else:
                if isinstance(answer, str) or not answer.passing:
                    return answer
                failed, wait = answer, answer.wait
                if answer.status == 429:
                    self._slots.overloaded(turn)
            if pause is None or (wait or 0.0) > LONGEST_PAUSE:
                break
            await anyio.sleep(pause * (0.75 + random() / 2) if wait is None else wait)
        if isinstance(failed, Unreachable):
            raise failed
        return failed

    async def models(self) -> tuple[str, ...] | Refusal:
        """The names of the models that it lists; none where it answers with something else.

        Raises:
            ModelUnavailable: it took too long, or there is no connection.
        """
        import httpx2

        client = await self._opened()
        answer = await self._sent(partial(client.get, "/models", cast_to=httpx2.Response))
        return answer if isinstance(answer, Refusal) else _names(answer)

    async def close(self) -> None:
        """Let connections go. A later call opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _try(self, body: dict[str, Any], turn: Turn) -> str | Refusal:
        import httpx2

        client = await self._opened()
        try:
            answer = await self._sent(
                partial(client.post, CHAT, cast_to=httpx2.Response, body=body)
            )
        except Late as late:
            if self._slots.overloaded(turn):
                raise Crowded(str(late)) from late
            raise
        if isinstance(answer, str):
            self._slots.answered()
        return answer

    async def _sent(self, call: Callable[[], Awaitable["Response"]]) -> str | Refusal:
        """The body of the answer to a request, or what it was refused with."""
        import openai

        try:
            # The client's own time-out starts anew with each byte that trickles in.
            with anyio.fail_after(self._timeout):
                text: str = (await call()).text
        except (TimeoutError, openai.APITimeoutError) as error:
            raise Late(
                f"The endpoint at {self._place()} did not answer within {self._timeout:g} seconds. "
                "If it is only slow, raise llm_timeout_seconds."
            ) from error
        except openai.APIStatusError as error:
            return refusal_of(error)
        except openai.OpenAIError as error:
            raise Unreachable(
                f"The endpoint at {self._place()} cannot be reached. Check that it runs, and the "
                "base URL."
            ) from error
        return refusal_within(text) or text

    def _place(self) -> str:
        return urlsplit(self._base_url).netloc.rpartition("@")[2]

    async def _opened(self) -> "AsyncOpenAI":
        async with self._opening:
            if self._client is None:
                address = address_of(self._base_url)
                check_endpoint(self._base_url, self._api_key)
                # The import alone takes seconds.
                self._client = await anyio.to_thread.run_sync(self._open, address)
        return self._client

    def _open(self, address: Address) -> "AsyncOpenAI":
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        return AsyncOpenAI(
            api_key=self._api_key,
            base_url=address.url,
            timeout=self._timeout,
            max_retries=0,
            default_query=address.query,
            # Azure takes its keys by a name of its own, on its older paths by that alone.
            default_headers={"api-key": self._api_key} if address.is_azure else None,
            # A proxy that is set for the network knows nothing of this machine's own ports.
            http_client=DefaultAsyncHttpxClient(trust_env=False) if address.is_local else None,
        )


def _names(text: str) -> tuple[str, ...]:
    try:
        listed = json.loads(text)["data"]
        return tuple(item["id"] for item in listed if isinstance(item["id"], str))
    except (ValueError, LookupError, TypeError, RecursionError):
        return ()
