"""Long-term memory: facts that supersede each other."""

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime
from typing import Any

import apsw

from memory_core.records import About, Fact, FactDraft, Kind
from memory_core.store.rows import (
    add_words,
    from_column,
    insert_memory,
    marks,
    select,
    to_column,
)
from memory_core.text import normalised

COLUMNS = """
    fact.key, memory.id, fact.about, fact.text, memory.at, memory.recorded_at, fact.confidence,
    fact.attribute, fact.section, fact.made_by, fact.pinned,
    (SELECT id FROM memory AS newer WHERE newer.key = fact.superseded_by),
    (SELECT json_group_array(source.id) FROM fact_source JOIN memory AS source
        ON source.key = fact_source.page WHERE fact_source.fact = fact.key)
"""
STATED = """
    coalesce(
        (SELECT max(min(source.at, source.recorded_at)) FROM fact_source JOIN memory AS source
            ON source.key = fact_source.page WHERE fact_source.fact = fact.key),
        memory.at
    )
"""


def current_facts(
    connection: apsw.Connection, scopes: Sequence[int], about: About
) -> tuple[Fact, ...]:
    """What is held true now, oldest first."""
    sql = f"""
        SELECT {COLUMNS} FROM current_fact AS fact JOIN memory USING (key)
        WHERE fact.scope IN ({marks(scopes)}) AND fact.about = ? ORDER BY memory.at, fact.key
    """
    return tuple(fact_from(row) for row in connection.execute(sql, (*scopes, about)))


def all_facts(connection: apsw.Connection, scopes: Sequence[int]) -> tuple[Fact, ...]:
    """What is held true now about either side."""
    return tuple(fact for about in About for fact in current_facts(connection, scopes, about))


def facts_by_key(connection: apsw.Connection, keys: Sequence[int]) -> dict[int, Fact]:
    """Those of the facts that are current."""
    sql = f"""
        SELECT {COLUMNS} FROM current_fact AS fact JOIN memory USING (key)
        WHERE fact.key IN ({marks(keys)})
    """
    return {row[0]: fact_from(row) for row in connection.execute(sql, tuple(keys))}


def replaced_since(connection: apsw.Connection, pages: Sequence[int]) -> dict[int, tuple[str, ...]]:
    """For pages that are the source of a superseded fact: the current facts in its place.

    What is true again, after something else was, has replaced nothing.
    """
    sql = f"""
        WITH RECURSIVE chain (page, said, fact) AS (
            SELECT source.page, old.normal, old.superseded_by FROM fact_source AS source
            JOIN fact AS old ON old.key = source.fact
            WHERE source.page IN ({marks(pages)}) AND old.superseded_by IS NOT NULL
            UNION
            SELECT chain.page, chain.said, fact.superseded_by FROM chain
            JOIN fact ON fact.key = chain.fact WHERE fact.superseded_by IS NOT NULL
        )
        SELECT chain.page, newer.text FROM chain
        JOIN current_fact AS newer ON newer.key = chain.fact
        WHERE newer.normal != chain.said AND NOT EXISTS (
            SELECT 1 FROM fact_source AS own WHERE own.fact = newer.key AND own.page = chain.page
        ) GROUP BY chain.page, newer.key ORDER BY newer.key
    """
    found: dict[int, tuple[str, ...]] = {}
    for page, text in select(connection, sql, tuple(pages)):
        found[page] = (*found.get(page, ()), text)
    return found


