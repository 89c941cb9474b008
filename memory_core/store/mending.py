"""Rows of a damaged file made whole again: nothing refers to what is lost, words are new."""

import logging
from datetime import datetime

import apsw

from memory_core.records import Kind
from memory_core.store.pages import searchable_date
from memory_core.store.rows import add_words, from_column, new_id, select, to_column

TIME = "____-__-__T__:__:__.______+00:00"
A_TIME = f"LIKE '{TIME}' AND julianday({{column}}) NOTNULL"
KINDS = {"page": Kind.PAGE, "segment": Kind.SEGMENT, "fact": Kind.FACT}
# Beyond every number that may have been given to rows which can no longer be seen.
SEQUENCE_GAP = 1_000_000
TITLE_LENGTH = 60

log = logging.getLogger(__name__)

CLEAN = (
    "UPDATE page SET meta_data = '{}'"
    " WHERE CASE WHEN json_valid(meta_data) THEN json_type(meta_data) != 'object' ELSE 1 END",
    "UPDATE segment SET keywords = '[]'"
    " WHERE CASE WHEN json_valid(keywords) THEN json_type(keywords) != 'array' ELSE 1 END",
    "DELETE FROM profile"
    " WHERE CASE WHEN json_valid(lines) THEN json_type(lines) != 'array' ELSE 1 END",
    "DELETE FROM fact WHERE about NOT IN ('user', 'assistant')",
)
REFERENCES = (
    # What a lost statement has replaced stays history.
    "UPDATE fact SET retired_at = coalesce(retired_at, :now), superseded_by = NULL"
    " WHERE superseded_by NOT IN (SELECT key FROM fact)",
    "UPDATE page SET segment = NULL WHERE segment IN"
    " (SELECT key FROM segment WHERE segment.scope != page.scope)",
)
SOURCES = (
    # A page that went back to the window is digested again; it is no source until then.
    "UPDATE page SET digested_by = NULL WHERE segment IS NULL",
    "DELETE FROM fact_source WHERE fact NOT IN (SELECT key FROM fact)"
    " OR page NOT IN (SELECT key FROM page WHERE digested_by NOTNULL)",
    # Most statements carry the time of the turn that they are from.
    """
    INSERT OR IGNORE INTO fact_source (fact, page)
    SELECT fact.key, page.key FROM fact JOIN memory AS stated ON stated.key = fact.key
    JOIN memory AS said ON said.at = stated.at AND said.key < fact.key
    JOIN page ON page.key = said.key AND page.scope = fact.scope AND page.digested_by NOTNULL
    WHERE fact.key NOT IN (SELECT fact FROM fact_source)
    """,
    "UPDATE fact SET retired_at = coalesce(retired_at, :now), superseded_by = NULL"
    " WHERE superseded_by IN"
    " (SELECT key FROM fact WHERE key NOT IN (SELECT fact FROM fact_source))",
    "DELETE FROM fact WHERE key NOT IN (SELECT fact FROM fact_source)",
)
TWICE = (
    """
    UPDATE fact SET retired_at = :now WHERE key IN (SELECT key FROM current_fact) AND EXISTS (
        SELECT 1 FROM current_fact AS newer WHERE newer.key > fact.key
        AND newer.scope = fact.scope AND newer.about = fact.about AND (
            newer.normal = fact.normal
            OR (newer.attribute = fact.attribute AND fact.attribute != '')
        )
    )
    """,
    "DELETE FROM segment WHERE key NOT IN (SELECT segment FROM page WHERE segment NOTNULL)",
    """
    DELETE FROM memory WHERE key NOT IN (
        SELECT key FROM page UNION SELECT key FROM segment UNION SELECT key FROM fact)
    """,
    "DELETE FROM vector WHERE item NOT IN (SELECT key FROM memory)",
)


def mend(connection: apsw.Connection, ids: dict[int, str], now: datetime) -> None:
    """Bring rows that were carried over one by one into the state that transactions leave.

    Args:
        connection: inside a transaction, with foreign keys off.
        ids: public ids by key, for rows whose own were lost.
    """
    moment = {"now": to_column(now)}
    for sql in CLEAN:
        connection.execute(sql)
    facts_lost = _facts_without_source(connection)
    _make_owners(connection)
    _make_topics(connection, ids, moment["now"])
    _make_identities(connection, ids, moment["now"])
    for sql in (*REFERENCES, *SOURCES, *TWICE):
        connection.execute(sql, moment)
    if facts_lost:
        _digest_again(connection)
    _number_profiles(connection)
    _index_words(connection)
    _raise_sequences(connection)


def _facts_without_source(connection: apsw.Connection) -> bool:
    """Whether statements, or the ways from statements to turns, are missing."""
    sql = """
        SELECT 1 FROM memory WHERE kind = 'fact' AND key NOT IN (SELECT key FROM fact)
        UNION SELECT 1 FROM fact WHERE key NOT IN (SELECT fact FROM fact_source)
        UNION SELECT 1 FROM fact_source WHERE fact NOT IN (SELECT key FROM fact) LIMIT 1
    """
    return bool(select(connection, sql))


def _make_owners(connection: apsw.Connection) -> None:
    """A scope of its own for what belongs to one that is lost; its name says so."""
    owners = " UNION ".join(f"SELECT scope FROM {table}" for table in (*KINDS, "profile"))
    connection.execute(
        "INSERT INTO scope (key, cube, user_id, assistant_id)"
        f" SELECT scope, 'default', 'recovered-' || scope, 'recovered' FROM ({owners})"
        " WHERE scope NOT IN (SELECT key FROM scope)"
    )
    connection.execute("DELETE FROM job WHERE scope NOT IN (SELECT key FROM scope)")


