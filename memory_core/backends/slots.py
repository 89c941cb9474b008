"""How many calls of an endpoint run side by side: as many as it bears."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import dataclass

import anyio

GOOD_RUN = 8
LONGEST_RUN = 128


@dataclass(slots=True)
class Turn:
    """One call under way. crowded: others were under way with it; seen: halvings it knows of."""

    crowded: bool
    seen: int


class Slots:
    """Bounds calls side by side, by a number that follows what the endpoint bears.

    Calls that are too many for it halve the bound, once for all that run together. A run of good
    answers raises it by one, up to `most`; the run gets longer with each halving, so that an
    endpoint with one slot is seldom tried with two.
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._limiter = anyio.CapacityLimiter(most)
        self._turns: list[Turn] = []
        self._halvings = 0
        self._good = 0
        self._run = GOOD_RUN

    @property
    def bound(self) -> int:
        """Calls that may run side by side now."""
        return int(self._limiter.total_tokens)

    @asynccontextmanager
    async def taken(self) -> AsyncIterator[Turn]:
        """Wait for a slot, and hold it as long as the context lasts."""
        async with self._limiter:
            turn = Turn(crowded=bool(self._turns), seen=self._halvings)
            for other in self._turns:
                other.crowded = True
            self._turns.append(turn)
            try:
                yield turn
            finally:
                # By identity: turns that know the same are equal.
                self._turns = [other for other in self._turns if other is not turn]

    def answered(self) -> None:
        """The endpoint answered in time."""
        self._good += 1
        if self._good >= self._run and self.bound < self._most:
            self._good = 0
            self._limiter.total_tokens = self.bound + 1

    def overloaded(self, turn: Turn) -> bool:
        """The endpoint did not bear this call.

        Returns:
            Whether it may bear it another time: others were under way with it.
        """
        if turn.crowded and turn.seen == self._halvings:
            self._halvings += 1
            self._good = 0
            self._run = min(LONGEST_RUN, 2 * self._run)
            self._limiter.total_tokens = max(1, self.bound // 2)
        turn.seen = self._halvings
        return turn.crowded
