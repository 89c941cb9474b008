"""Search by words: BM25 over the terms of one scope and kind."""

from collections.abc import Sequence

import apsw

from memory_core.records import Kind
from memory_core.store.rows import kind_tag, scope_tag
from memory_core.text import fts_query


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
    owners = " OR ".join(scope_tag(scope) for scope in scopes)
    match = f"tags : (({owners}) AND {kind_tag(kind)}) AND terms : ({fts_query(terms)})"
    sql = """
        SELECT rowid, -bm25(words, 0.0, 1.0) AS score FROM words WHERE words MATCH ?
        ORDER BY score DESC, rowid DESC LIMIT ?
    """
    return [(key, score) for key, score in connection.execute(sql, (match, limit))]
