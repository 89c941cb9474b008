"""Search by words: which rows hold which terms of a question, and how much each term tells.

FTS5 finds and cuts down the candidates; what it counted is handed out, so that terms of pages that
stand together can be counted together.
"""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import apsw

from memory_core.records import Kind
from memory_core.store.rows import marks, tag_of
from memory_core.text import fts_query

ROWS = 500
"""Rows that are handed out at most, those with the best BM25. In LoCoMo's conversations of
up to 700 turns 300 are enough: recall@10 is 85.4 % with them and 85.6 % with 1,000."""

MOST_SCORED = 6_000
"""Rows that FTS5 scores at most, as long as there are rarer terms: each takes it some 4 us."""

_TOKENIZER = ("unicode61", "remove_diacritics", "2")
_LENGTH_BYTES = 4
TERMS = 1  # the column
MOST_COUNTED = 255


@dataclass(frozen=True, slots=True)
class Held:
    """How often a row holds each term, and of how many terms it is made."""

    counts: tuple[int, ...]
    length: int


@dataclass(frozen=True, slots=True)
class Terms:
    """Terms of a question, and how many rows of the store hold each: looking that up takes long."""

    texts: tuple[str, ...]
    frequencies: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class WordHits:
    """What a search by words found.

    weights: of each term, its inverse document frequency; rows: what each row holds of them.
    """

    weights: tuple[float, ...] = ()
    rows: Mapping[int, Held] = field(default_factory=dict)


def prepare(connection: apsw.Connection) -> None:
    """Give a connection what `search` asks of it."""
    connection.register_fts5_function("held", _held)
    connection.execute(
        "CREATE VIRTUAL TABLE IF NOT EXISTS temp.vocabulary USING fts5vocab(main, words, col)"
    )


def terms_of(connection: apsw.Connection, texts: Sequence[str]) -> Terms:
    """What `search` asks for."""
    return Terms(tuple(texts), tuple(_frequencies(connection, texts)))


def search(
    connection: apsw.Connection, scopes: Sequence[int], kind: Kind, terms: Terms
) -> WordHits:
    """Rows of these scopes and kind that hold any of the terms, at most `ROWS`."""
    texts, everywhere = terms.texts, terms.frequencies
    if not texts or not scopes:
        return WordHits()
    tags = [tag_of(scope, kind) for scope in scopes]
    size = sum(_frequency_in(connection, "tag", tag) for tag in tags)
    chosen = _selective(everywhere, size)
    if not chosen:
        return WordHits(_weights(everywhere, _rows_at_most(connection)))
    asked = {n: texts[n] for n in chosen}
    if size >= _rows_at_most(connection) / 2:
        rows = _rows(_of_most(connection, scopes, kind, asked), asked, len(texts))
    else:
        rows = _rows(_of_tags(connection, tags, asked), asked, len(texts))
    known = sum(map(bool, everywhere))
    if len(rows) < ROWS and len(chosen) == known:
        # All that hold a term are here, so they can be counted in this memory alone: the name of
        # a user is rare among a thousand users, and in every second page of its own.
        found = [sum(1 for row in rows.values() if row.counts[n]) for n in range(len(texts))]
        return WordHits(_weights(found, size), rows)
    weights = _weights(everywhere, _rows_at_most(connection))
    # Who holds what was not asked for is not known, so it must not count against anybody.
    certain = [
        weight if n in chosen or not everywhere[n] else 0.0 for n, weight in enumerate(weights)
    ]
    return WordHits(tuple(certain), rows)


def _weights(frequencies: Sequence[int], size: int) -> tuple[float, ...]:
    """Inverse document frequency, never negative (as Lucene has it)."""
    bounded = [min(frequency, size) for frequency in frequencies]
    return tuple(math.log1p((size - n + 0.5) / (n + 0.5)) for n in bounded)


