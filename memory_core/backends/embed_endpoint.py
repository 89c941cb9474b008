"""An embedding model behind any OpenAI-compatible endpoint."""

from collections.abc import Sequence
from typing import TYPE_CHECKING

import anyio
import anyio.to_thread
import numpy as np

from memory_core.backends.embedder import Vectors, cleaned, unit_rows
from memory_core.backends.endpoint import NO_KEY, OPENAI_URL
from memory_core.backends.openai_errors import check_endpoint, refusal
from memory_core.errors import EmbedderError, ModelRefused

if TYPE_CHECKING:
    from openai import AsyncOpenAI

BATCH = 64

WINDOW = 500
"""Characters. Nothing says how much a model takes; many take 512 tokens, and a Chinese character
is about one."""


class EndpointEmbedder:
    """Implements `Embedder`. Owns one HTTP client, opened by `load` or the first call.

    Args:
        model: the model's name at the endpoint.
        base_url: the endpoint, up to and with "/v1"; empty: that of OpenAI.
        api_key: empty where the endpoint needs none.
        timeout: seconds for one batch, repetitions after a failure included.
    """

    def __init__(
        self, model: str, base_url: str = "", api_key: str = "", timeout: float = 60.0
    ) -> None:
        self._model = model
        self._base_url = base_url.strip() or OPENAI_URL
        self._api_key = api_key.strip() or NO_KEY
        self._timeout = timeout
        self._client: AsyncOpenAI | None = None
        self._opening = anyio.Lock()
        self._dimension = 0

    @property
    def name(self) -> str:
        return f"endpoint/{self._model}/{self.dimension}"

    @property
    def dimension(self) -> int:
        if not self._dimension:
            raise EmbedderError(f'The embedding model "{self._model}" has not been asked yet.')
        return self._dimension

    @property
    def window(self) -> int:
        return WINDOW

    @property
    def similarity_threshold(self) -> None:
        return None

    async def load(self) -> None:
        """See `Embedder.load`. Embeds one word, to learn the dimension."""
        await self._opened()

    async def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed_documents`."""
        await self.load()
        batches = [
            await self._embed(texts[start : start + BATCH]) for start in range(0, len(texts), BATCH)
        ]
        return np.vstack(batches) if batches else np.empty((0, self.dimension), np.float32)

    async def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        row: Vectors = (await self._embed([text]))[0]
        return row

    async def close(self) -> None:
        """See `Embedder.close`."""
        client, self._client = self._client, None
        if client is not None:
            await client.close()

    async def _embed(self, texts: Sequence[str]) -> Vectors:
        client = await self._opened()
        rows = await self._ask(client, [cleaned(text, WINDOW) for text in texts])
        if rows.shape[1] != self._dimension:
            raise self._not_vectors()
        return rows

    async def _ask(self, client: "AsyncOpenAI", texts: list[str]) -> Vectors:
        """One request; rows in the order of the texts, of whatever dimension they have."""
        import openai

        try:
            with anyio.fail_after(self._timeout):
                # Compatible servers do not all know base64, which the client asks for by itself.
                reply: object = await client.embeddings.create(
                    model=self._model, input=texts, encoding_format="float"
                )
        except (TimeoutError, openai.APITimeoutError) as error:
            raise EmbedderError(
                f'The embedding model "{self._model}" did not answer within '
                f"{self._timeout:g} seconds. Check that its endpoint is not overloaded."
            ) from error
        except openai.APIStatusError as error:
            raise EmbedderError(str(refusal(error, self._model))) from error
        except openai.OpenAIError as error:
            raise EmbedderError(
                f'The endpoint of the embedding model "{self._model}" cannot be reached. Check '
                "that it runs, and embedding_base_url."
            ) from error
        except ValueError as error:
            raise self._not_vectors() from error
        rows = _rows(reply)
        if rows is None or len(rows) != len(texts):
            raise self._not_vectors()
        return unit_rows(rows)

    async def _opened(self) -> "AsyncOpenAI":
        async with self._opening:
            if self._client is None:
                self._check_settings()
                # The import alone takes seconds.
                self._client = await anyio.to_thread.run_sync(self._open, abandon_on_cancel=True)
            if not self._dimension:
                self._dimension = (await self._ask(self._client, ["dimension"])).shape[1]
            return self._client

    def _check_settings(self) -> None:
        try:
            check_endpoint(self._base_url, self._api_key)
        except ModelRefused as error:
            raise EmbedderError(str(error)) from error

    def _open(self) -> "AsyncOpenAI":
        from openai import AsyncOpenAI

        return AsyncOpenAI(api_key=self._api_key, base_url=self._base_url, timeout=self._timeout)

    def _not_vectors(self) -> EmbedderError:
        return EmbedderError(
            f'The endpoint of "{self._model}" answered with something else than one vector a text. '
            "Check that it is an embedding model, and that the base URL ends as it should."
        )


def _rows(reply: object) -> Vectors | None:
    """The vectors of a reply by their index, shape (n, dimension); None if it holds none.

    The client does not check what it was sent, so this does.
    """
    data = getattr(reply, "data", None)
    if not isinstance(data, list):
        return None
    try:
        by_index = sorted(data, key=lambda item: int(item.index))
        rows = np.asarray([item.embedding for item in by_index], dtype=np.float64)
    except (AttributeError, TypeError, ValueError):
        return None
    return rows.astype(np.float32) if rows.ndim == 2 and rows.shape[1] else None
