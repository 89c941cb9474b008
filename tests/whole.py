"""What holds in every file that only complete transactions have written."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw

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
    "a topic without a vector": """
        SELECT key FROM segment WHERE key NOT IN (SELECT item FROM vector)""",
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
    "a row whose owner is gone": "SELECT * FROM pragma_foreign_key_check",
}  # fmt: skip


def rows(database: Path, sql: str) -> list[tuple[Any, ...]]:
    connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        return list(connection.execute(sql))
    finally:
        connection.close()


def faults_of(database: Path) -> list[str]:
    """What is half done in this file."""
    return [fault for fault, sql in FAULTS.items() if rows(database, sql)]


def check_file(database: Path, acknowledged: Sequence[tuple[str, str]], remark: str) -> None:
    """Every (id, agent_response) that was acknowledged is there once, and nothing is half done."""
    assert rows(database, "PRAGMA integrity_check") == [("ok",)], remark
    rows(database, "INSERT INTO words (words) VALUES ('integrity-check')")
    assert faults_of(database) == [], remark
    stored = rows(database, "SELECT id, agent_response FROM memory JOIN page USING (key)")
    assert set(acknowledged) <= set(stored), remark
    assert len(acknowledged) == len(set(acknowledged)), remark
    texts = [text for _, text in stored]
    assert len(texts) == len(set(texts)), remark