def _selective(frequencies: Sequence[int], size: int) -> set[int]:
    """The rarest terms, as many as can be scored in time: what is everywhere tells little."""
    chosen, scored = set[int](), 0
    for frequency, number in sorted((f, n) for n, f in enumerate(frequencies) if f):
        scored += min(frequency, size)
        if chosen and scored > MOST_SCORED:
            break
        chosen.add(number)
    return chosen if size else set()


Found = Iterable[tuple[int, bytes]]
"""Keys of rows, those with the best BM25 first, with what `_held` tells of each."""


def _of_tags(connection: apsw.Connection, tags: Sequence[str], asked: Mapping[int, str]) -> Found:
    match = f"tag : ({' OR '.join(tags)}) AND terms : ({fts_query(asked.values())})"
    sql = """
        SELECT rowid, held(words, ?) FROM words
        WHERE words MATCH ? AND rank MATCH 'bm25(0.0, 1.0)' ORDER BY rank LIMIT ?
    """
    return connection.execute(sql, (len(tags), match, ROWS))


def _of_most(
    connection: apsw.Connection, scopes: Sequence[int], kind: Kind, asked: Mapping[int, str]
) -> Found:
    """The same where these rows are most of all: FTS5 takes half the time without the tags."""
    sql = f"""
        SELECT words.rowid, held(words, 0) FROM words CROSS JOIN memory ON memory.key = words.rowid
        WHERE words MATCH ? AND rank MATCH 'bm25(0.0, 1.0)'
        AND memory.kind = ? AND memory.scope IN ({marks(scopes)}) ORDER BY rank LIMIT ?
    """
    match = f"terms : ({fts_query(asked.values())})"
    return connection.execute(sql, (match, kind, *scopes, ROWS))


def _rows(found: Found, asked: Mapping[int, str], terms: int) -> dict[int, Held]:
    rows: dict[int, Held] = {}
    for key, held in found:
        counts = [0] * terms
        for number, count in zip(asked, held, strict=False):
            counts[number] = count
        rows[key] = Held(tuple(counts), int.from_bytes(held[-_LENGTH_BYTES:], "big"))
    return rows


def _held(api: apsw.FTS5ExtensionApi, *args: object) -> bytes:
    """Of a row: how often it holds each phrase behind the tags, a byte each, and its length."""
    (tags,) = args
    assert isinstance(tags, int)
    phrases = range(tags, api.phrase_count)
    counts = [len(api.phrase_column_offsets(number, TERMS)) for number in phrases]
    if max(counts) > MOST_COUNTED:
        counts = [min(count, MOST_COUNTED) for count in counts]
    return bytes([*counts, *api.column_size(TERMS).to_bytes(_LENGTH_BYTES, "big")])


def _frequencies(connection: apsw.Connection, terms: Sequence[str]) -> list[int]:
    """How many rows hold each term; of a term that the tokenizer cuts, its rarest part."""
    tokenizer = connection.fts5_tokenizer("porter", list(_TOKENIZER))

    def parts(term: str) -> Iterable[object]:
        return tokenizer(
            term.encode(),
            apsw.FTS5_TOKENIZE_QUERY,
            None,
            include_offsets=False,
            include_colocated=False,
        )

    def rows(token: object) -> int:
        return _frequency_in(connection, "terms", str(token))

    return [min(map(rows, parts(term)), default=0) for term in terms]


def _frequency_in(connection: apsw.Connection, column: str, token: str) -> int:
    sql = "SELECT doc FROM vocabulary WHERE term = ? AND col = ?"
    found = connection.execute(sql, (token, column)).fetchone()
    return int(found[0]) if found else 0


def _rows_at_most(connection: apsw.Connection) -> int:
    """How many rows there are in all, and have been: counting them takes too long."""
    sql = "SELECT seq FROM sqlite_sequence WHERE name = 'memory'"
    found = connection.execute(sql).fetchone()
    return int(found[0]) if found else 0
