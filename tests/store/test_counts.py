from datetime import datetime, timedelta

import apsw
import numpy as np
import pytest

from memory_core.records import About, Kind, Scope
from memory_core.status_records import FactCounts, Job, JobState
from memory_core.store import counts, facts, jobs, vectors
from memory_core.store.rows import scope_key
from tests.store.filled import LATER, SCOPE, add_page, day, place, state

OTHER = Scope(user_id="李雷", assistant_id="'; DROP TABLE page; --")
CAPACITY, BATCH, IDLE = 2, 10, timedelta(minutes=5)
HOLDER = "4711-abcdef"
CAUSE = "模型没有回答。"


def listed(
    connection: apsw.Connection, now: datetime = LATER, idle: timedelta = IDLE
) -> tuple[Job, ...]:
    return counts.list_jobs(connection, now, CAPACITY, BATCH, idle)


def fail(connection: apsw.Connection, kind: str, again: datetime | None, scope: int = 1) -> None:
    assert jobs.claim(connection, kind, scope, HOLDER, LATER) is not None
    jobs.record_failure(connection, kind, scope, HOLDER, CAUSE, again)


def overflow(connection: apsw.Connection, pages: int = 3, scope: Scope = SCOPE) -> None:
    for _ in range(pages):
        add_page(connection, scope=scope)


def embed(connection: apsw.Connection, key: int, model: str, pieces: int = 1) -> None:
    rows = np.ones((pieces, 2), np.float32)
    vectors.set_vectors(connection, key, Kind.PAGE, 1, model, rows)


# --- tiers


def test_an_empty_memory_counts_nothing(connection: apsw.Connection) -> None:
    found = counts.count_tiers(connection, CAPACITY)
    none = FactCounts(current=0, superseded=0, retired=0)
    assert (found.short_term_pages, found.waiting_pages, found.segment_pages) == (0, 0, 0)
    assert (found.user_facts, found.assistant_facts, found.profiles) == (none, none, 0)


def test_pages_are_counted_where_they_are(connection: apsw.Connection) -> None:
    placed = [add_page(connection) for _ in range(4)]
    live = place(connection, *placed[:3])
    retired = place(connection, placed[3])
    connection.execute("UPDATE segment SET retired_at = 'x' WHERE key = ?", (retired,))
    overflow(connection, 5)
    overflow(connection, 1, OTHER)
    found = counts.count_tiers(connection, CAPACITY)
    assert live
    assert (found.short_term_pages, found.waiting_pages) == (3, 3)
    assert (found.segments, found.retired_segments, found.segment_pages) == (1, 1, 4)


def test_a_scope_is_counted_by_itself(connection: apsw.Connection) -> None:
    overflow(connection, 3)
    overflow(connection, 1, OTHER)
    mine = counts.count_tiers(connection, CAPACITY, 1)
    theirs = counts.count_tiers(connection, CAPACITY, scope_key(connection, OTHER))
    nobody = counts.count_tiers(connection, CAPACITY, 0)
    assert [(c.short_term_pages, c.waiting_pages) for c in (mine, theirs, nobody)] == [
        (2, 1),
        (1, 0),
        (0, 0),
    ]
    assert counts.count_scopes(connection) == (2, 2)


def test_facts_are_counted_by_side_and_by_what_became_of_them(connection: apsw.Connection) -> None:
    state(connection, "lives in Lisbon", attribute="home")
    state(connection, "lives in Porto", day(1), attribute="home")
    state(connection, "has a dog")
    state(connection, "is called Ada", about=About.ASSISTANT)
    facts.retire_facts(connection, 1, About.USER, 1, LATER)
    found = counts.count_tiers(connection, CAPACITY)
    assert found.user_facts == FactCounts(current=1, superseded=1, retired=1)
    assert found.assistant_facts == FactCounts(current=1, superseded=0, retired=0)


# --- jobs


def test_nothing_to_do_is_no_job(connection: apsw.Connection) -> None:
    overflow(connection, CAPACITY)
    assert listed(connection) == ()


