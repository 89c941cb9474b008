"""Segments: where pages are placed, what is hot, what is retired."""

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any

import apsw

from memory_core.records import HEURISTIC, Kind, Page, Segment
from memory_core.short_term import Overflow
from memory_core.store.pages import COLUMNS as PAGE_COLUMNS
from memory_core.store.pages import FROM as FROM_PAGE
from memory_core.store.pages import page_from
from memory_core.store.rows import (
    from_column,
    insert_memory,
    marks,
    select,
    to_column,
)

COLUMNS = """
    segment.key, memory.id, segment.title, segment.summary, segment.keywords, segment.visits,
    segment.last_visit_at, segment.news, segment.made_by,
    (SELECT count(*) FROM page WHERE page.segment = segment.key),
    (SELECT count(*) FROM page WHERE page.segment = segment.key AND page.digested_by IS NULL)
"""
FROM = "FROM segment JOIN memory USING (key)"


@dataclass(frozen=True, slots=True, kw_only=True)
class Placement:
    """Pages that join a segment, and what the segment says after they did.

    segment_key: the segment joined, or None for a new one; at: event time of the newest page;
    news: as in `Segment`.
    """

    segment_key: int | None
    page_keys: tuple[int, ...]
    title: str
    summary: str
    keywords: tuple[str, ...]
    at: datetime
    news: bool


class StalePlan(Exception):
    """The pages were placed by another process meanwhile; nothing was changed. Plan again."""


def overflows(connection: apsw.Connection, capacity: int) -> list[Overflow]:
    """Scopes with more unplaced pages than their window holds."""
    sql = """
        SELECT scope, count(*), max(key) FROM page WHERE segment IS NULL
        GROUP BY scope HAVING count(*) > ?
    """
    newest = "SELECT recorded_at FROM memory WHERE key = ?"
    return [
        Overflow(
            scope_key=scope,
            pending=count - capacity,
            last_added_at=from_column(select(connection, newest, (key,))[0][0]),
        )
        for scope, count, key in select(connection, sql, (capacity,))
    ]


def undigested_segments(connection: apsw.Connection) -> dict[int, list[Segment]]:
    """Segments with pages not yet digested, by scope."""
    sql = f"""
        SELECT segment.scope, {COLUMNS} {FROM} WHERE segment.retired_at IS NULL
        AND EXISTS (
            SELECT 1 FROM page WHERE page.scope = segment.scope AND page.segment = segment.key
            AND page.segment IS NOT NULL AND page.digested_by IS NULL
        )
    """
    found: dict[int, list[Segment]] = {}
    for scope, *row in select(connection, sql):
        found.setdefault(scope, []).append(segment_from(row))
    return found


def live_segments(connection: apsw.Connection, scopes: Sequence[int]) -> tuple[Segment, ...]:
    """All segments that are not retired."""
    sql = f"SELECT {COLUMNS} {FROM} WHERE segment.retired_at IS NULL AND segment.scope IN "
    rows = connection.execute(f"{sql} ({marks(scopes)}) ORDER BY segment.key", tuple(scopes))
    return tuple(segment_from(row) for row in rows)


def count_live(connection: apsw.Connection, scope: int) -> int:
    """How many segments of a scope are not retired."""
    sql = "SELECT count(*) FROM segment WHERE scope = ? AND retired_at IS NULL"
    return int(select(connection, sql, (scope,))[0][0])


def segments_by_rules(connection: apsw.Connection, scope: int, limit: int) -> tuple[Segment, ...]:
    """The oldest of a scope's segments in whose words rules have a part."""
    sql = f"""
        SELECT {COLUMNS} {FROM} WHERE segment.scope = ? AND segment.made_by = ?
        AND segment.retired_at IS NULL
        AND EXISTS (SELECT 1 FROM page WHERE page.segment = segment.key)
        ORDER BY segment.key LIMIT ?
    """
    return tuple(segment_from(row) for row in select(connection, sql, (scope, HEURISTIC, limit)))


def segments_by_key(connection: apsw.Connection, keys: Sequence[int]) -> dict[int, Segment]:
    """Those of the segments that exist and are not retired."""
    sql = f"SELECT {COLUMNS} {FROM} WHERE segment.retired_at IS NULL AND segment.key IN "
    rows = connection.execute(f"{sql} ({marks(keys)})", tuple(keys))
    return {row[0]: segment_from(row) for row in rows}


def apply_placement(
    connection: apsw.Connection, scope: int, placement: Placement, made_by: str, now: datetime
) -> int:
    """Move pages from the window into a segment, in whole or not at all.

    Returns:
        The segment's key.

    Raises:
        StalePlan: one of the pages is no longer in the window, or the segment is gone.
    """
    key = placement.segment_key
    if key is None:
        key, _ = insert_memory(connection, Kind.SEGMENT, scope, placement.at, now)
        _insert_segment(connection, key, scope, placement, made_by)
    else:
        _update_segment(connection, key, placement, made_by)
    for page_key in placement.page_keys:
        connection.execute(
            "UPDATE page SET segment = ? WHERE key = ? AND scope = ? AND segment IS NULL",
            (key, page_key, scope),
        )
        if connection.changes() != 1:
            raise StalePlan
    return key


