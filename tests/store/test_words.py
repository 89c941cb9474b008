"""Search by words: which rows hold which terms, and how much each of the terms tells."""

import time
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import apsw
import pytest

from memory_core.records import Kind
from memory_core.store import words
from memory_core.store.pages import searchable_date
from memory_core.store.words import MOST_SCORED, ROWS, Held, WordHits
from memory_core.text import index_terms
from tests.store.filled import NOW, SCOPE, add_page, place, state

OTHER = replace(SCOPE, user_id="other")
LENGTH_OF_DATE = len(index_terms(searchable_date(NOW)))
CUT = "x\u19b0y"
"""One term to us; the tokenizer takes the vowel sign in it for a border."""


def search(
    connection: apsw.Connection, *terms: str, scopes: tuple[int, ...] = (1,), kind: Kind = Kind.PAGE
) -> WordHits:
    return words.search(connection, scopes, kind, words.terms_of(connection, terms))


def counts(hits: WordHits) -> dict[int, tuple[int, ...]]:
    return {key: held.counts for key, held in hits.rows.items()}


def fill(connection: apsw.Connection, rows: int, terms: str) -> None:
    """Add so many pages to the first scope that nobody said, known by their words alone."""
    ((newest,),) = connection.execute("SELECT coalesce(max(key), 0) FROM memory")
    numbers = "WITH numbers AS (SELECT ?1 AS n UNION ALL SELECT n + 1 FROM numbers WHERE n < ?2)"
    span = (newest + 1, newest + rows)
    connection.execute(
        "INSERT INTO memory (key, id, kind, scope, at, recorded_at)"
        f" {numbers} SELECT n, 'page' || n, 'page', 1, '', '' FROM numbers",
        span,
    )
    connection.execute(
        f"INSERT INTO words (rowid, tag, terms) {numbers} SELECT n, 'pageof1', ?3 FROM numbers",
        (*span, terms),
    )


def test_each_row_tells_how_often_it_holds_each_term_and_how_long_it_is(
    connection: apsw.Connection,
) -> None:
    both = add_page(connection, "Tea, tea and milk.", answer="More tea?")
    milk = add_page(connection, "Milk.")
    add_page(connection, "Bread.")
    hits = search(connection, "milk", "unheard", "tea")
    assert hits.rows == {
        both: Held((1, 0, 3), LENGTH_OF_DATE + len(index_terms("Tea, tea and milk. More tea?"))),
        milk: Held((1, 0, 0), LENGTH_OF_DATE + 1),
    }


def test_forms_of_a_word_count_as_the_word(connection: apsw.Connection) -> None:
    key = add_page(connection, "A running dog runs with dogs, naïvely.")
    assert counts(search(connection, "run", "dogs", "naively")) == {key: (2, 2, 1)}


def test_a_word_said_a_thousand_times_counts_as_often_as_a_byte_holds(
    connection: apsw.Connection,
) -> None:
    key = add_page(connection, "tea " * 1000)
    assert search(connection, "tea").rows == {key: Held((255,), LENGTH_OF_DATE + 1000)}


def test_pages_facts_and_topics_are_apart(connection: apsw.Connection) -> None:
    page = add_page(connection, "a dog")
    fact = state(connection, "The user has a dog.")
    place(connection, page, title="dog")
    assert list(search(connection, "dog").rows) == [page]
    assert list(search(connection, "dog", kind=Kind.FACT).rows) == [fact]


def test_scopes_whose_numbers_begin_alike_are_apart(connection: apsw.Connection) -> None:
    keys = [
        add_page(connection, "dog", scope=replace(SCOPE, cube=f"cube {number}"))
        for number in range(12)
    ]
    scope_of_first, scope_of_last = 2, 13
    assert list(search(connection, "dog", scopes=(scope_of_first,)).rows) == keys[:1]
    assert list(search(connection, "dog", scopes=(1, scope_of_first)).rows) == keys[:1]
    everyone = search(connection, "dog", scopes=tuple(range(1, scope_of_last + 1)))
    assert set(everyone.rows) == {*keys}


def test_the_more_rows_hold_a_term_the_less_it_weighs_and_nobody_s_weighs_most(
    connection: apsw.Connection,
) -> None:
    for text in ("tea milk", "tea", "tea", "bread"):
        add_page(connection, text)
    tea, milk, unheard = search(connection, "tea", "milk", "unheard").weights
    assert 0 < tea < milk < unheard


def test_a_term_in_every_row_weighs_next_to_nothing_but_never_less(
    connection: apsw.Connection,
) -> None:
    for _ in range(50):
        add_page(connection, "tea")
    (weight,) = search(connection, "tea").weights
    assert 0 <= weight < 0.02


def test_what_others_remember_does_not_change_what_a_term_weighs_here(
    connection: apsw.Connection,
) -> None:
    for text in ("Anna plays", "Anna sleeps", "a piano"):
        add_page(connection, text)
    alone = search(connection, "anna", "piano", "unheard")
    for text in ("piano", "piano piano", "unheard", *["other things"] * 30):
        add_page(connection, text, scope=OTHER)
    assert search(connection, "anna", "piano", "unheard") == alone


def test_an_unknown_term_keeps_its_weight_though_nothing_is_found(
    connection: apsw.Connection,
) -> None:
    add_page(connection, "tea")
    assert search(connection, "unheard").rows == {}
    assert search(connection, "unheard").weights > search(connection, "tea").weights


