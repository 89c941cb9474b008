"""Any sentence-transformers model, by name or folder, for those who bring one."""

import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any

from memory_core.backends.embedder import Vectors, cleaned, unit_rows
from memory_core.backends.local_model import ModelThread
from memory_core.backends.named_model import Wanted, open_model, short_name
from memory_core.errors import EmbedderError

MOST_CHARACTERS = 1000
CHARACTERS_PER_TOKEN = 3


@dataclass(frozen=True, slots=True)
class _Opened:
    model: Any
    name: str
    dimension: int
    window: int


class SentenceTransformersEmbedder:
    """Implements `Embedder`. Owns the model. All properties but the threshold need `load` first.

    Args:
        model_name: a name at Hugging Face, or a folder that holds a model.
        kwargs: further arguments of `SentenceTransformer`, such as device or truncate_dim.
    """

    def __init__(self, model_name: str, kwargs: Mapping[str, Any] | None = None) -> None:
        self._model_name = model_name
        self._kwargs = dict(kwargs or {})
        self._thread = ModelThread()
        self._opening = threading.Lock()
        self._state: _Opened | None = None

    @property
    def name(self) -> str:
        return self._loaded.name

    @property
    def dimension(self) -> int:
        return self._loaded.dimension

    @property
    def window(self) -> int:
        return self._loaded.window

    @property
    def similarity_threshold(self) -> None:
        return None

    async def load(self) -> None:
        """See `Embedder.load`. A name that is not in the local cache is fetched."""
        await self._thread.run(self._warm)

    async def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed_documents`."""
        if self._state is None:
            await self.load()
        return await self._thread.encode(self._encode_documents, texts, self.dimension)

    async def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`."""
        row: Vectors = (await self._thread.encode(self._encode_queries, [text], 0))[0]
        return row

    async def close(self) -> None:
        """See `Embedder.close`."""
        self._state = None

    @property
    def _loaded(self) -> _Opened:
        if self._state is None:
            raise EmbedderError(f'The embedding model "{self._model_name}" is not loaded yet.')
        return self._state

    def _warm(self) -> None:
        self._opened()

    def _encode_documents(self, texts: Sequence[str]) -> Vectors:
        return self._encode("encode_document", texts)

    def _encode_queries(self, texts: Sequence[str]) -> Vectors:
        return self._encode("encode_query", texts)

    def _encode(self, method: str, texts: Sequence[str]) -> Vectors:
        opened = self._opened()
        # These two put the model's own prompts before the text; older versions have neither.
        encode = getattr(opened.model, method, opened.model.encode)
        try:
            rows = encode(
                [cleaned(text, opened.window) for text in texts],
                convert_to_numpy=True,
                normalize_embeddings=True,
                show_progress_bar=False,
            )
        except RuntimeError as error:
            raise EmbedderError(
                f'The embedding model "{self._model_name}" failed. Perhaps there is not enough '
                'memory for it; embedding_model_kwargs {"device": "cpu"} avoids the graphics card.'
            ) from error
        return unit_rows(rows)

    def _opened(self) -> _Opened:
        # A load whose caller was cancelled may still be under way in another thread.
        with self._opening:
            if self._state is None:
                self._state = _open(self._model_name, self._kwargs)
            return self._state


def _open(model_name: str, kwargs: Mapping[str, Any]) -> _Opened:
    wanted = Wanted(
        type_name="SentenceTransformer",
        kind="embedding model",
        model_name=model_name,
        refused=(
            f'The embedding model "{model_name}" does not take these embedding_model_kwargs. '
            "They are the arguments of SentenceTransformer."
        ),
        failure=EmbedderError,
    )
    return open_model(wanted, kwargs, partial(_describe, model_name))


def _describe(model_name: str, model: Any) -> _Opened:
    dimension = model.encode([""], show_progress_bar=False).shape[1]
    tokens = model.max_seq_length or MOST_CHARACTERS
    return _Opened(
        model=model,
        name=f"{short_name(model_name)}/{dimension}",
        dimension=dimension,
        window=min(MOST_CHARACTERS, CHARACTERS_PER_TOKEN * tokens),
    )
