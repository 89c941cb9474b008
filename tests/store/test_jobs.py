"""Failed work: counted, put off, parked, and forgotten when it succeeds or at a new start."""

import apsw

from memory_core.records import FailedJob
from memory_core.store import jobs
from memory_core.store.rows import scope_key
from tests.store.filled import NOW, SCOPE, day


def test_work_that_never_failed_may_be_tried(connection: apsw.Connection) -> None:
    assert jobs.may_try(connection, "place", 1, NOW)
    assert jobs.attempts_of(connection, "place", 1) == 0
    assert jobs.failures(connection, (1,)) == ()
    assert jobs.next_try(connection, NOW) is None


def test_failed_work_waits_for_its_time_and_keeps_its_last_cause(
    connection: apsw.Connection,
) -> None:
    jobs.record_failure(connection, "place", 1, "The endpoint is down.", day(1))
    jobs.record_failure(connection, "place", 1, "请检查密钥。", day(2))
    assert [jobs.may_try(connection, "place", 1, day(n)) for n in (1, 2, 3)] == [False, True, True]
    assert jobs.attempts_of(connection, "place", 1) == 2
    assert jobs.failures(connection, (1,)) == (
        FailedJob(kind="place", attempts=2, last_error="请检查密钥。", not_before=day(2)),
    )


def test_work_of_another_kind_or_scope_does_not_wait_with_it(connection: apsw.Connection) -> None:
    other = scope_key(connection, SCOPE.__class__(user_id="other", assistant_id="a"))
    jobs.record_failure(connection, "place", 1, "Down.", day(1))
    assert jobs.may_try(connection, "digest", 1, NOW)
    assert jobs.may_try(connection, "place", other, NOW)
    assert jobs.failures(connection, (other,)) == ()
    assert jobs.failures(connection, ()) == ()


def test_parked_work_is_never_tried_until_a_new_start(connection: apsw.Connection) -> None:
    jobs.record_failure(connection, "place", 1, "Down.", None)
    assert not jobs.may_try(connection, "place", 1, day(10_000))
    assert jobs.next_try(connection, NOW) is None
    jobs.rearm(connection)
    assert jobs.may_try(connection, "place", 1, NOW)
    assert jobs.attempts_of(connection, "place", 1) == 0


def test_success_forgets_the_failures_of_its_work_only(connection: apsw.Connection) -> None:
    for kind in ("digest", "place"):
        jobs.record_failure(connection, kind, 1, "Down.", day(1))
    jobs.record_success(connection, "place", 1)
    jobs.record_success(connection, "place", 1)
    assert [job.kind for job in jobs.failures(connection, (1,))] == ["digest"]
    assert jobs.attempts_of(connection, "place", 1) == 0


def test_the_next_try_is_the_first_still_to_come(connection: apsw.Connection) -> None:
    """What was due and is no longer must not keep the background task awake."""
    jobs.record_failure(connection, "gone", 1, "Down.", day(-1))
    jobs.record_failure(connection, "place", 1, "Down.", day(2))
    jobs.record_failure(connection, "digest", 1, "Down.", day(1))
    jobs.record_failure(connection, "parked", 1, "Down.", None)
    assert jobs.next_try(connection, NOW) == day(1)
    assert jobs.next_try(connection, day(1)) == day(2)
    assert jobs.next_try(connection, day(2)) is None
