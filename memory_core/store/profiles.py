"""Long-term memory: versions of the profile, which are never overwritten."""

import json
from collections.abc import Sequence
from dataclasses import asdict
from datetime import datetime
from typing import Any

import apsw

from memory_core.records import Profile, ProfileLine
from memory_core.store.rows import from_column, marks, new_id, to_column


def latest_profile(connection: apsw.Connection, scopes: Sequence[int]) -> Profile | None:
    """The version that was written last in these scopes."""
    sql = f"""
        SELECT id, version, lines, at, made_by FROM profile WHERE scope IN ({marks(scopes)})
        ORDER BY key DESC LIMIT 1
    """
    row = connection.execute(sql, tuple(scopes)).fetchone()
    if row is None:
        return None
    id, version, lines, at, made_by = row
    return Profile(
        id=id,
        version=version,
        lines=tuple(_line_from(line) for line in json.loads(lines)),
        at=from_column(at),
        made_by=made_by,
    )


def add_profile(
    connection: apsw.Connection,
    scope: int,
    lines: Sequence[ProfileLine],
    made_by: str,
    now: datetime,
) -> int:
    """Store the next version, unless the last one is the same by the same; return the version."""
    last = latest_profile(connection, (scope,))
    if last is not None and (last.lines, last.made_by) == (tuple(lines), made_by):
        return last.version
    version = last.version + 1 if last else 1
    values = [asdict(line) | {"at": to_column(line.at)} for line in lines]
    connection.execute(
        "INSERT INTO profile (id, scope, version, lines, at, made_by) VALUES (?, ?, ?, ?, ?, ?)",
        (
            new_id("profile"),
            scope,
            version,
            json.dumps(values, ensure_ascii=False),
            to_column(now),
            made_by,
        ),
    )
    return version


def _line_from(values: dict[str, Any]) -> ProfileLine:
    return ProfileLine(
        section=values["section"],
        text=values["text"],
        at=from_column(values["at"]),
        confidence=values["confidence"],
        source_ids=tuple(values["source_ids"]),
    )
