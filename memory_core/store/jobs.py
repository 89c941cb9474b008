"""Jobs of consolidation: who is at work on which, how often it failed, why, and when it is due.

A job is one kind of work for one scope. It is claimed for a while (a lease) which its holder
prolongs. The lease of a holder that died ends at once where that can be seen, and else runs out;
then another process takes the job over.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

import apsw

from memory_core.records import FailedJob
from memory_core.store.rows import from_column, marks, select, to_column

LEASE = timedelta(seconds=30)
# No wait is longer. One that lies further ahead was written by a clock that has been set back.
LONGEST_WAIT = timedelta(days=1)


Dead = Callable[[str], bool]
"""Whether the process that a holder names is certainly gone."""


def claim(
    connection: apsw.Connection,
    kind: str,
    scope: int,
    holder: str,
    now: datetime,
    is_dead: Dead = lambda _: False,
) -> int | None:
    """Take a job for `LEASE`; another process cannot have it meanwhile.

    Returns:
        How often it has failed, or None: another process is at it, or it waits or is parked.
    """
    sql = """
        SELECT attempts, not_before, holder, leased_until FROM job WHERE kind = ? AND scope = ?
    """
    for attempts, not_before, other, leased_until in connection.execute(sql, (kind, scope)):
        held = other not in (None, holder) and _lies_ahead(leased_until, now, LEASE)
        if held and not is_dead(other):
            return None
        parked = attempts and not_before is None
        if parked or (not_before and _lies_ahead(not_before, now, LONGEST_WAIT)):
            return None
    ((failed,),) = connection.execute(
        """
        INSERT INTO job (kind, scope, holder, leased_until) VALUES (?, ?, ?, ?)
        ON CONFLICT (kind, scope) DO UPDATE SET
            holder = excluded.holder, leased_until = excluded.leased_until
        RETURNING attempts
        """,
        (kind, scope, holder, to_column(now + LEASE)),
    )
    return int(failed)


def renew(connection: apsw.Connection, holder: str, now: datetime) -> None:
    """Prolong all leases of a holder."""
    connection.execute(
        "UPDATE job SET leased_until = ? WHERE holder = ?", (to_column(now + LEASE), holder)
    )


def finish(connection: apsw.Connection, kind: str, scope: int, holder: str) -> None:
    """The job is done; failures before are forgotten."""
    connection.execute(
        "DELETE FROM job WHERE kind = ? AND scope = ? AND holder = ?", (kind, scope, holder)
    )


def put_back(connection: apsw.Connection, kind: str, scope: int, holder: str) -> None:
    """Give one job up undone, which is no failure; failures before it stay noted."""
    job = (kind, scope, holder)
    connection.execute(
        "DELETE FROM job WHERE kind = ? AND scope = ? AND holder = ? AND attempts = 0", job
    )
    connection.execute(
        """
        UPDATE job SET holder = NULL, leased_until = NULL
        WHERE kind = ? AND scope = ? AND holder = ?
        """,
        job,
    )


def release(connection: apsw.Connection, holder: str) -> None:
    """Give up all leases of a holder; failures stay noted."""
    connection.execute("DELETE FROM job WHERE holder = ? AND attempts = 0", (holder,))
    connection.execute(
        "UPDATE job SET holder = NULL, leased_until = NULL WHERE holder = ?", (holder,)
    )


def record_failure(
    connection: apsw.Connection,
    kind: str,
    scope: int,
    holder: str,
    error: str,
    not_before: datetime | None,
) -> None:
    """Count a failed attempt and give the job up; `not_before` None parks it."""
    connection.execute(
        """
        UPDATE job SET attempts = attempts + 1, last_error = ?, not_before = ?, holder = NULL,
            leased_until = NULL WHERE kind = ? AND scope = ? AND holder = ?
        """,
        (error, None if not_before is None else to_column(not_before), kind, scope, holder),
    )


def rearm(connection: apsw.Connection, now: datetime) -> None:
    """A new start is one more chance for all that failed; it does not forget the failures."""
    connection.execute("UPDATE job SET not_before = ? WHERE attempts > 0", (to_column(now),))


def failures(connection: apsw.Connection, scopes: Sequence[int]) -> tuple[FailedJob, ...]:
    sql = f"""
        SELECT kind, attempts, last_error, not_before FROM job
        WHERE attempts > 0 AND scope IN ({marks(scopes)}) ORDER BY kind
    """
    return tuple(
        FailedJob(
            kind=kind,
            attempts=attempts,
            last_error=error,
            not_before=None if not_before is None else from_column(not_before),
        )
        for kind, attempts, error, not_before in connection.execute(sql, tuple(scopes))
    )


def next_try(connection: apsw.Connection, after: datetime) -> datetime | None:
    """When the first of the jobs that wait, or that others hold, may be tried again.

    One that could be tried already and was not has nothing left to do.
    """
    sql = """
        SELECT min(moment) FROM (
            SELECT not_before AS moment FROM job UNION ALL SELECT leased_until FROM job
        ) WHERE moment > ?
    """
    first = select(connection, sql, (to_column(after),))[0][0]
    return None if first is None else min(from_column(first), after + LONGEST_WAIT)


def dead_holders(connection: apsw.Connection, is_dead: Dead) -> tuple[str, ...]:
    """Processes that have died with a job in their hands."""
    holders = select(connection, "SELECT DISTINCT holder FROM job WHERE holder IS NOT NULL")
    return tuple(holder for (holder,) in holders if is_dead(holder))


def are_held(connection: apsw.Connection, holder: str, now: datetime, is_dead: Dead) -> bool:
    """Whether any other process is at work on a job."""
    sql = "SELECT holder, leased_until FROM job WHERE holder != ?"
    return any(
        _lies_ahead(until, now, LEASE) and not is_dead(other)
        for other, until in select(connection, sql, (holder,))
    )


def _lies_ahead(moment: str, now: datetime, furthest: timedelta) -> bool:
    """Whether a moment is still to come, and near enough to be meant."""
    return to_column(now) < moment <= to_column(now + furthest)
