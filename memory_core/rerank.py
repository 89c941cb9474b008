"""The second look: a reranker reads the best pages together with the question, where there is one.

It reads only what a page says. What recall knows beside that (how recent it is, what has replaced
it, what stands around it) stays in the order, as a smaller part of it. The scores stay as well,
with other pages: so they can be compared with those of facts as before.
"""

import logging
import math
import time
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, tzinfo
from functools import partial
from statistics import fmean, pstdev

import anyio
import anyio.to_thread

from memory_core.backends.reranker import Reranker
from memory_core.errors import RerankerError
from memory_core.records import Page, PageHit
from memory_core.sentences import pieces
from memory_core.text import query_terms
from memory_core.tokens import estimate_tokens
from memory_core.zones import in_zone

PATIENCE_SECONDS = 3.0
PAUSE_SECONDS = 15.0
"""After a failure nobody waits for the reranker for so long."""

RERANKER_WEIGHT = 0.7
SEARCH_WEIGHT = 0.3
CERTAIN = 1e-6
"""How near to 0 or 1 a score is told from the next one."""

# Together they fit into the 512 tokens that most cross-encoders read.
QUERY_TOKENS = 120
PASSAGE_TOKENS = 320
MOST_CHARACTERS = 20_000
"""Of a page, in which the passage is looked for."""

SLOW = "The reranker did not answer in time: turns are in the order of the search."

log = logging.getLogger(__name__)


class Reranking:
    """Asks the reranker, and leaves it alone for a while when it fails.

    Args:
        reranker: None: hits stay as they are.
        candidates: how many of the first hits it reads.
        patience: seconds that a question waits for it.
        pause: seconds after a failure in which it is not asked.
    """

    def __init__(
        self,
        reranker: Reranker | None,
        candidates: int,
        *,
        patience: float = PATIENCE_SECONDS,
        pause: float = PAUSE_SECONDS,
        zone: tzinfo = UTC,
    ) -> None:
        self._reranker = reranker
        self._candidates = candidates
        self._patience = patience
        self._pause = pause
        self._zone = zone
        self._again_at = -math.inf
        self._note = ""

    @property
    def note(self) -> str:
        """What readers should know of it; empty when all is well."""
        return self._note

    @property
    def name(self) -> str:
        """The reranker's name, "" without one."""
        return self._reranker.name if self._reranker else ""

    async def reranked(self, query: str, hits: Sequence[PageHit]) -> tuple[PageHit, ...]:
        """The hits with the first of them in the order of a closer look.

        hits: best first. When the reranker fails or is slow they stay so, and `note` says why.
        """
        reranker, head = self._reranker, hits[: self._candidates]
        if reranker is None or len(head) < 2 or time.monotonic() < self._again_at:
            return tuple(hits)
        with anyio.move_on_after(self._patience):
            try:
                scores = await self._scores(reranker, query, head)
            except RerankerError as error:
                self._failed(f"Turns are in the order of the search: {error}")
                return tuple(hits)
            self._note = ""
            return (*reordered(head, scores), *hits[len(head) :])
        self._failed(SLOW)
        return tuple(hits)

    async def rest(self) -> None:
        """Let the model go; the next question takes it up again."""
        if self._reranker is not None:
            await self._reranker.close()

    async def _scores(self, reranker: Reranker, query: str, hits: Sequence[PageHit]) -> list[float]:
        def read() -> tuple[str, list[str]]:
            terms = query_terms(query)
            return both_ends(query), [passage(hit.page, terms, self._zone) for hit in hits]

        question, texts = await anyio.to_thread.run_sync(read)
        return await reranker.scores(question, texts)

    def _failed(self, note: str) -> None:
        log.warning("recall goes without the reranker for a while: %s", note)
        self._note = note
        self._again_at = time.monotonic() + self._pause


def reordered(hits: Sequence[PageHit], scores: Sequence[float]) -> tuple[PageHit, ...]:
    """Hits by the scores of a reranker and, in smaller part, by their own.

    Both are standardised (mean 0, deviation 1) as logits. The best hit takes the best of the hits'
    scores, and so on; its share of the reranker is in `why`, in deviations like the others.
    """
    own = _deviations([hit.score for hit in hits])
    shares = [RERANKER_WEIGHT * value for value in _deviations(scores)]
    sums = [SEARCH_WEIGHT * value + share for value, share in zip(own, shares, strict=True)]
    # Of equals the first stays first: sorting is stable.
    order = sorted(range(len(hits)), key=lambda place: -sums[place])
    falling = sorted((hit.score for hit in hits), reverse=True)
    return tuple(
        replace(hits[place], score=score, why={**hits[place].why, "reranker": shares[place]})
        for place, score in zip(order, falling, strict=True)
    )


def _deviations(scores: Sequence[float]) -> list[float]:
    bounded = [min(max(score, CERTAIN), 1 - CERTAIN) for score in scores]
    logits = [math.log(score / (1 - score)) for score in bounded]
    mean, deviation = fmean(logits), pstdev(logits)
    # Of equal scores the deviation may be a rounding error.
    return [(logit - mean) / deviation if deviation > CERTAIN else 0.0 for logit in logits]


def passage(page: Page, terms: Sequence[str], zone: tzinfo = UTC) -> str:
    """What a reranker is given of a page: its date, and of a long page the piece that shares most
    terms with the question.
    """
    sides = (("User", page.user_input), ("Assistant", page.agent_response))
    text = "\n".join(f"{name}: {side.strip()}" for name, side in sides if side.strip())
    text = text[:MOST_CHARACTERS]
    window = _characters(text, PASSAGE_TOKENS)
    if len(text) > window:
        found = pieces(text, window, most=len(text))
        text = max(found, key=partial(_shared, terms))
    return f"{in_zone(page.at, zone):%Y-%m-%d}\n{text}"


def _shared(terms: Sequence[str], piece: str) -> int:
    # Parts of words count as well: "bicycles" of a piece has the "bicycle" of a question.
    folded = piece.casefold()
    return sum(term in folded for term in terms)


def both_ends(query: str) -> str:
    """A question; of a long prompt its beginning and its end, where what is asked mostly stands."""
    text = query.strip()
    window = _characters(text[:MOST_CHARACTERS], QUERY_TOKENS)
    half = window // 2
    return text if len(text) <= window else f"{text[:half]}\n{text[-half:]}"


def _characters(text: str, tokens: int) -> int:
    """About so many characters of this text are so many tokens."""
    return tokens * len(text) // max(1, estimate_tokens(text)) if text else tokens