def test_at_most_a_thousand_rows_are_handed_out_the_best_by_bm25(
    connection: apsw.Connection,
) -> None:
    best = add_page(connection, "tea tea tea")
    fill(connection, ROWS + 200, "tea and some more words that make it long, so much longer")
    hits = search(connection, "tea")
    assert len(hits.rows) == ROWS
    assert next(iter(hits.rows)) == best
    assert 0 <= hits.weights[0] < 0.02


def test_among_more_rows_than_are_handed_out_terms_are_counted_in_all_memories(
    connection: apsw.Connection,
) -> None:
    add_page(connection, "rare tea")
    fill(connection, ROWS + 200, "tea")
    tea, rare, unheard = search(connection, "tea", "rare", "unheard").weights
    assert 0 <= tea < rare < unheard


@pytest.fixture
def crowded(connection: apsw.Connection) -> Iterator[tuple[apsw.Connection, int]]:
    """With more rows that hold one and the same term than are scored; and a key of a rare one."""
    rare = add_page(connection, "rare")
    fill(connection, MOST_SCORED + 1, "common usual")
    yield connection, rare


def test_what_is_everywhere_is_not_asked_for_beside_what_is_rare(
    crowded: tuple[apsw.Connection, int],
) -> None:
    connection, rare = crowded
    hits = search(connection, "common", "rare", "unheard")
    assert counts(hits) == {rare: (0, 1, 0)}
    common_weight, rare_weight, unheard_weight = hits.weights
    # Nobody knows who holds it, so nobody is to be lacking it.
    assert common_weight == 0
    assert 0 < rare_weight < unheard_weight


def test_where_all_is_common_the_rarest_is_asked_for(
    crowded: tuple[apsw.Connection, int],
) -> None:
    connection, _ = crowded
    fill(connection, 1, "common")
    started = time.process_time()
    hits = search(connection, "common", "usual")
    assert time.process_time() - started < 2
    assert set(counts(hits).values()) == {(0, 1)}
    assert len(hits.rows) == ROWS


def test_a_crowd_elsewhere_costs_a_small_memory_no_term(
    crowded: tuple[apsw.Connection, int],
) -> None:
    connection, _ = crowded
    mine = add_page(connection, "common usual", scope=OTHER)
    hits = search(connection, "common", "usual", scopes=(2,))
    assert counts(hits) == {mine: (1, 1)}


def test_a_term_that_the_tokenizer_cuts_is_found_in_whole(connection: apsw.Connection) -> None:
    assert index_terms(CUT) == [CUT]
    key = add_page(connection, f"{CUT} tea")
    add_page(connection, "x tea y")
    hits = search(connection, "tea", CUT, "y")
    assert counts(hits)[key] == (1, 1, 1)
    assert sorted(counts(hits).values()) == [(1, 0, 1), (1, 1, 1)]
    assert hits.weights[0] < hits.weights[1]


def test_a_term_of_which_the_tokenizer_leaves_nothing_is_unknown(
    connection: apsw.Connection,
) -> None:
    key = add_page(connection, "tea")
    hits = search(connection, "\u19b0", "tea")
    assert counts(hits) == {key: (0, 1)}
    assert hits.weights[0] > hits.weights[1]


@pytest.mark.parametrize("term", ["", "\0", '"', "*", "((", "😀", "AND", 'a" OR "b', "x" * 10_000])
def test_odd_terms_are_only_not_found_and_do_not_shift_the_counts_of_others(
    connection: apsw.Connection, term: str
) -> None:
    key = add_page(connection, "tea tea milk")
    hits = search(connection, "milk", term, "tea")
    assert counts(hits) == {key: (1, 0, 2)}
    assert len(hits.weights) == 3


def test_nothing_asked_of_nobody_is_nothing(connection: apsw.Connection) -> None:
    add_page(connection, "tea")
    assert search(connection) == search(connection, "tea", scopes=()) == WordHits()
    assert search(connection, "tea", scopes=(99,)).rows == {}


def test_many_scopes_and_terms_are_asked_at_once(connection: apsw.Connection) -> None:
    key = add_page(connection, "tea")
    many = [f"word{number}" for number in range(47)]
    hits = search(connection, *many, "tea", scopes=tuple(range(1, 500)))
    assert counts(hits) == {key: (*[0] * 47, 1)}


def test_a_deleted_row_is_not_found_and_counts_no_more(connection: apsw.Connection) -> None:
    gone, kept = add_page(connection, "rare tea"), add_page(connection, "tea")
    before = search(connection, "tea").weights
    connection.execute("DELETE FROM words WHERE rowid = ?", (gone,))
    hits = search(connection, "tea", "rare")
    assert counts(hits) == {kept: (1, 0)}
    assert hits.weights[0] != before[0]


def test_a_row_is_found_as_soon_as_it_is_there_by_a_connection_opened_before(
    connection: apsw.Connection, tmp_path: Path
) -> None:
    reader = apsw.Connection(str(tmp_path / "memory.db"), flags=apsw.SQLITE_OPEN_READONLY)
    words.prepare(reader)
    assert search(reader, "tea").rows == {}
    key = add_page(connection, "tea")
    assert counts(search(reader, "tea")) == {key: (1,)}
    reader.close()
