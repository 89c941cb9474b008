"""The contract of an embedder: text in, unit vectors out."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

Vectors = NDArray[np.float32]
"""Rows of unit length: shape (n, dimension), or (dimension,) for one."""


class Embedder(Protocol):
    """Turns text into vectors. Blocking work runs in threads of its own, hidden here.

    Any text is taken: empty, odd and very long input gives some unit vector, never an error.
    """

    @property
    def name(self) -> str:
        """Fingerprint of the model: equal names mean comparable vectors. Stored with each."""
        ...

    @property
    def dimension(self) -> int:
        """Length of a vector. Known once `load` has returned."""
        ...

    @property
    def window(self) -> int:
        """Characters of one text that the model represents well; longer text is cut in pieces."""
        ...

    @property
    def similarity_threshold(self) -> float | None:
        """Cosine from which two texts may be called related; None: it must be measured."""
        ...

    async def load(self) -> None:
        """Import, open or fetch the model. Safe to call again.

        Raises:
            EmbedderError: it cannot be had; the message says what to do.
        """
        ...

    async def embed_documents(self, texts: Sequence[str]) -> Vectors:
        """Vectors of texts to be found, shape (len(texts), dimension).

        Raises:
            EmbedderError: the model did not answer.
        """
        ...

    async def embed_query(self, text: str) -> Vectors:
        """The vector of a question, shape (dimension,).

        Raises:
            EmbedderError: the model did not answer.
        """
        ...
