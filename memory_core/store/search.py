"""The store's side of recall: search by words, read hits back, note what was used."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime

import apsw

from memory_core.records import Fact, Kind, Page, Scope
from memory_core.store.facts import facts_by_key, replaced_since, use_facts
from memory_core.store.pages import neighbours, pages_by_key
from memory_core.store.rows import find_scopes, tag_of
from memory_core.store.segments import visit
from memory_core.text import fts_query, query_terms

CANDIDATES = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Hits:
    """What stands behind keys.

    beside: neighbours of the best pages and of those neighbours; newer: current statements that
    replaced something a page says.
    """

    pages: Mapping[int, Page]
    facts: Mapping[int, Fact]
    beside: Mapping[int, tuple[int, ...]]
    newer: Mapping[int, tuple[str, ...]]


def read_words(
    connection: apsw.Connection, scopes: Sequence[Scope], text: str
) -> tuple[tuple[int, ...], dict[int, float], dict[int, float]]:
    """Keys of the scopes, and the BM25 scores of their pages and facts that share a term."""
    terms = query_terms(text)
    keys = find_scopes(connection, scopes)
    pages = search_words(connection, keys, Kind.PAGE, terms, CANDIDATES)
    facts = search_words(connection, keys, Kind.FACT, terms, CANDIDATES)
    return keys, dict(pages), dict(facts)


def search_words(
    connection: apsw.Connection,
    scopes: Sequence[int],
    kind: Kind,
    terms: Sequence[str],
    limit: int,
) -> list[tuple[int, float]]:
    """Rows that hold any of the terms, best first, as (key, BM25 score, larger is better)."""
    if not terms or not scopes:
        return []
    tags = " OR ".join(tag_of(scope, kind) for scope in scopes)
    match = f"tag : ({tags}) AND terms : ({fts_query(terms)})"
    sql = """
        SELECT rowid, -bm25(words, 0.0, 1.0) AS score FROM words WHERE words MATCH ?
        ORDER BY score DESC, rowid DESC LIMIT ?
    """
    return [(key, score) for key, score in connection.execute(sql, (match, limit))]


def read_hits(
    connection: apsw.Connection,
    best: Sequence[int],
    page_keys: Sequence[int],
    fact_keys: Sequence[int],
) -> Hits:
    """Read pages and current facts back, with the pages that stand beside the best."""
    beside = neighbours(connection, best)
    around = {key for keys in beside.values() for key in keys}
    beside |= neighbours(connection, sorted(around - beside.keys()))
    pages = pages_by_key(connection, sorted(around.union(page_keys)))
    return Hits(
        pages=pages,
        newer=replaced_since(connection, list(pages)),
        facts=facts_by_key(connection, fact_keys),
        beside=beside,
    )


def write_use(
    connection: apsw.Connection, segments: Sequence[int], facts: Sequence[int], now: datetime
) -> None:
    """Segments warm up and facts count as useful when they are recalled."""
    visit(connection, segments, now)
    use_facts(connection, facts, now)
