"""What was refused: counted by reason, once for each page, and whose it is."""

from dataclasses import replace

import apsw

from memory_core.junk import Reason, Refusal, Side
from memory_core.status_records import RefusedCount
from memory_core.store import refused
from memory_core.store.rows import scope_key
from tests.store.filled import SCOPE, add_page


def refusal(
    page: int | None, reason: Reason = Reason.CODE, side: Side = Side.USER, characters: int = 100
) -> Refusal:
    return Refusal(page_key=page, side=side, reason=reason, characters=characters)


def count(side: str, reason: str, count: int, characters: int) -> RefusedCount:
    return RefusedCount(side=side, reason=reason, count=count, characters=characters)


def test_what_was_refused_is_counted_by_side_and_reason(connection: apsw.Connection) -> None:
    first, second = add_page(connection, "one"), add_page(connection, "two")
    noted = [
        refusal(first),
        refusal(second, characters=20),
        refusal(first, Reason.LOG, Side.ASSISTANT, 7),
        refusal(None, Reason.NO_SOURCE, Side.MODEL, 30),
    ]
    refused.record(connection, 1, [first, second], noted)
    assert refused.counted(connection) == (
        count("user", "code", 2, 120),
        count("assistant", "log", 1, 7),
        count("model", "no source", 1, 30),
    )


def test_digesting_pages_again_counts_them_once(connection: apsw.Connection) -> None:
    first, second = add_page(connection, "one"), add_page(connection, "two")
    refused.record(connection, 1, [first, second], [refusal(first), refusal(second, Reason.LOG)])
    refused.record(connection, 1, [first], [refusal(first, Reason.RECALLED)])
    assert {one.reason for one in refused.counted(connection)} == {"recalled", "log"}
    refused.record(connection, 1, [first, second], [])
    assert refused.counted(connection) == ()


def test_each_scope_has_its_own_counts(connection: apsw.Connection) -> None:
    other = replace(SCOPE, user_id="other")
    mine, theirs = add_page(connection, "one"), add_page(connection, "two", scope=other)
    scope = scope_key(connection, other)
    refused.record(connection, 1, [mine], [refusal(mine)])
    refused.record(connection, scope, [theirs], [refusal(theirs), refusal(None, Reason.QUESTION)])
    assert refused.counted(connection, [1]) == (count("user", "code", 1, 100),)
    assert len(refused.counted(connection, [scope])) == 2
    assert refused.counted(connection, []) == ()
    assert refused.counted(connection)[0] == count("user", "code", 2, 200)


def test_a_page_that_goes_takes_its_counts_along(connection: apsw.Connection) -> None:
    page = add_page(connection, "one")
    refused.record(connection, 1, [page], [refusal(page)])
    connection.execute("DELETE FROM words WHERE rowid = ?", (page,))
    connection.execute("DELETE FROM memory WHERE key = ?", (page,))
    assert refused.counted(connection) == ()
