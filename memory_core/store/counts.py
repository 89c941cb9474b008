"""Counts for the status: what the tiers hold, the jobs, and whose vectors there are.

No query reads more than one index from end to end. At 100,000 pages all of them together take
some 35 ms, half of it for the memories that have a vector.
"""

from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime, timedelta

import apsw

from memory_core.records import About, Kind
from memory_core.short_term import wait_for_batch
from memory_core.status_records import FactCounts, Job, JobState, TierCounts
from memory_core.store.jobs import LEASE, LONGEST_WAIT
from memory_core.store.rows import from_column, marks, select
from memory_core.store.segments import overflows

PLACE = "place"
NO_FACTS = FactCounts(current=0, superseded=0, retired=0)


def count_scopes(connection: apsw.Connection) -> tuple[int, int]:
    """How many users there are, and how many scopes."""
    sql = "SELECT count(DISTINCT user_id), count(*) FROM scope"
    users, scopes = select(connection, sql)[0]
    return users, scopes


def count_tiers(connection: apsw.Connection, capacity: int, scope: int | None = None) -> TierCounts:
    """What the tiers hold, of all scopes or of one. capacity: pages in a window."""
    own = "" if scope is None else f"scope = {scope:d} AND"
    windows = f"""
        SELECT coalesce(sum(min(pages, ?)), 0), coalesce(sum(pages), 0) FROM (
            SELECT count(*) AS pages FROM page WHERE {own} segment IS NULL GROUP BY scope)
    """
    short, unplaced = select(connection, windows, (capacity,))[0]
    pages = select(connection, f"SELECT count(*) FROM page WHERE {own} TRUE")[0][0]
    sql = f"SELECT count(*), count(retired_at) FROM segment WHERE {own} TRUE"
    segments, retired = select(connection, sql)[0]
    sql = f"SELECT count(DISTINCT scope), count(*) FROM profile WHERE {own} TRUE"
    profiles, versions = select(connection, sql)[0]
    facts = _count_facts(connection, own)
    return TierCounts(
        short_term_pages=short,
        waiting_pages=unplaced - short,
        segments=segments - retired,
        retired_segments=retired,
        segment_pages=pages - unplaced,
        user_facts=facts.get(About.USER, NO_FACTS),
        assistant_facts=facts.get(About.ASSISTANT, NO_FACTS),
        profiles=profiles,
        profile_versions=versions,
    )


def _count_facts(connection: apsw.Connection, own: str) -> dict[About, FactCounts]:
    sql = f"""
        SELECT about, count(*), count(superseded_by),
            count(CASE WHEN superseded_by IS NULL THEN retired_at END)
        FROM fact WHERE {own} TRUE GROUP BY about
    """
    return {
        About(about): FactCounts(
            current=count - superseded - retired, superseded=superseded, retired=retired
        )
        for about, count, superseded, retired in select(connection, sql)
    }


def list_jobs(
    connection: apsw.Connection, now: datetime, capacity: int, batch: int, idle: timedelta
) -> tuple[Job, ...]:
    """The jobs of all scopes: running ones first, then due, waiting and parked ones.

    Args:
        capacity: pages in a window; batch, idle: when pages beyond it are a batch.
    """
    waits = {
        overflow.scope_key: wait_for_batch(overflow, now, batch, idle)
        for overflow in overflows(connection, capacity)
    }
    noted = dict(_noted_jobs(connection, now, waits))
    fresh = {
        (PLACE, scope): _fresh_job(connection, scope, now, wait)
        for scope, wait in waits.items()
        if (PLACE, scope) not in noted
    }
    order = list(JobState)
    return tuple(sorted((noted | fresh).values(), key=lambda job: order.index(job.state)))


def _fresh_job(connection: apsw.Connection, scope: int, now: datetime, wait: timedelta) -> Job:
    """Pages that wait to be placed, which nobody has tried yet."""
    return Job(
        kind=PLACE,
        **_whose(connection, scope),
        state=JobState.WAITING if wait else JobState.DUE,
        attempts=0,
        last_error="",
        not_before=now + wait if wait else None,
        holder_pid=None,
    )


