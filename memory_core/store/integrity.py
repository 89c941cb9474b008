"""What holds in every file that only complete transactions have written, and how to see it."""

from pathlib import Path

import apsw

from memory_core.store.rows import select
from memory_core.store.transactions import DAMAGED

SHOWN = 5
"""Keys and lines that a sentence names."""

# Each finds rows that no history of complete transactions can leave.
FAULTS = {
    "a page without words": """
        SELECT key FROM page WHERE key NOT IN (SELECT rowid FROM words)""",
    "a page of a topic of another scope": """
        SELECT page.key FROM page JOIN segment ON segment.key = page.segment
        WHERE segment.scope != page.scope""",
    "a digested page that is still short-term": """
        SELECT key FROM page WHERE segment IS NULL AND digested_by IS NOT NULL""",
    "a topic without pages": """
        SELECT key FROM segment
        WHERE key NOT IN (SELECT segment FROM page WHERE segment NOTNULL)""",
    "a memory that is nothing": """
        SELECT key FROM memory WHERE key NOT IN (
            SELECT key FROM page UNION SELECT key FROM segment UNION SELECT key FROM fact)""",
    "a fact without words": """
        SELECT key FROM current_fact WHERE key NOT IN (SELECT rowid FROM words)""",
    "a fact that stands twice": """
        SELECT min(key) FROM current_fact GROUP BY scope, about, normal HAVING count(*) > 1""",
    "two values of what can have one only": """
        SELECT min(key) FROM current_fact WHERE attribute != ''
        GROUP BY scope, about, attribute HAVING count(*) > 1""",
    "a fact without a source": """
        SELECT key FROM fact WHERE key NOT IN (SELECT fact FROM fact_source)""",
    "a fact from a page that is not digested": """
        SELECT fact FROM fact_source JOIN page ON page.key = fact_source.page
        WHERE digested_by IS NULL""",
    "a gap in the versions of a profile": """
        SELECT scope FROM profile GROUP BY scope HAVING count(*) != max(version)""",
    "a vector twice": """
        SELECT item FROM vector GROUP BY item, model, piece HAVING count(*) > 1""",
    "a row whose owner is gone": """
        SELECT "table" || coalesce(' ' || rowid, '') FROM pragma_foreign_key_check""",
}  # fmt: skip


def faults_in(database: apsw.Connection | Path) -> tuple[str, ...]:
    """What is wrong with a file, a sentence each; nothing for a sound one.

    A connection is read as it is: begin a transaction for one snapshot of a file in use.

    Raises:
        apsw.Error: the file cannot be opened or is locked.
    """
    if isinstance(database, Path):
        connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READONLY)
        try:
            connection.execute("BEGIN")
            return faults_in(connection)
        finally:
            connection.close()
    if lines := damage_in(database):
        more = f" (and {len(lines) - SHOWN} more)" if len(lines) > SHOWN else ""
        return (f"The file is damaged: {'; '.join(lines[:SHOWN])}{more}.",)
    return tuple(_half_done_in(database))


def damage_in(connection: apsw.Connection) -> tuple[str, ...]:
    """What SQLite itself finds in pages, rows, indexes and the index of words, and in all texts.

    Raises:
        apsw.Error: the file is locked.
    """
    try:
        found = [str(row[0]) for row in select(connection, "PRAGMA integrity_check")]
        if found == ["ok"]:
            _read_all(connection)
            return ()
    except DAMAGED as error:
        found = [type(error).__name__]
    return tuple(found)


def _read_all(connection: apsw.Connection) -> None:
    """Decode every text: the check above does not."""
    sql = "SELECT name FROM sqlite_schema WHERE type = 'table' AND sql NOT LIKE 'CREATE VIRTUAL%'"
    for (table,) in select(connection, sql):
        for _ in connection.execute(f'SELECT * FROM "{table}"'):
            pass


def _half_done_in(connection: apsw.Connection) -> list[str]:
    found = []
    for fault, sql in FAULTS.items():
        keys = [str(row[0]) for row in select(connection, sql)]
        if keys:
            more = ", ..." if len(keys) > SHOWN else ""
            found.append(f"{len(keys)} times {fault}: {', '.join(keys[:SHOWN])}{more}.")
    return found
