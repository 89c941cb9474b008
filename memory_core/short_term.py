"""Short-term memory decides when pages leave the window (paper 3.2)."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from memory_core.records import Page


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
    return time_to_close(overflow, now, idle)


def time_to_close(overflow: Overflow, now: datetime, idle: timedelta) -> timedelta:
    """How long a batch that is not full is still left to fill; zero: the conversation pauses.

    Never longer than `idle`: a page that seems to come is of a clock that has been set back.
    """
    return min(idle, max(timedelta(0), overflow.last_added_at + idle - now))


def batched(pages: Sequence[Page], size: int) -> list[tuple[Page, ...]]:
    """Pages in runs for one question each."""
    return [tuple(pages[start : start + size]) for start in range(0, len(pages), size)]
