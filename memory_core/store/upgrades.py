"""What rules have digested, and what a model makes of it."""

from collections.abc import Sequence
from datetime import datetime

import apsw

from memory_core.junk import Refusal
from memory_core.records import HEURISTIC, About, FactDraft, Page, Profile, ProfileLine, Segment
from memory_core.store import facts, profiles, refused
from memory_core.store.pages import COLUMNS, FROM, page_from
from memory_core.store.rows import select
from memory_core.store.segments import StalePlan, retell


def scopes_to_upgrade(connection: apsw.Connection) -> tuple[int, ...]:
    """Scopes in which rules have digested a page, arranged the profile or told a segment."""
    sql = """
        SELECT key FROM scope WHERE EXISTS (
            SELECT 1 FROM page WHERE page.scope = scope.key AND digested_by = 'heuristic')
        UNION SELECT scope FROM profile AS last WHERE made_by = 'heuristic' AND NOT EXISTS (
            SELECT 1 FROM profile WHERE scope = last.scope AND version > last.version)
        UNION SELECT scope FROM segment WHERE made_by = 'heuristic' AND retired_at IS NULL
            AND EXISTS (SELECT 1 FROM page WHERE page.segment = segment.key)
    """
    return tuple(row[0] for row in select(connection, sql))


def pages_digested_by_rules(
    connection: apsw.Connection, scope: int, limit: int
) -> tuple[Page, ...]:
    """The oldest pages of a scope that rules have digested."""
    sql = f"""
        SELECT {COLUMNS} {FROM} WHERE page.scope = ? AND page.digested_by = 'heuristic'
        ORDER BY page.key LIMIT ?
    """
    return tuple(page_from(row) for row in connection.execute(sql, (scope, limit)))


def write_upgrade(
    connection: apsw.Connection,
    scope: int,
    page_keys: Sequence[int],
    drafts: Sequence[FactDraft],
    refusals: Sequence[Refusal],
    made_by: str,
    now: datetime,
    capacity: int,
) -> None:
    """Store what a model made of pages that rules had digested.

    Raises:
        StalePlan: another process upgraded one of them meanwhile.
    """
    sql = "UPDATE page SET digested_by = ? WHERE key = ? AND digested_by = ?"
    for key in page_keys:
        connection.execute(sql, (made_by, key, HEURISTIC))
        if connection.changes() != 1:
            raise StalePlan
    refused.record(connection, scope, page_keys, refusals)
    for draft in drafts:
        facts.add_fact(connection, scope, draft, made_by, now)
    for about in About:
        facts.retire_facts(connection, scope, about, capacity, now)


def write_segments(connection: apsw.Connection, told: Sequence[Segment], made_by: str) -> None:
    """Store what a model says of segments that rules have told.

    One that pages have joined meanwhile is left for the next time.

    Raises:
        StalePlan: all of them are others meanwhile.
    """
    if not any([retell(connection, segment, made_by) for segment in told]):
        raise StalePlan


def write_profile(
    connection: apsw.Connection,
    scope: int,
    lines: Sequence[ProfileLine],
    based_on: Profile,
    made_by: str,
    now: datetime,
) -> None:
    """Store the next version of the profile.

    Raises:
        StalePlan: it is not `based_on` any more that stands.
    """
    if profiles.latest_profile(connection, (scope,)) != based_on:
        raise StalePlan
    profiles.add_profile(connection, scope, lines, made_by, now)
