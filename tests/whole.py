"""What holds in every file that only complete transactions have written."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import apsw

from memory_core.store.integrity import faults_in

WITHOUT_VECTOR = "SELECT key FROM segment WHERE key NOT IN (SELECT item FROM vector)"


def rows(database: Path, sql: str) -> list[tuple[Any, ...]]:
    connection = apsw.Connection(str(database), flags=apsw.SQLITE_OPEN_READWRITE)
    try:
        return list(connection.execute(sql))
    finally:
        connection.close()


def faults_of(database: Path) -> list[str]:
    """What is half done in this file. Here there is an embedder: each topic has its vector."""
    bare = rows(database, WITHOUT_VECTOR)
    return [*faults_in(database), *(["a topic without a vector"] if bare else [])]


def check_file(database: Path, acknowledged: Sequence[tuple[str, str]], remark: str) -> None:
    """Every (id, agent_response) that was acknowledged is there once, and nothing is half done."""
    assert faults_of(database) == [], remark
    stored = rows(database, "SELECT id, agent_response FROM memory JOIN page USING (key)")
    assert set(acknowledged) <= set(stored), remark
    assert len(acknowledged) == len(set(acknowledged)), remark
    texts = [text for _, text in stored]
    assert len(texts) == len(set(texts)), remark
