"""What all kinds of rows share: ids, times, scopes, and the words they are found by."""

import secrets
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from typing import Any

import apsw

from memory_core.records import Kind, Scope
from memory_core.text import index_terms

ID_ALPHABET = "0123456789abcdefghjkmnpqrstvwxyz"


def new_id(prefix: str) -> str:
    """A public name with 60 random bits: short enough for a model to repeat."""
    bits = secrets.randbits(60)
    return f"{prefix}_{''.join(ID_ALPHABET[bits >> shift & 31] for shift in range(0, 60, 5))}"


def to_column(at: datetime) -> str:
    """A fixed-width UTC text, so that order as text is order in time."""
    return at.astimezone(UTC).isoformat(timespec="microseconds")


def from_column(text: str) -> datetime:
    return datetime.fromisoformat(text)


def find_scopes(connection: apsw.Connection, scopes: Sequence[Scope]) -> tuple[int, ...]:
    """Keys of the scopes that exist; a reading never makes one."""
    sql = "SELECT key FROM scope WHERE cube = ? AND user_id = ? AND assistant_id = ?"
    found = (
        connection.execute(sql, (s.cube, s.user_id, s.assistant_id)).fetchone() for s in scopes
    )
    return tuple(row[0] for row in found if row is not None)


def scope_key(connection: apsw.Connection, scope: Scope) -> int:
    """Key of the scope, made on its first write."""
    if keys := find_scopes(connection, [scope]):
        return keys[0]
    connection.execute(
        "INSERT INTO scope (cube, user_id, assistant_id) VALUES (?, ?, ?)",
        (scope.cube, scope.user_id, scope.assistant_id),
    )
    return connection.last_insert_rowid()


def insert_memory(
    connection: apsw.Connection, kind: Kind, scope: int, at: datetime, now: datetime
) -> tuple[int, str]:
    """Take the next key and a fresh id for a row of this kind."""
    id = new_id(kind)
    connection.execute(
        "INSERT INTO memory (id, kind, scope, at, recorded_at) VALUES (?, ?, ?, ?, ?)",
        (id, kind, scope, to_column(at), to_column(now)),
    )
    return connection.last_insert_rowid(), id


def add_words(
    connection: apsw.Connection, key: int, kind: Kind, scope: int, texts: Iterable[str]
) -> None:
    """Index the words of a new row. The tag keeps the search inside one scope and kind."""
    terms = " ".join(term for text in texts for term in index_terms(text))
    connection.execute(
        "INSERT INTO words (rowid, tag, terms) VALUES (?, ?, ?)",
        (key, tag_of(scope, kind), terms),
    )


def tag_of(scope: int, kind: Kind) -> str:
    """One term for both: each further term of a search costs some ms at 10,000 pages."""
    return f"{kind}of{scope}"


def select(
    connection: apsw.Connection, sql: str, values: Sequence[Any] = ()
) -> list[tuple[Any, ...]]:
    """All rows of a query. What their columns hold is said by the schema, not by types."""
    return list(connection.execute(sql, values))


def marks(values: Sequence[object]) -> str:
    """Placeholders for an IN list."""
    return ",".join("?" * len(values))
