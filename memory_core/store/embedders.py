"""Embedding models: which have a vector of every memory, which are being made, which are gone."""

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import apsw

from memory_core.store.rows import from_column, select, to_column
from memory_core.store.vectors import lack_vectors

KEPT_UNUSED = timedelta(days=7)
PRUNED_AT_ONCE = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class KnownEmbedder:
    """An embedding model of this store.

    model: its fingerprint; recipe: the settings that name it, without keys; threshold: the cosine
    from which it calls texts related; ready: every memory had a vector of it once.
    """

    model: str
    recipe: Mapping[str, Any]
    threshold: float
    ready: bool


def find(connection: apsw.Connection, model: str) -> KnownEmbedder | None:
    """What is known of a model, by its fingerprint."""
    sql = "SELECT model, recipe, threshold, ready_at FROM embedder WHERE model = ?"
    return next((_known(row) for row in select(connection, sql, (model,))), None)


def last_ready(connection: apsw.Connection, except_model: str) -> KnownEmbedder | None:
    """The model used last that has all vectors, other than one."""
    sql = """
        SELECT model, recipe, threshold, ready_at FROM embedder
        WHERE ready_at IS NOT NULL AND model != ? ORDER BY last_used_at DESC LIMIT 1
    """
    return next((_known(row) for row in select(connection, sql, (except_model,))), None)


def register(
    connection: apsw.Connection,
    model: str,
    recipe: Mapping[str, Any],
    dimension: int,
    threshold: float,
    now: datetime,
) -> None:
    """Note that a model is in use from now on. The first one of a store is ready at once."""
    first = not select(connection, "SELECT 1 FROM embedder WHERE ready_at IS NOT NULL")
    at = to_column(now)
    connection.execute(
        """
        INSERT INTO embedder (model, recipe, dimension, threshold, ready_at, last_used_at)
        VALUES (?, ?, ?, ?, ?, ?) ON CONFLICT (model) DO UPDATE SET recipe = excluded.recipe,
            threshold = excluded.threshold, last_used_at = excluded.last_used_at,
            ready_at = coalesce(ready_at, excluded.ready_at)
        """,
        (model, json.dumps(recipe), dimension, threshold, at if first else None, at),
    )


def make_ready(connection: apsw.Connection, model: str, now: datetime) -> bool:
    """Switch to a model in one step, if there is no memory without a vector of it."""
    if lack_vectors(connection, model):
        return False
    sql = "UPDATE embedder SET ready_at = coalesce(ready_at, ?) WHERE model = ?"
    connection.execute(sql, (to_column(now), model))
    return True


def unused(connection: apsw.Connection, model: str, now: datetime) -> tuple[str, ...]:
    """Models other than this one that have vectors here, and that nobody has used for long."""
    used = {
        name
        for name, at in select(connection, "SELECT model, last_used_at FROM embedder")
        if from_column(at) > now - KEPT_UNUSED
    }
    return tuple(sorted(models_with_vectors(connection) - used - {model}))


def models_with_vectors(connection: apsw.Connection) -> set[str]:
    """Fingerprints of all stored vectors."""
    found: set[str] = set()
    last = ""
    # One look into the index for each model; DISTINCT would read all of it.
    while row := select(connection, "SELECT min(model) FROM vector WHERE model > ?", (last,))[0]:
        if row[0] is None:
            break
        last = row[0]
        found.add(last)
    return found


def prune(connection: apsw.Connection, model: str) -> bool:
    """Remove some vectors of a model; whether there are more. At last the model is forgotten."""
    connection.execute(
        "DELETE FROM vector WHERE change IN (SELECT change FROM vector WHERE model = ? LIMIT ?)",
        (model, PRUNED_AT_ONCE),
    )
    if connection.changes() == PRUNED_AT_ONCE:
        return True
    connection.execute("DELETE FROM embedder WHERE model = ?", (model,))
    return False


def _known(row: tuple[Any, ...]) -> KnownEmbedder:
    model, recipe, threshold, ready_at = row
    return KnownEmbedder(
        model=model, recipe=json.loads(recipe), threshold=threshold, ready=ready_at is not None
    )
