"""A reranker behind an endpoint of the form that Jina made common: POST {base}/rerank.

Cohere (v2), vLLM, llama.cpp, LocalAI, Infinity and LiteLLM take it; Text Embeddings Inference has a
form of its own, which is tried where the first one is refused.
"""

import json
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

import anyio
import anyio.to_thread

from memory_core.backends.embedder import cleaned
from memory_core.backends.endpoint import NO_KEY, Address, address_of
from memory_core.backends.openai_errors import check_endpoint, error_for, refusal, refusal_within
from memory_core.backends.reranker import sigmoid
from memory_core.errors import ModelError, ModelOverflow, ModelRefused, RerankerError

if TYPE_CHECKING:
    from openai import AsyncOpenAI

PATH = "/rerank"
MOST_CHARACTERS = 4_000
"""Characters of one text. Only a fuse: whoever asks knows what is worth reading."""

LARGEST = 1e30
OTHER_FORM = frozenset({400, 415, 422})
"""Statuses that may say: "I know no such field"."""

Form = Callable[[str, list[str]], dict[str, Any]]
"""Makes the body of a request from a question and texts."""


class EndpointReranker:
    """Implements `Reranker`. Owns one HTTP client, opened by `load` or the first call.

    Args:
        model: the model's name at the endpoint.
        base_url: the endpoint, as far as "/rerank".
        api_key: empty where the endpoint needs none.
        timeout: seconds for one call, a repetition after a failure included.
    """

    def __init__(self, model: str, base_url: str, api_key: str = "", timeout: float = 60.0) -> None:
        self._model = model
        self._base_url = base_url.strip().rstrip("/").removesuffix(PATH)
        self._api_key = api_key.strip() or NO_KEY
        self._timeout = timeout
        self._client: AsyncOpenAI | None = None
        self._opening = anyio.Lock()
        self._forms: tuple[Form, ...] = (self._common, self._of_tei)
        self._gives_logits = False

    @property
    def name(self) -> str:
        return f"endpoint/{self._model}"

    async def load(self) -> None:
        """See `Reranker.load`. Asks about one word, to learn whether anybody answers."""
        if self._client is None:
            await self.scores("word", ["word"])

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """See `Reranker.scores`. One request."""
        if not texts:
            return []
        question = cleaned(query, MOST_CHARACTERS)
        answer = await self._asked(question, [cleaned(text, MOST_CHARACTERS) for text in texts])
        raw = scores_in(answer, len(texts))
        if raw is None:
            raise RerankerError(
                f'The endpoint of the reranker "{self._model}" answered with something else than '
                "one score a text. Check that it is a reranker, and reranker_base_url."
            )
        # llama.cpp and some others give what the model computes; once seen, always so.
        self._gives_logits |= any(not 0 <= score <= 1 for score in raw)
        return [sigmoid(score) for score in raw] if self._gives_logits else raw

    async def close(self) -> None:
        """See `Reranker.close`."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    def _common(self, query: str, texts: list[str]) -> dict[str, Any]:
        return {"model": self._model, "query": query, "documents": texts, "top_n": len(texts)}

    def _of_tei(self, query: str, texts: list[str]) -> dict[str, Any]:
        return {"query": query, "texts": texts, "truncate": True}

    async def _asked(self, query: str, texts: list[str]) -> str:
        """The body of the answer, or one of our errors."""
        import openai

        client = await self._opened()
        try:
            # The client's own time-out starts anew with each byte that trickles in.
            with anyio.fail_after(self._timeout):
                return await self._posted(client, query, texts)
        except (TimeoutError, openai.APITimeoutError) as error:
            raise RerankerError(
                f'The reranker "{self._model}" did not answer within {self._timeout:g} seconds. '
                "Check that its endpoint is not overloaded, or lower reranker_candidates."
            ) from error
        except openai.APIStatusError as error:
            raise self._refused(refusal(error, self._model)) from error
        except openai.OpenAIError as error:
            raise RerankerError(
                f'The endpoint of the reranker "{self._model}" cannot be reached. Check that it '
                "runs, and reranker_base_url."
            ) from error

    async def _posted(self, client: "AsyncOpenAI", query: str, texts: list[str]) -> str:
        """The body of the answer in the first form that the endpoint takes, which is kept."""
        import httpx2
        import openai

        for form in self._forms:
            try:
                answer = await client.post(PATH, cast_to=httpx2.Response, body=form(query, texts))
            except openai.APIStatusError as error:
                if form is self._forms[-1] or error.status_code not in OTHER_FORM:
                    raise
            else:
                self._forms = (form,)
                break
        if refused := refusal_within(answer.text):
            raise self._refused(error_for(refused, self._model))
        return answer.text

    def _refused(self, refused: ModelError) -> RerankerError:
        if isinstance(refused, ModelOverflow):
            return RerankerError(
                f'The texts are too long, or too many, for the reranker "{self._model}". Lower '
                "reranker_candidates, or give its server a larger batch."
            )
        return RerankerError(str(refused))

    async def _opened(self) -> "AsyncOpenAI":
        async with self._opening:
            if self._client is None:
                address = self._address()
                # The import alone takes seconds.
                self._client = await anyio.to_thread.run_sync(
                    self._open, address, abandon_on_cancel=True
                )
            return self._client

    def _address(self) -> Address:
        if not self._base_url:
            raise RerankerError(
                f'Where the reranker "{self._model}" is, is not said: set reranker_base_url, such '
                "as http://localhost:8080/v1."
            )
        try:
            address = address_of(self._base_url)
            check_endpoint(self._base_url, self._api_key)
        except ModelRefused as error:
            raise RerankerError(
                "reranker_base_url must look like http://localhost:8080/v1, and reranker_api_key "
                "may hold only what a key holds."
            ) from error
        return address

    def _open(self, address: Address) -> "AsyncOpenAI":
        from openai import AsyncOpenAI, DefaultAsyncHttpxClient

        return AsyncOpenAI(
            api_key=self._api_key,
            base_url=address.url,
            timeout=self._timeout,
            max_retries=1,  # somebody waits for the answer
            default_query=address.query,
            # A proxy that is set for the network knows nothing of this machine's own ports.
            http_client=DefaultAsyncHttpxClient(trust_env=False) if address.is_local else None,
        )


def scores_in(answer: str, count: int) -> list[float] | None:
    """The scores of `count` texts in their order, whatever range they are in.

    None where the answer holds anything else than one finite score for each.
    """
    try:
        reply = json.loads(answer)
    except (ValueError, RecursionError):
        return None
    if isinstance(reply, dict):
        reply = reply.get("results", reply.get("data"))
    if not isinstance(reply, list):
        return None
    scores: dict[int, float] = {}
    for row in reply:
        index, score = _row(row)
        if score is None or index in scores or not 0 <= index < count:
            return None
        scores[index] = score
    return [scores[index] for index in range(count)] if len(scores) == count else None


def _row(row: object) -> tuple[int, float | None]:
    """Index and score of one row; None for the score where it has none."""
    if not isinstance(row, dict):
        return 0, None
    index, score = row.get("index"), row.get("relevance_score", row.get("score"))
    # A bool is an int to Python.
    if isinstance(index, bool) or not isinstance(index, int):
        return 0, None
    if isinstance(score, bool) or not isinstance(score, int | float):
        return 0, None
    # This way neither "not a number" nor a number beyond all floats gets through.
    return index, float(score) if -LARGEST < score < LARGEST else None
