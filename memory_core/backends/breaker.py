"""What failed is left alone for a while: longer each time it fails again."""

from collections.abc import Callable

FIRST_PAUSE = 10.0
LONGEST_PAUSE = 600.0
HEALTHY_AFTER = 20


class Breaker:
    """Counts failures in a row. After one it asks for 10 s of rest, doubling up to ten minutes.

    clock: seconds, monotonic.
    """

    def __init__(self, clock: Callable[[], float]) -> None:
        self._clock = clock
        self._worked = 0
        self._until = clock()
        self.failures = 0

    @property
    def rest(self) -> float:
        """Seconds before the next try; 0: now."""
        return max(0.0, self._until - self._clock())

    def failed(self) -> None:
        """It failed (again)."""
        pause = min(FIRST_PAUSE * 2 ** min(self.failures, 10), LONGEST_PAUSE)
        self.failures += 1
        self._worked = 0
        self._until = self._clock() + pause

    def worked(self) -> None:
        """It did what it is for. One time proves nothing; after 20 the failures are forgotten."""
        self._worked += 1
        if self._worked >= HEALTHY_AFTER:
            self.failures = 0
