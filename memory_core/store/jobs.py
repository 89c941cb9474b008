"""Failed work: how often it failed, why, and when it may be tried again."""

from collections.abc import Sequence
from datetime import datetime

import apsw

from memory_core.records import FailedJob
from memory_core.store.rows import from_column, marks, to_column


def may_try(connection: apsw.Connection, kind: str, scope: int, now: datetime) -> bool:
    """Whether work of this kind is not waiting or parked."""
    row = connection.execute(
        "SELECT not_before FROM failed_job WHERE kind = ? AND scope = ?", (kind, scope)
    ).fetchone()
    return row is None or (row[0] is not None and row[0] <= to_column(now))


def attempts_of(connection: apsw.Connection, kind: str, scope: int) -> int:
    row = connection.execute(
        "SELECT attempts FROM failed_job WHERE kind = ? AND scope = ?", (kind, scope)
    ).fetchone()
    return 0 if row is None else int(row[0])


def record_failure(
    connection: apsw.Connection, kind: str, scope: int, error: str, not_before: datetime | None
) -> None:
    """Count a failed attempt; `not_before` None parks the work."""
    connection.execute(
        """
        INSERT INTO failed_job (kind, scope, attempts, last_error, not_before)
        VALUES (?, ?, 1, ?, ?) ON CONFLICT (kind, scope) DO UPDATE SET
            attempts = attempts + 1, last_error = excluded.last_error,
            not_before = excluded.not_before
        """,
        (kind, scope, error, None if not_before is None else to_column(not_before)),
    )


def record_success(connection: apsw.Connection, kind: str, scope: int) -> None:
    connection.execute("DELETE FROM failed_job WHERE kind = ? AND scope = ?", (kind, scope))


def rearm(connection: apsw.Connection) -> None:
    """A new start is a new chance: forget all failures."""
    connection.execute("DELETE FROM failed_job")


def failures(connection: apsw.Connection, scopes: Sequence[int]) -> tuple[FailedJob, ...]:
    sql = f"""
        SELECT kind, attempts, last_error, not_before FROM failed_job
        WHERE scope IN ({marks(scopes)}) ORDER BY kind
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
    """When the first of the failures that wait beyond a moment may be tried again.

    One that could be tried already and was not has nothing left to do.
    """
    sql = "SELECT min(not_before) FROM failed_job WHERE not_before > ?"
    ((first,),) = connection.execute(sql, (to_column(after),))
    return None if first is None else from_column(first)
