"""What can be read of a damaged file, carried over into a fresh one that is sound.

Rows keep their keys and ids. First a table is read as far as queries come, from both ends; what
they cannot reach is taken from the leaves of the file (`leaves`); then `mending` sees to it that
nothing refers to what is lost. Turns matter most: none that can be read is left behind.
"""

import logging
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import apsw

from memory_core.store.leaves import leaf_rows
from memory_core.store.mending import mend
from memory_core.store.possession import untouched
from memory_core.store.rows import select
from memory_core.store.schema import migrate
from memory_core.store.transactions import DAMAGED, transaction

TABLES = (
    "scope", "memory", "segment", "page", "fact", "fact_source", "profile", "vector", "embedder",
    "job", "model_usage", "refused", "sqlite_sequence",
)  # fmt: skip
# Indexes that hold all of a table: a second way to its rows.
SECOND_WAYS = {
    "scope": "SELECT key, cube, user_id, assistant_id"
    " FROM scope INDEXED BY sqlite_autoindex_scope_1 WHERE cube > ''",
    "fact_source": "SELECT fact, page FROM fact_source INDEXED BY fact_by_source WHERE page > 0",
}
IDS = "SELECT key, id FROM memory INDEXED BY sqlite_autoindex_memory_1 WHERE id > ''"
HIGHEST_KEY = 1 << 48
"""Keys beyond it are damaged ones; taken over, they would use up the numbers that are left."""
TYPES: dict[str, tuple[type, ...]] = {
    "INTEGER": (int,),
    "TEXT": (str,),
    "REAL": (int, float),
    "BLOB": (bytes,),
}

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True, kw_only=True)
class Salvaged:
    """turns: how many were carried over; lost: how many are known to be missing."""

    turns: int
    lost: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    name: str
    types: tuple[type, ...]
    """What a value is in the file; empty: the row's key, which is not among the values."""
    may_be_null: bool


def salvage(source: Path, target: Path, now: datetime) -> Salvaged:
    """Make `target` from what can be read of `source`, which nobody else may have open.

    Raises:
        apsw.Error: the new file cannot be written.
    """
    fresh = apsw.Connection(str(target))
    try:
        fresh.pragma("synchronous", "OFF")  # whoever puts it in place syncs the whole
        migrate(fresh)
        with transaction(fresh, "BEGIN IMMEDIATE"):
            ids = _carry_over(source, fresh)
            mend(fresh, ids, now)
        return _count(fresh, ids)
    finally:
        fresh.close()


def _carry_over(source: Path, fresh: apsw.Connection) -> dict[int, str]:
    """Copy all rows that can be read; give back the public ids by key, as an index has them."""
    damaged = _open(source)
    try:
        partly = {table for table in TABLES if not _copy(damaged, fresh, table)}
        ids: dict[int, str] = {}
        for rows in _Reading(damaged, IDS):
            ids[rows[0]] = rows[1]
    finally:
        if damaged is not None:
            damaged.close()
    if partly:
        log.warning("damaged tables: %s", ", ".join(sorted(partly)))
        _copy_leaves(source, fresh, partly)
    return ids


def _open(source: Path) -> apsw.Connection | None:
    if source.stat().st_size == 0:  # then SQLite would delete its log
        return None
    connection = untouched(source)
    try:
        connection.pragma("user_version")
        connection.execute("SELECT count(*) FROM sqlite_schema")
    except apsw.Error:
        connection.close()
        return None
    return connection


def _copy(damaged: apsw.Connection | None, fresh: apsw.Connection, table: str) -> bool:
    """Copy the rows that queries reach. Returns whether those are all."""
    columns = [column.name for column in _columns(fresh, table)]
    names = ", ".join(columns)
    whole = _insert_readable(damaged, fresh, table, columns, f"SELECT {names} FROM {table}")
    if whole:
        return True
    order = "key DESC" if columns[0] == "key" else f"{columns[0]} DESC"
    backwards = f"SELECT {names} FROM {table} ORDER BY {order}"
    _insert_readable(damaged, fresh, table, columns, backwards)
    if table in SECOND_WAYS:
        _insert_readable(damaged, fresh, table, columns, SECOND_WAYS[table])
    return False


def _insert_readable(
    damaged: apsw.Connection | None,
    fresh: apsw.Connection,
    table: str,
    columns: list[str],
    sql: str,
) -> bool:
    reading = _Reading(damaged, sql)
    for row in reading:
        _insert(fresh, table, columns, row)
    return reading.whole


class _Reading:
    """Rows of a query up to the first that cannot be read; `whole`: there was none such."""

    def __init__(self, connection: apsw.Connection | None, sql: str) -> None:
        self._connection, self._sql = connection, sql
        self.whole = False

    def __iter__(self) -> Iterator[tuple[Any, ...]]:
        if self._connection is None:
            return
        try:
            yield from self._connection.execute(self._sql)
        except (*DAMAGED, apsw.SQLError, apsw.IOError) as error:
            log.info("cannot be read to its end: %s", type(error).__name__)
        else:
            self.whole = True


def _insert(
    fresh: apsw.Connection, table: str, columns: list[str], values: tuple[Any, ...]
) -> None:
    """Add a row unless its key is taken or it cannot be one of this table."""
    if columns[0] in ("key", "change") and not 0 < values[0] <= HIGHEST_KEY:
        return
    verb = "INSERT OR REPLACE" if table == "sqlite_sequence" else "INSERT OR IGNORE"
    sql = f"{verb} INTO {table} ({', '.join(columns)}) VALUES ({','.join('?' * len(columns))})"
    try:
        fresh.execute(sql, values)
    except (apsw.ConstraintError, apsw.MismatchError):
        log.info("a row that cannot be one was left out of %s", table)


def _copy_leaves(source: Path, fresh: apsw.Connection, partly: set[str]) -> None:
    """Add the rows of these tables that no query has reached."""
    shapes = {table: _columns(fresh, table) for table in TABLES if table in partly}
    keyed = {
        table: columns for table, columns in shapes.items() if any(not c.types for c in columns)
    }
    by_length = defaultdict(list)
    for table, columns in keyed.items():
        by_length[len(columns)].append((table, columns))
    for key, values in leaf_rows(source):
        for table, columns in by_length[len(values)]:
            if all(map(_fits, columns, values)):
                own = tuple(
                    value if column.types else key
                    for column, value in zip(columns, values, strict=True)
                )
                _insert(fresh, table, [column.name for column in columns], own)


def _fits(column: Column, value: object) -> bool:
    if value is None:
        return column.may_be_null or not column.types
    return isinstance(value, column.types)


def _columns(fresh: apsw.Connection, table: str) -> list[Column]:
    """Columns of a table in the order in which its rows are stored."""
    if table == "sqlite_sequence":
        return [
            Column(name="name", types=(str,), may_be_null=False),
            Column(name="seq", types=(int,), may_be_null=False),
        ]
    sql = 'SELECT name, type, "notnull", pk FROM pragma_table_info(?) ORDER BY cid'
    rows = select(fresh, sql, (table,))
    own_key = [pk for _, _, _, pk in rows].count(0) == len(rows) - 1
    return [
        Column(
            name=name,
            types=() if own_key and pk and kind == "INTEGER" else TYPES[kind],
            may_be_null=not (needed or pk),
        )
        for name, kind, needed, pk in rows
    ]


def _count(fresh: apsw.Connection, ids: dict[int, str]) -> Salvaged:
    pages = {key for (key,) in fresh.execute("SELECT key FROM page")}
    lost = sum(id.startswith("page_") and key not in pages for key, id in ids.items())
    return Salvaged(turns=len(pages), lost=lost)
