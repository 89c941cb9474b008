"""What digests did not read, and what they did not take: counts by reason, never the text."""

from collections.abc import Sequence

import apsw

from memory_core.junk import Refusal
from memory_core.status_records import RefusedCount
from memory_core.store.rows import marks, select


def record(
    connection: apsw.Connection, scope: int, page_keys: Sequence[int], refusals: Sequence[Refusal]
) -> None:
    """Note what the digest of these pages refused, in the place of what an earlier one did."""
    connection.execute(f"DELETE FROM refused WHERE page IN ({marks(page_keys)})", tuple(page_keys))
    connection.executemany(
        "INSERT INTO refused (scope, page, side, reason, characters) VALUES (?, ?, ?, ?, ?)",
        [(scope, one.page_key, one.side, one.reason, one.characters) for one in refusals],
    )


def counted(
    connection: apsw.Connection, scopes: Sequence[int] | None = None
) -> tuple[RefusedCount, ...]:
    """How much was refused in these scopes (None: in all), by side and reason, most first."""
    own = "" if scopes is None else f"WHERE scope IN ({marks(scopes)})"
    sql = f"""
        SELECT side, reason, count(*), sum(characters) FROM refused {own}
        GROUP BY side, reason ORDER BY count(*) DESC, side, reason
    """
    return tuple(
        RefusedCount(side=side, reason=reason, count=count, characters=characters)
        for side, reason, count, characters in select(connection, sql, tuple(scopes or ()))
    )
