"""Pages: the short-term window, the overflow that waits, and reading back by key."""

import json
from collections.abc import Sequence
from datetime import datetime
from typing import Any

import apsw

from memory_core.records import Added, Kind, Page, PageDraft, Scope
from memory_core.store.rows import (
    add_words,
    from_column,
    insert_memory,
    marks,
    scope_key,
    select,
)

COLUMNS = """
    page.key, memory.id, page.user_input, page.agent_response, memory.at, page.meta_data,
    page.segment
"""
FROM = "FROM page JOIN memory USING (key)"


def add_page(
    connection: apsw.Connection, scope: Scope, draft: PageDraft, now: datetime, capacity: int
) -> Added:
    """Store one page with its words, and count the window."""
    owner = scope_key(connection, scope)
    key, id = insert_memory(connection, Kind.PAGE, owner, draft.at, now)
    connection.execute(
        "INSERT INTO page (key, scope, user_input, agent_response, meta_data)"
        " VALUES (?, ?, ?, ?, ?)",
        (
            key,
            owner,
            draft.user_input,
            draft.agent_response,
            json.dumps(dict(draft.meta_data), ensure_ascii=False),
        ),
    )
    texts = (searchable_date(draft.at), draft.user_input, draft.agent_response)
    add_words(connection, key, Kind.PAGE, owner, texts)
    waiting = count_unplaced(connection, (owner,))
    return Added(
        id=id,
        at=draft.at,
        short_term_count=min(waiting, capacity),
        pending=max(0, waiting - capacity),
    )


def searchable_date(at: datetime) -> str:
    """A date as people ask for it; dates in the searched text gain 3 points of recall."""
    return f"{at:%Y-%m-%d} {MONTHS[at.month - 1]} {at.year}年{at.month}月{at.day}日"


MONTHS = (
    "January", "February", "March", "April", "May", "June",
    "July", "August", "September", "October", "November", "December",
)  # fmt: skip


def count_unplaced(connection: apsw.Connection, scopes: Sequence[int]) -> int:
    """Pages without a segment: the window and what waits behind it."""
    sql = f"SELECT count(*) FROM page WHERE segment IS NULL AND scope IN ({marks(scopes)})"
    return int(select(connection, sql, tuple(scopes))[0][0])


def window(connection: apsw.Connection, scopes: Sequence[int], capacity: int) -> tuple[Page, ...]:
    """The newest unplaced pages of these scopes, oldest first: short-term memory."""
    sql = f"""
        SELECT {COLUMNS} {FROM}
        WHERE page.segment IS NULL AND page.scope IN ({marks(scopes)})
        ORDER BY page.key DESC LIMIT ?
    """
    rows = connection.execute(sql, (*scopes, capacity)).fetchall()
    return tuple(page_from(row) for row in reversed(rows))


def overflow(
    connection: apsw.Connection, scope: int, capacity: int, limit: int
) -> tuple[Page, ...]:
    """The oldest pages beyond the window, oldest first, at most `limit`."""
    pending = max(0, count_unplaced(connection, (scope,)) - capacity)
    sql = f"""
        SELECT {COLUMNS} {FROM} WHERE page.segment IS NULL AND page.scope = ?
        ORDER BY page.key LIMIT ?
    """
    rows = connection.execute(sql, (scope, min(limit, pending)))
    return tuple(page_from(row) for row in rows)


def pages_by_key(connection: apsw.Connection, keys: Sequence[int]) -> dict[int, Page]:
    """Those of the pages that exist."""
    sql = f"SELECT {COLUMNS} {FROM} WHERE page.key IN ({marks(keys)})"
    return {row[0]: page_from(row) for row in connection.execute(sql, tuple(keys))}


def pages_by_id(connection: apsw.Connection, ids: Sequence[str]) -> tuple[Page, ...]:
    """Those of the pages that exist, by their public ids, in order of arrival."""
    sql = f"SELECT {COLUMNS} {FROM} WHERE memory.id IN ({marks(ids)}) ORDER BY page.key"
    return tuple(page_from(row) for row in connection.execute(sql, tuple(ids)))


def page_from(row: Sequence[Any]) -> Page:
    key, id, user_input, agent_response, at, meta_data, segment = row
    return Page(
        key=key,
        id=id,
        user_input=user_input,
        agent_response=agent_response,
        at=from_column(at),
        # Most have none, and a question reads hundreds of pages.
        meta_data={} if meta_data == "{}" else json.loads(meta_data),
        segment_key=segment,
    )