def _insert_segment(
    connection: apsw.Connection, key: int, scope: int, placement: Placement, made_by: str
) -> None:
    connection.execute(
        "INSERT INTO segment (key, scope, title, summary, keywords, last_visit_at, news, made_by)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (
            key,
            scope,
            placement.title,
            placement.summary,
            json.dumps(placement.keywords, ensure_ascii=False),
            to_column(placement.at),
            placement.news,
            made_by,
        ),
    )


def _update_segment(
    connection: apsw.Connection, key: int, placement: Placement, made_by: str
) -> None:
    # What rules have a part in is said anew once there is a model.
    connection.execute(
        "UPDATE segment SET title = ?, summary = ?, keywords = ?,"
        " made_by = CASE WHEN made_by = ? THEN made_by ELSE ? END,"
        " last_visit_at = max(last_visit_at, ?), news = max(news, ?)"
        " WHERE key = ? AND retired_at IS NULL",
        (
            placement.title,
            placement.summary,
            json.dumps(placement.keywords, ensure_ascii=False),
            HEURISTIC,
            made_by,
            to_column(placement.at),
            placement.news,
            key,
        ),
    )
    if connection.changes() != 1:
        raise StalePlan


def retell(connection: apsw.Connection, segment: Segment, made_by: str) -> bool:
    """Store what a segment says anew of the same pages.

    Returns:
        False: pages joined it meanwhile, or another process retold it; it stays as it is.
    """
    connection.execute(
        "UPDATE segment SET title = ?, summary = ?, keywords = ?, made_by = ?"
        " WHERE key = ? AND made_by = ?"
        " AND (SELECT count(*) FROM page WHERE page.segment = segment.key) = ?",
        (
            segment.title,
            segment.summary,
            json.dumps(segment.keywords, ensure_ascii=False),
            made_by,
            segment.key,
            segment.made_by,
            segment.pages,
        ),
    )
    return connection.changes() == 1


def pages_of(
    connection: apsw.Connection, segment_keys: Sequence[int], *, undigested: bool = False
) -> tuple[Page, ...]:
    """Pages of these segments in order of arrival; only those not yet digested, if asked so."""
    condition = "AND page.digested_by IS NULL" if undigested else ""
    sql = f"""
        SELECT {PAGE_COLUMNS} {FROM_PAGE}
        WHERE page.segment IN ({marks(segment_keys)}) {condition} ORDER BY page.key
    """
    return tuple(page_from(row) for row in connection.execute(sql, tuple(segment_keys)))


def page_before(connection: apsw.Connection, scope: int, key: int) -> Page | None:
    """The page that came in just before this one, if there is one."""
    sql = f"""
        SELECT {PAGE_COLUMNS} {FROM_PAGE} WHERE page.scope = ? AND page.key < ?
        ORDER BY page.key DESC LIMIT 1
    """
    rows = select(connection, sql, (scope, key))
    return page_from(rows[0]) if rows else None


def mark_digested(
    connection: apsw.Connection, segment_keys: Sequence[int], page_keys: Sequence[int], by: str
) -> None:
    """After a digest only what is new counts: its pages are done, visits start again (3.3)."""
    for key in page_keys:
        connection.execute(
            "UPDATE page SET digested_by = ? WHERE key = ? AND digested_by IS NULL", (by, key)
        )
        if connection.changes() != 1:
            raise StalePlan
    for key in segment_keys:
        connection.execute("UPDATE segment SET visits = 0, news = 0 WHERE key = ?", (key,))


def visit(connection: apsw.Connection, segment_keys: Sequence[int], now: datetime) -> None:
    """Count a recall of these segments: they warm up."""
    for key in segment_keys:
        connection.execute(
            "UPDATE segment SET visits = visits + 1, last_visit_at = max(last_visit_at, ?)"
            " WHERE key = ?",
            (to_column(now), key),
        )


def retire_segments(connection: apsw.Connection, keys: Sequence[int], now: datetime) -> None:
    """Take segments out of the mid-term; their pages stay findable."""
    for key in keys:
        connection.execute("UPDATE segment SET retired_at = ? WHERE key = ?", (to_column(now), key))


def segment_from(row: Sequence[Any]) -> Segment:
    (key, id, title, summary, keywords, visits, last_visit_at, news, made_by, pages,
     undigested) = row  # fmt: skip
    return Segment(
        key=key,
        id=id,
        title=title,
        summary=summary,
        keywords=tuple(json.loads(keywords)),
        visits=visits,
        last_visit_at=from_column(last_visit_at),
        pages=pages,
        undigested=undigested,
        news=bool(news),
        made_by=made_by,
    )
