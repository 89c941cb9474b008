from datetime import UTC, datetime, timedelta

import pytest

from memory_core.short_term import Overflow, wait_for_batch

NOW = datetime(2026, 5, 1, tzinfo=UTC)
IDLE = timedelta(minutes=5)


@pytest.mark.parametrize(
    ("pending", "since_last", "wait"),
    [
        (10, timedelta(0), timedelta(0)),  # full
        (3, timedelta(minutes=2), timedelta(minutes=3)),  # still filling
        (3, timedelta(minutes=5), timedelta(0)),  # the conversation paused
        (3, timedelta(days=-30), IDLE),  # the clock was set back
    ],
)
def test_a_batch_is_closed_when_full_or_when_the_talk_pauses(
    pending: int, since_last: timedelta, wait: timedelta
) -> None:
    overflow = Overflow(scope_key=1, pending=pending, last_added_at=NOW - since_last)
    assert wait_for_batch(overflow, NOW, batch_size=10, idle=IDLE) == wait
