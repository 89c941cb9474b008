"""A bound on the tokens of a UTC day, over all processes on one memory."""

from collections.abc import Callable
from datetime import UTC, date, datetime, time, timedelta

from memory_core.errors import BudgetSpent
from memory_core.store import usage
from memory_core.store.database import Database


class DailyBudget:
    """Knows what is left of the tokens of a day, as the table of usage has it.

    Calls under way when it runs out are not stopped: it may be passed by what they cost.

    Args:
        clock: the time, aware and UTC.
        limit: tokens of prompts and answers together; 0: none.
    """

    def __init__(self, database: Database, clock: Callable[[], datetime], limit: int) -> None:
        self._database = database
        self._clock = clock
        self._limit = limit
        self._spent_on: date | None = None

    @property
    def note(self) -> str:
        """A sentence for a person while the budget is spent, as of the last look; else ""."""
        now = self._clock()
        return spent_note(self._limit, now) if self._spent_on == now.date() else ""

    async def left(self) -> int | None:
        """Tokens that are left of this day, at least 0; None: there is no limit."""
        if not self._limit:
            return None
        today = self._clock().date()
        left = max(0, self._limit - await self._database.read(usage.tokens_on_day, today))
        self._spent_on = None if left else today
        return left

    async def rest(self) -> float:
        """Seconds until there are tokens again; 0 while there are."""
        spent = await self.left() == 0
        return seconds_to_next_day(self._clock()) if spent else 0.0

    async def check(self) -> None:
        """Ask before each call.

        Raises:
            BudgetSpent: nothing is left of this day.
        """
        if seconds := await self.rest():
            raise BudgetSpent(self.note, retry_after=seconds)


def spent_note(limit: int, now: datetime) -> str:
    return (
        f"The daily budget of {limit} tokens is spent; consolidation and answers go on at "
        f"{next_day(now):%Y-%m-%d %H:%M} UTC, or with a higher llm_daily_token_budget."
    )


def next_day(now: datetime) -> datetime:
    """The next midnight, UTC."""
    return datetime.combine(now.date() + timedelta(days=1), time(), UTC)


def seconds_to_next_day(now: datetime) -> float:
    return (next_day(now) - now).total_seconds()