def _make_topics(connection: apsw.Connection, ids: dict[int, str], now: str) -> None:
    """A topic for pages whose own is lost: named by its first page, as it has no summary."""
    known = {key for key, id in ids.items() if id.startswith(Kind.SEGMENT)}
    known |= {key for (key,) in select(connection, "SELECT key FROM memory WHERE kind = 'segment'")}
    sql = """
        SELECT segment, min(page.key), page.scope, user_input, agent_response, max(at)
        FROM page LEFT JOIN memory USING (key)
        WHERE segment NOT IN (SELECT key FROM segment) GROUP BY segment
    """
    for key, _, scope, user_input, agent_response, at in select(connection, sql):
        if key in known:
            title = f"{user_input} {agent_response}".strip()[:TITLE_LENGTH]
            connection.execute(
                "INSERT INTO segment"
                " (key, scope, title, summary, keywords, last_visit_at, news, made_by)"
                " VALUES (?, ?, ?, '', '[]', ?, 1, 'recovery')",
                (key, scope, title, at or now),
            )
    connection.execute(
        "UPDATE page SET segment = NULL WHERE segment NOT IN (SELECT key FROM segment)"
    )


def _make_identities(connection: apsw.Connection, ids: dict[int, str], now: str) -> None:
    """A row in `memory` for each page, topic and fact; a lost time is that of its neighbour."""
    for table, kind in KINDS.items():
        sql = f"SELECT key, scope FROM {table} WHERE key NOT IN (SELECT key FROM memory)"
        for key, scope in select(connection, sql):
            id = ids.get(key, "")
            id = id if id.startswith(kind) and not _taken(connection, id) else new_id(kind)
            connection.execute(
                "INSERT INTO memory (key, id, kind, scope, at, recorded_at)"
                " VALUES (?, ?, ?, ?, '', '')",
                (key, id, kind, scope),
            )
        connection.execute(
            f"UPDATE memory SET kind = ?1, scope = {table}.scope FROM {table}"
            f" WHERE {table}.key = memory.key AND (kind != ?1 OR memory.scope != {table}.scope)",
            (kind,),
        )
    for column in ("at", "recorded_at"):
        _borrow_times(connection, "memory", column, now)
    _borrow_times(connection, "segment", "last_visit_at", now)
    _borrow_times(connection, "fact", "last_used_at", now)
    _borrow_times(connection, "profile", "at", now)


def _taken(connection: apsw.Connection, id: str) -> bool:
    return bool(select(connection, "SELECT 1 FROM memory WHERE id = ?", (id,)))


def _borrow_times(connection: apsw.Connection, table: str, column: str, now: str) -> None:
    """Where a time is none, take that of the row before, or else of the row after."""
    good = f"{column} {A_TIME.format(column=column)}"
    for (key,) in select(connection, f"SELECT key FROM {table} WHERE NOT ({good}) ORDER BY key"):
        beside = select(
            connection,
            f"SELECT * FROM (SELECT {column} FROM {table} WHERE key < ?1 AND {good}"
            f" ORDER BY key DESC LIMIT 1) UNION ALL SELECT * FROM (SELECT {column} FROM {table}"
            f" WHERE key > ?1 AND {good} ORDER BY key LIMIT 1)",
            (key,),
        )
        time = beside[0][0] if beside else now
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE key = ?", (time, key))


def _digest_again(connection: apsw.Connection) -> None:
    """Statements were lost: let the pages that no other is from be read once more."""
    connection.execute(
        "UPDATE page SET digested_by = NULL WHERE key NOT IN (SELECT page FROM fact_source)"
    )
    connection.execute(
        "UPDATE segment SET news = 1 WHERE key IN"
        " (SELECT segment FROM page WHERE segment NOTNULL AND digested_by IS NULL)"
    )


def _number_profiles(connection: apsw.Connection) -> None:
    """Versions without gaps, in their order."""
    connection.execute("UPDATE profile SET version = -key")
    connection.execute(
        "UPDATE profile SET version = (SELECT count(*) FROM profile AS older"
        " WHERE older.scope = profile.scope AND older.key <= profile.key)"
    )


def _index_words(connection: apsw.Connection) -> None:
    sql = (
        "SELECT key, memory.scope, at, user_input, agent_response FROM page JOIN memory USING (key)"
    )
    for key, scope, at, user_input, agent_response in select(connection, sql):
        texts = (searchable_date(from_column(at)), user_input, agent_response)
        add_words(connection, key, Kind.PAGE, scope, texts)
    for key, scope, text in select(connection, "SELECT key, scope, text FROM fact"):
        add_words(connection, key, Kind.FACT, scope, (text,))


def _raise_sequences(connection: apsw.Connection) -> None:
    """No number is given twice: what is outside (an index, a client) may still know it."""
    for table, column in (("memory", "key"), ("profile", "key"), ("vector", "change")):
        ((newest,),) = select(connection, f"SELECT coalesce(max({column}), 0) FROM {table}")
        known = select(connection, "SELECT seq FROM sqlite_sequence WHERE name = ?", (table,))
        seen = max(newest, known[0][0]) if known else newest + SEQUENCE_GAP
        connection.execute("DELETE FROM sqlite_sequence WHERE name = ?", (table,))
        connection.execute("INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)", (table, seen))