def add_fact(
    connection: apsw.Connection, scope: int, draft: FactDraft, made_by: str, now: datetime
) -> int | None:
    """Store a fact, or add the sources of one that says the same already.

    A fact is superseded by the statement that is newer by event time, whichever came first.

    A statement of the future counts as one of now: a wrong date must not hold for ever.

    Returns:
        The key of the new fact, or None if it was known.
    """
    draft = replace(draft, at=min(draft.at, now))
    known = _find_same(connection, scope, draft)
    if known is not None:
        _add_sources(connection, known, draft.source_keys)
        _supersede(connection, scope, known, draft)
        return None
    key, _ = insert_memory(connection, Kind.FACT, scope, draft.at, now)
    connection.execute(
        "INSERT INTO fact (key, scope, about, text, normal, attribute, section, confidence,"
        " made_by, last_used_at) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            key,
            scope,
            draft.about,
            draft.text,
            normalised(draft.text),
            draft.attribute,
            draft.section,
            draft.confidence,
            made_by,
            to_column(now),
        ),
    )
    _add_sources(connection, key, draft.source_keys)
    add_words(connection, key, Kind.FACT, scope, (draft.text,))
    _supersede(connection, scope, key, draft)
    return key


def _find_same(connection: apsw.Connection, scope: int, draft: FactDraft) -> int | None:
    row = connection.execute(
        "SELECT key FROM current_fact WHERE scope = ? AND about = ? AND normal = ?",
        (scope, draft.about, normalised(draft.text)),
    ).fetchone()
    return None if row is None else int(row[0])


def _add_sources(connection: apsw.Connection, key: int, pages: Sequence[int]) -> None:
    connection.executemany(
        "INSERT OR IGNORE INTO fact_source (fact, page) VALUES (?, ?)",
        [(key, page) for page in pages],
    )


def _supersede(connection: apsw.Connection, scope: int, key: int, draft: FactDraft) -> None:
    """Let the one that was stated last, by event time, of facts that exclude each other stand."""
    own = f"SELECT {STATED} FROM fact JOIN memory USING (key) WHERE fact.key = ?"
    ((stated,),) = select(connection, own, (key,))
    sql = f"""
        SELECT fact.key, {STATED}, fact.text FROM current_fact AS fact JOIN memory USING (key)
        WHERE fact.scope = ? AND fact.about = ? AND fact.key != ?
            AND (fact.key IN ({marks(draft.replaces)}) OR (fact.attribute = ? AND ? != ''))
    """
    values = (scope, draft.about, key, *draft.replaces, draft.attribute, draft.attribute)
    for rival, at, text in select(connection, sql, values):
        if draft.ended.casefold() not in text.casefold() and rival not in draft.replaces:
            continue  # to have left Rome says nothing against living in Oslo
        old, new = (rival, key) if at <= stated else (key, rival)
        connection.execute("UPDATE fact SET superseded_by = ? WHERE key = ?", (new, old))


def retire_facts(
    connection: apsw.Connection, scope: int, about: About, capacity: int, now: datetime
) -> int:
    """Keep `capacity` current facts: the least recently useful leave first, never a pinned one."""
    connection.execute(
        """
        UPDATE fact SET retired_at = ? WHERE key IN (
            SELECT key FROM current_fact WHERE scope = ? AND about = ?
            ORDER BY pinned DESC, last_used_at DESC, key DESC LIMIT -1 OFFSET ?
        ) AND NOT pinned
        """,
        (to_column(now), scope, about, capacity),
    )
    return connection.changes()


def use_facts(connection: apsw.Connection, keys: Sequence[int], now: datetime) -> None:
    """Note that facts were recalled: useful ones stay when the capacity is reached."""
    connection.executemany(
        "UPDATE fact SET uses = uses + 1, last_used_at = ? WHERE key = ?",
        [(to_column(now), key) for key in keys],
    )


def fact_from(row: Sequence[Any]) -> Fact:
    (key, id, about, text, at, recorded_at, confidence, attribute, section, made_by, pinned,
     superseded_by, sources) = row  # fmt: skip
    return Fact(
        key=key,
        id=id,
        about=About(about),
        text=text,
        at=from_column(at),
        recorded_at=from_column(recorded_at),
        confidence=confidence,
        attribute=attribute,
        section=section,
        made_by=made_by,
        pinned=bool(pinned),
        superseded_by=superseded_by,
        source_ids=tuple(json.loads(sources)),
    )
