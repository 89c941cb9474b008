"""What all rows share: ids, times as text, scopes as data."""

from datetime import UTC, datetime, timedelta, timezone

import apsw
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.records import Kind, Scope
from memory_core.store.rows import (
    ID_ALPHABET,
    find_scopes,
    from_column,
    insert_memory,
    new_id,
    scope_key,
    to_column,
)
from tests.store.filled import NOW, SCOPE, day

moments = st.datetimes(timezones=st.just(UTC))


@settings(deadline=None)
@given(left=moments, right=moments)
def test_times_come_back_as_they_were_and_their_order_is_that_of_their_texts(
    left: datetime, right: datetime
) -> None:
    assert from_column(to_column(left)) == left
    assert (to_column(left) < to_column(right)) == (left < right)


def test_times_are_kept_in_utc() -> None:
    east = NOW.astimezone(timezone(timedelta(hours=8)))
    assert to_column(east) == to_column(NOW) == "2026-05-01T12:00:00.000000+00:00"
    assert from_column(to_column(east)).utcoffset() == timedelta(0)


def test_ids_are_distinct_short_and_free_of_letters_that_are_mixed_up() -> None:
    ids = {new_id("page") for _ in range(2_000)}
    assert len(ids) == 2_000
    assert {len(id) for id in ids} == {len("page_") + 12}
    used = set("".join(id.removeprefix("page_") for id in ids))
    assert used == set(ID_ALPHABET)
    assert used.isdisjoint("ilou")


def test_keys_are_the_order_of_arrival_and_never_used_again(connection: apsw.Connection) -> None:
    first, id = insert_memory(connection, Kind.FACT, 1, day(5), NOW)
    connection.execute("DELETE FROM memory WHERE key = ?", (first,))
    second, _ = insert_memory(connection, Kind.SEGMENT, 1, day(-5), NOW)
    assert second > first
    assert id.startswith("fact_")


def test_a_memory_of_an_unknown_scope_is_refused(connection: apsw.Connection) -> None:
    with pytest.raises(apsw.ConstraintError):
        insert_memory(connection, Kind.PAGE, 99, NOW, NOW)


def test_a_scope_is_made_once_and_each_of_its_three_names_counts(
    connection: apsw.Connection,
) -> None:
    scopes = [
        SCOPE,
        Scope(user_id="a", assistant_id="u"),
        Scope(user_id="U", assistant_id="a"),
        Scope(user_id="u ", assistant_id="a"),
        Scope(user_id="", assistant_id=""),
        Scope(user_id="u", assistant_id="a", cube="c"),
        Scope(user_id="'; DROP TABLE scope; --", assistant_id="猫\x00"),
    ]
    keys = [scope_key(connection, scope) for scope in scopes]
    assert keys == [scope_key(connection, scope) for scope in scopes]
    assert len({*keys}) == len(scopes)
    assert find_scopes(connection, scopes[::-1]) == tuple(keys[::-1])


def test_looking_for_a_scope_makes_none(connection: apsw.Connection) -> None:
    assert find_scopes(connection, [Scope(user_id="nobody", assistant_id="a"), SCOPE]) == (1,)
    assert connection.execute("SELECT count(*) FROM scope").fetchone() == (1,)
