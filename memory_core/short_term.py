"""Short-term memory decides when pages leave the window (paper 3.2)."""

from dataclasses import dataclass
from datetime import datetime, timedelta


@dataclass(frozen=True, slots=True, kw_only=True)
class Overflow:
    """Pages of a scope beyond its window. last_added_at: when the newest page came in."""

    scope_key: int
    pending: int
    last_added_at: datetime


def wait_for_batch(
    overflow: Overflow, now: datetime, batch_size: int, idle: timedelta
) -> timedelta:
    """How long the overflow should still wait for more pages; zero: take it now.

    One question about ten pages costs little more than one about a single page, so a batch is
    left to fill while the conversation goes on, and closed when it pauses.
    """
    if overflow.pending >= batch_size:
        return timedelta(0)
    return max(timedelta(0), overflow.last_added_at + idle - now)
