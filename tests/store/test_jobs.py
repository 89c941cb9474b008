"""Jobs: claimed by one process at a time, taken over from the dead, put off, parked, rearmed."""

from datetime import datetime, timedelta

import apsw

from memory_core.records import FailedJob
from memory_core.store import jobs
from memory_core.store.rows import scope_key
from tests.store.filled import NOW, SCOPE, day

ME, OTHER = "1-a", "2-b"


def claim(
    connection: apsw.Connection,
    kind: str,
    scope: int,
    holder: str,
    now: datetime,
    dead: tuple[str, ...] = (),
) -> int | None:
    return jobs.claim(connection, kind, scope, holder, now, dead.__contains__)


def are_held(connection: apsw.Connection, holder: str, now: datetime) -> bool:
    return jobs.are_held(connection, holder, now, lambda _: False)


def fail(
    connection: apsw.Connection, error: str, again: datetime | None, kind: str = "place"
) -> None:
    """One attempt that came to nothing; it was due when it began."""
    assert claim(connection, kind, 1, ME, again or NOW) is not None
    jobs.record_failure(connection, kind, 1, ME, error, again)


def test_a_job_is_claimed_by_one_process_at_a_time(connection: apsw.Connection) -> None:
    assert claim(connection, "place", 1, ME, NOW) == 0
    assert claim(connection, "place", 1, OTHER, NOW) is None
    assert claim(connection, "digest", 1, OTHER, NOW) == 0
    assert are_held(connection, OTHER, NOW)
    jobs.finish(connection, "place", 1, OTHER)
    assert claim(connection, "place", 1, OTHER, NOW) is None
    jobs.finish(connection, "place", 1, ME)
    assert claim(connection, "place", 1, OTHER, NOW) == 0
    assert not are_held(connection, OTHER, NOW)


def test_the_job_of_a_dead_process_is_taken_over_when_its_lease_has_run_out(
    connection: apsw.Connection,
) -> None:
    claim(connection, "place", 1, ME, NOW)
    late = NOW + jobs.LEASE - timedelta(seconds=1)
    jobs.renew(connection, ME, late)
    assert claim(connection, "place", 1, OTHER, NOW + jobs.LEASE) is None
    assert jobs.next_try(connection, NOW) == late + jobs.LEASE
    assert not are_held(connection, OTHER, late + jobs.LEASE)
    assert claim(connection, "place", 1, OTHER, late + jobs.LEASE) == 0
    # What the dead one still has to say changes nothing.
    jobs.record_failure(connection, "place", 1, ME, "Down.", None)
    jobs.finish(connection, "place", 1, ME)
    assert jobs.failures(connection, (1,)) == ()
    assert are_held(connection, ME, late + jobs.LEASE)


def test_the_job_of_a_process_that_is_seen_to_be_dead_is_taken_over_at_once(
    connection: apsw.Connection,
) -> None:
    claim(connection, "place", 1, OTHER, NOW)
    assert not jobs.are_held(connection, ME, NOW, lambda holder: holder == OTHER)
    assert claim(connection, "place", 1, ME, NOW, dead=("3-c",)) is None
    assert claim(connection, "place", 1, ME, NOW, dead=(OTHER,)) == 0


def test_a_lease_or_a_wait_from_before_the_clock_was_set_back_holds_nothing_up(
    connection: apsw.Connection,
) -> None:
    claim(connection, "place", 1, OTHER, day(30))
    assert not are_held(connection, ME, NOW)
    assert claim(connection, "place", 1, ME, NOW) == 0
    jobs.record_failure(connection, "place", 1, ME, "Down.", day(30))
    assert claim(connection, "place", 1, ME, NOW) == 1


def test_a_failed_job_waits_for_its_time_and_keeps_its_last_cause(
    connection: apsw.Connection,
) -> None:
    fail(connection, "The endpoint is down.", NOW)
    fail(connection, "请检查密钥。", NOW + timedelta(hours=1))
    moments = (NOW, NOW + timedelta(minutes=59), NOW + timedelta(hours=1))
    claims = [claim(connection, "place", 1, OTHER, moment) for moment in moments]
    assert claims == [None, None, 2]
    assert jobs.failures(connection, (1,)) == (
        FailedJob(
            kind="place",
            attempts=2,
            last_error="请检查密钥。",
            not_before=NOW + timedelta(hours=1),
        ),
    )


def test_a_job_of_another_kind_or_scope_does_not_wait_with_it(connection: apsw.Connection) -> None:
    other = scope_key(connection, SCOPE.__class__(user_id="other", assistant_id="a"))
    fail(connection, "Down.", NOW + timedelta(hours=1))
    assert claim(connection, "digest", 1, ME, NOW) == 0
    assert claim(connection, "place", other, ME, NOW) == 0
    assert jobs.failures(connection, (other,)) == ()
    assert jobs.failures(connection, ()) == ()


def test_a_parked_job_gets_one_more_chance_at_each_new_start(connection: apsw.Connection) -> None:
    fail(connection, "Down.", None)
    assert claim(connection, "place", 1, ME, day(10_000)) is None
    assert jobs.next_try(connection, NOW) is None
    jobs.rearm(connection, day(1))
    assert claim(connection, "place", 1, ME, day(1)) == 1


def test_a_new_start_takes_no_job_from_the_process_that_is_at_it(
    connection: apsw.Connection,
) -> None:
    fail(connection, "Down.", NOW)
    claim(connection, "place", 1, ME, NOW)
    jobs.rearm(connection, NOW)
    assert claim(connection, "place", 1, OTHER, NOW) is None


def test_success_forgets_the_failures_of_its_job_only(connection: apsw.Connection) -> None:
    for kind in ("digest", "place"):
        fail(connection, "Down.", NOW, kind)
    claim(connection, "place", 1, ME, NOW)
    jobs.finish(connection, "place", 1, ME)
    jobs.finish(connection, "place", 1, ME)
    assert [job.kind for job in jobs.failures(connection, (1,))] == ["digest"]
    assert claim(connection, "place", 1, ME, NOW) == 0


def test_who_gives_up_its_leases_keeps_what_failed(connection: apsw.Connection) -> None:
    fail(connection, "Down.", NOW)
    for kind in ("digest", "place"):
        claim(connection, kind, 1, ME, NOW)
    jobs.release(connection, ME)
    assert claim(connection, "place", 1, OTHER, NOW) == 1
    assert claim(connection, "digest", 1, OTHER, NOW) == 0


def test_the_next_try_is_the_first_still_to_come(connection: apsw.Connection) -> None:
    """What was due and is no longer must not keep the background task awake."""
    assert jobs.next_try(connection, NOW) is None
    soon, later = NOW + timedelta(hours=1), NOW + timedelta(hours=2)
    fail(connection, "Down.", NOW - timedelta(hours=1), "gone")
    fail(connection, "Down.", later)
    fail(connection, "Down.", soon, "digest")
    fail(connection, "Down.", None, "parked")
    assert jobs.next_try(connection, NOW) == soon
    assert jobs.next_try(connection, soon) == later
    assert jobs.next_try(connection, later) is None