def _noted_jobs(
    connection: apsw.Connection, now: datetime, waits: Mapping[int, timedelta]
) -> Iterator[tuple[tuple[str, int], Job]]:
    """The jobs that were claimed or have failed, but for those with nothing left to do."""
    sql = "SELECT kind, scope, attempts, last_error, not_before, holder, leased_until FROM job"
    for kind, scope, attempts, error, again, holder, leased in select(connection, sql):
        held = leased is not None and _lies_ahead(from_column(leased), now, LEASE)
        not_before = None if again is None else from_column(again)
        state = _state(held, attempts, not_before, now)
        if state is JobState.DUE and not _has_work(connection, kind, scope, waits):
            continue
        yield (
            (kind, scope),
            Job(
                kind=kind,
                **_whose(connection, scope),
                state=state,
                attempts=attempts,
                last_error=error,
                not_before=not_before if state is JobState.WAITING else None,
                holder_pid=_pid(holder) if held else None,
            ),
        )


def _state(held: bool, attempts: int, not_before: datetime | None, now: datetime) -> JobState:
    if held:
        return JobState.RUNNING
    if attempts and not_before is None:
        return JobState.PARKED
    if not_before is not None and _lies_ahead(not_before, now, LONGEST_WAIT):
        return JobState.WAITING
    return JobState.DUE


def _lies_ahead(moment: datetime, now: datetime, furthest: timedelta) -> bool:
    """As in `jobs`: what lies further ahead was written by a clock that has been set back."""
    return now < moment <= now + furthest


def _has_work(
    connection: apsw.Connection, kind: str, scope: int, waits: Mapping[int, timedelta]
) -> bool:
    if kind == PLACE:
        return scope in waits
    sql = """
        SELECT 1 FROM page WHERE scope = ? AND segment IS NOT NULL AND digested_by IS NULL LIMIT 1
    """
    return bool(select(connection, sql, (scope,)))


def _whose(connection: apsw.Connection, scope: int) -> dict[str, str]:
    sql = "SELECT user_id, assistant_id FROM scope WHERE key = ?"
    user_id, assistant_id = select(connection, sql, (scope,))[0]
    return {"user_id": user_id, "assistant_id": assistant_id}


def _pid(holder: str) -> int | None:
    """The process of a holder, which begins with it."""
    number = holder.partition("-")[0]
    return int(number) if number.isdecimal() else None


def count_memories(connection: apsw.Connection) -> tuple[int, dict[str, int]]:
    """How many memories there are, and how many of them have a vector, by model."""
    total = select(connection, "SELECT count(*) FROM memory")[0][0]
    # One look into an index for each model; DISTINCT would read all of it. Without the plus the
    # index by model would be used, which does not have the piece: twenty times slower.
    models = """
        WITH RECURSIVE known (model) AS (
            SELECT min(model) FROM vector UNION ALL
            SELECT (SELECT min(model) FROM vector WHERE model > known.model)
            FROM known WHERE known.model IS NOT NULL
        )
        SELECT model FROM known WHERE model IS NOT NULL UNION SELECT model FROM embedder
    """
    having = "SELECT count(*) FROM vector WHERE +model = ? AND piece = 0"
    found = [model for (model,) in select(connection, models)]
    return total, {model: select(connection, having, (model,))[0][0] for model in found}


def last_model(connection: apsw.Connection) -> str:
    """The embedding model last in use; "" when none was yet."""
    sql = """
        SELECT model FROM embedder WHERE ready_at IS NOT NULL
        ORDER BY last_used_at DESC, model LIMIT 1
    """
    return next((str(model) for (model,) in select(connection, sql)), "")


def index_progress(
    connection: apsw.Connection, model: str, kinds: Sequence[Kind], position: int
) -> tuple[int, int]:
    """How many vectors an index of these kinds is to hold, and how many lie up to a change."""
    newest = select(connection, "SELECT coalesce(max(change), 0) FROM vector")[0][0]
    # Looking at each change takes half as long again, so not when all lie before the position.
    taken_in = (
        "count(*)" if position >= newest else f"count(CASE WHEN change <= {position} THEN 1 END)"
    )
    sql = f"SELECT count(*), {taken_in} FROM vector WHERE model = ? AND kind IN ({marks(kinds)})"
    rows, taken = select(connection, sql, (model, *kinds))[0]
    return rows, taken
