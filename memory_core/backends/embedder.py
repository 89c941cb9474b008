"""The contract of an embedder: text in, unit vectors out."""

from collections.abc import Sequence
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from memory_core.errors import EmbedderError

Vectors = NDArray[np.float32]
"""Rows of unit length: shape (n, dimension), or (dimension,) for one."""

_BLANK = "."
"""Stands for a text with nothing in it: some endpoints refuse an empty one."""


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

    async def close(self) -> None:
        """Let the model or its connections go. A later call takes them up again."""
        ...


def cleaned(text: str, limit: int) -> str:
    """A text that any model takes: at most `limit` characters, valid Unicode, never empty."""
    head = text.strip()[:limit]
    # By way of UTF-16 the two halves of a character find each other; a lone one is replaced.
    valid = head.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
    return valid.replace("\0", " ").strip() or _BLANK


def unit_rows(rows: Vectors) -> Vectors:
    """Rows scaled to unit length; a row of zeros, which has no direction, becomes the first axis.

    Raises:
        EmbedderError: a number is not finite.
    """
    # float64, so that a square neither overflows nor vanishes.
    wide = rows.astype(np.float64)
    if not np.isfinite(wide).all():
        raise EmbedderError("The embedding model answered with numbers that are not finite.")
    lengths = np.linalg.norm(wide, axis=1, keepdims=True)
    wide[lengths[:, 0] == 0.0, 0] = 1.0
    return (wide / np.where(lengths == 0.0, 1.0, lengths)).astype(np.float32)
