"""The contract of a reranker: a question and texts in, how well each text answers it out."""

import math
from collections.abc import Sequence
from typing import Protocol


class Reranker(Protocol):
    """Reads a question together with each text. Blocking work runs in threads hidden here.

    Any text is taken: empty, odd and very long input gives some score, never an error.
    """

    @property
    def name(self) -> str:
        """What it is called, for a person."""
        ...

    async def load(self) -> None:
        """Import, open or fetch the model. Safe to call again; `scores` does it by itself.

        Raises:
            RerankerError: it cannot be had; the message says what to do.
        """
        ...

    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        """How well each text answers the query: 0..1, larger is better, in the texts' order.

        Raises:
            RerankerError: the model cannot be had, or did not answer.
        """
        ...

    async def close(self) -> None:
        """Let the model or its connections go. A later call takes them up again."""
        ...


def sigmoid(logit: float) -> float:
    """Any number to 0..1, in the same order as far as floats can tell."""
    return 1 / (1 + math.exp(-max(-30.0, min(30.0, logit))))