def test_pages_that_overflow_are_a_job_before_anybody_claims_it(
    connection: apsw.Connection,
) -> None:
    overflow(connection, 3, OTHER)
    (job,) = listed(connection, LATER + IDLE)
    assert (job.kind, job.state, job.attempts, job.not_before) == ("place", JobState.DUE, 0, None)
    assert (job.user_id, job.assistant_id) == (OTHER.user_id, OTHER.assistant_id)


def test_a_batch_that_may_still_fill_waits(connection: apsw.Connection) -> None:
    overflow(connection)
    (job,) = listed(connection)
    assert (job.state, job.not_before) == (JobState.WAITING, LATER + IDLE)
    (job,) = listed(connection, idle=timedelta(0))
    assert job.state is JobState.DUE


def test_a_claimed_job_names_the_process_at_work(connection: apsw.Connection) -> None:
    overflow(connection)
    jobs.claim(connection, "place", 1, HOLDER, LATER)
    (job,) = listed(connection)
    assert (job.state, job.holder_pid) == (JobState.RUNNING, 4711)


@pytest.mark.parametrize("later", [jobs.LEASE, -timedelta(days=1)])
def test_a_job_of_a_dead_process_is_due_again(
    connection: apsw.Connection, later: timedelta
) -> None:
    overflow(connection)
    jobs.claim(connection, "place", 1, HOLDER, LATER)
    (job,) = listed(connection, LATER + later)
    assert (job.state, job.holder_pid) == (JobState.DUE, None)


def test_a_failed_job_waits_for_its_next_try_with_the_cause(connection: apsw.Connection) -> None:
    overflow(connection)
    again = LATER + timedelta(minutes=1)
    fail(connection, "place", again)
    (job,) = listed(connection)
    assert (job.state, job.attempts, job.last_error) == (JobState.WAITING, 1, CAUSE)
    assert job.not_before == again
    (job,) = listed(connection, again)
    assert (job.state, job.attempts, job.not_before) == (JobState.DUE, 1, None)


def test_parked_jobs_come_last_and_running_ones_first(connection: apsw.Connection) -> None:
    overflow(connection)
    overflow(connection, 3, OTHER)
    fail(connection, "place", None)
    jobs.claim(connection, "place", 2, HOLDER, LATER)
    jobs.claim(connection, "digest", 2, HOLDER, LATER)
    assert [job.state for job in listed(connection)] == [
        JobState.RUNNING,
        JobState.RUNNING,
        JobState.PARKED,
    ]


@pytest.mark.parametrize("kind", ["place", "digest"])
def test_a_failure_with_nothing_left_to_do_is_no_job(
    connection: apsw.Connection, kind: str
) -> None:
    fail(connection, kind, LATER)
    assert listed(connection) == ()
    overflow(connection)
    place(connection, 1, 2, 3)
    assert [job.kind for job in listed(connection)] == ["digest"] * (kind == "digest")


# --- vectors


def test_memories_are_counted_by_the_model_of_their_vectors(connection: apsw.Connection) -> None:
    keys = [add_page(connection) for _ in range(3)]
    for key in keys:
        embed(connection, key, "old", pieces=3)
    embed(connection, keys[0], "模型")
    assert counts.count_memories(connection) == (3, {"old": 3, "模型": 1})


def test_a_model_that_has_no_vector_yet_is_named(connection: apsw.Connection) -> None:
    connection.execute("INSERT INTO embedder VALUES ('new', '{}', 2, 0.5, NULL, '2026-01-01')")
    assert counts.count_memories(connection) == (0, {"new": 0})
    assert counts.last_model(connection) == ""
    connection.execute("INSERT INTO embedder VALUES ('old', '{}', 2, 0.5, 'x', '2025-01-01')")
    assert counts.last_model(connection) == "old"


def test_the_progress_of_an_index_is_counted_in_vectors(connection: apsw.Connection) -> None:
    for key in [add_page(connection) for _ in range(3)]:
        embed(connection, key, "m", pieces=2)
        embed(connection, key, "other")
    progress = [counts.index_progress(connection, "m", [Kind.PAGE], at) for at in (0, 4, 99)]
    assert progress == [(6, 0), (6, 3), (6, 6)]
    assert counts.index_progress(connection, "m", [Kind.FACT], 99) == (0, 0)
