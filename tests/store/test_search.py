"""The store's side of recall: whose rows, that no question is read as syntax, what is read back."""

from dataclasses import replace

import apsw
import pytest

from memory_core.evidence import bm25_shares
from memory_core.periods import Period
from memory_core.records import About
from memory_core.store import facts, pages, segments
from memory_core.store.search import MOST_WITHIN, Worded, read_hits, read_words, write_use
from memory_core.store.words import WordHits
from tests.store.filled import SCOPE, add_page, day, place, state

OTHER = replace(SCOPE, user_id="other")


NOTHING = Worded(scopes=(), pages=WordHits(), facts=WordHits())


def found(connection: apsw.Connection, text: str) -> list[int]:
    """Pages of the first scope that share a term, best first."""
    shares = bm25_shares(read_words(connection, [SCOPE], text).pages)
    return sorted(shares, key=lambda key: (-shares[key], -key))


def within(connection: apsw.Connection, begin: int | None, end: int | None) -> tuple[int, ...]:
    """Pages of the first scope in a period that a question names, in days."""
    period = Period(
        begin=None if begin is None else day(begin), end=None if end is None else day(end)
    )
    return read_words(connection, [SCOPE], "dog", [period]).within


def test_pages_and_facts_of_the_asked_scopes_are_found_and_no_others(
    connection: apsw.Connection,
) -> None:
    page, foreign = add_page(connection, "a dog"), add_page(connection, "dog", scope=OTHER)
    fact = state(connection, "The user has a dog.")
    place(connection, page, title="dog")
    mine = read_words(connection, [SCOPE], "dog")
    assert (mine.scopes, list(mine.pages.rows), list(mine.facts.rows)) == ((1,), [page], [fact])
    both = read_words(connection, [SCOPE, OTHER, replace(SCOPE, cube="none")], "dog")
    assert (both.scopes, set(both.pages.rows)) == ((1, 2), {page, foreign})
    assert read_words(connection, [], "dog") == NOTHING


def test_a_question_makes_no_scope(connection: apsw.Connection) -> None:
    stranger = replace(SCOPE, user_id="stranger")
    assert read_words(connection, [stranger], "dog") == NOTHING
    assert connection.execute("SELECT count(*) FROM scope").fetchone() == (1,)


@pytest.mark.parametrize("words", ["pageof1", "factof1", "page", "tag", "terms"])
def test_the_tag_of_a_row_is_not_one_of_its_words(connection: apsw.Connection, words: str) -> None:
    add_page(connection, "a dog")
    assert found(connection, words) == []


@pytest.mark.parametrize(
    "text",
    [
        '"',
        "'; DROP TABLE page; --",
        'dog" OR "cat',
        "NEAR(dog cat)",
        "dog AND NOT cat",
        "dog*",
        "^dog",
        "terms:dog",
        "tag : pageof2 OR dog",
        "{tag terms}: dog",
        "((dog",
        "dog + cat",
        "-dog",
        "dog\x00cat",
        "\ud800dog",
        "%_dog",
        "🐶",
        "猫",
        "AND",
        "OR OR",
        "NOT",
        "   ",
        "?!",
        "dog " * 5000,
    ],
)
def test_no_question_is_read_as_syntax(connection: apsw.Connection, text: str) -> None:
    key = add_page(connection, "My dog and not my cat. 🐶 我有一只猫 %_")
    add_page(connection, "dog", scope=OTHER)
    add_page(connection, "Nothing of that kind.")
    assert found(connection, text) in ([key], [])
    if "dog" in text and text != "dog\x00cat":
        assert found(connection, text) == [key]


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("我有一只猫", "猫"),
        ("昨日の会議", "会議"),
        ("한국어 메모", "메모"),
        ("ฉันชอบกาแฟ", "กาแฟ"),
        ("😀🐶", "🐶"),
        ("naïve café", "NAIVE CAFE"),
        ("Ｐｏｒｔｏ", "porto"),
        ("running dogs", "run dog"),
    ],
)
def test_a_word_is_found_in_any_script(connection: apsw.Connection, told: str, asked: str) -> None:
    key = add_page(connection, told)
    add_page(connection, "something else 其他的东西")
    assert found(connection, asked) == [key]


def test_more_and_rarer_shared_words_are_better(connection: apsw.Connection) -> None:
    one, both, rare, same = (
        add_page(connection, text)
        for text in ("tea with milk", "tea with honey", "honey on bread", "tea with milk")
    )
    for _ in range(9):
        add_page(connection, "bread with milk")
    add_page(connection, "tea at five")
    shares = bm25_shares(read_words(connection, [SCOPE], "tea or honey?").pages)
    assert found(connection, "tea or honey?")[:2] == [both, rare]
    assert shares[one] == shares[same] > 0


def test_a_period_brings_its_pages_the_newest_first_whatever_they_say(
    connection: apsw.Connection,
) -> None:
    _, first, _, last, _ = (
        add_page(connection, "rain", at=day(at), scope=scope)
        for at, scope in ((-9, SCOPE), (-5, SCOPE), (-4, OTHER), (-3, SCOPE), (0, SCOPE))
    )
    state(connection, "The user has a dog.", day(-4))
    assert within(connection, -5, 0) == (last, first)
    assert len(within(connection, None, None)) == 4
    assert len(within(connection, None, -3)) == 2
    assert within(connection, -2, -1) == ()
    assert read_words(connection, [SCOPE], "dog").within == ()


def test_of_a_long_period_the_newest_pages_are_brought(connection: apsw.Connection) -> None:
    keys = [add_page(connection, "rain", at=day(-n)) for n in range(MOST_WITHIN + 5)]
    assert within(connection, None, None) == tuple(keys[:MOST_WITHIN])


def test_hits_are_read_back_with_what_stands_beside_them_and_ghosts_are_not(
    connection: apsw.Connection,
) -> None:
    first, second, third, fourth = (add_page(connection) for n in range(4))
    old = state(connection, "Old.", day(0), source_keys=(first,))
    new = state(connection, "New.", day(1), replaces=(old,))
    hits = read_hits(connection, [second, 999], [second, 999], [old, new, 999], None)
    assert set(hits.around.pages) == {first, second, third}
    assert hits.around.beside[second] == (0, first, third, fourth)
    assert set(hits.facts) == {new}
    assert hits.newer == {first: ("New.",)}
    nothing = read_hits(connection, [], [], [], None)
    assert (nothing.around.pages, nothing.facts, nothing.newer) == ({}, {}, {})


def test_use_warms_a_segment_and_keeps_a_fact(connection: apsw.Connection) -> None:
    topic = place(connection, add_page(connection))
    used = state(connection, "Used.")
    state(connection, "Forgotten.", day(1))
    write_use(connection, [topic], [used, 999], day(102))
    (segment,) = segments.live_segments(connection, (1,))
    assert (segment.visits, segment.last_visit_at) == (1, day(102))
    facts.retire_facts(connection, 1, About.USER, 1, day(103))
    assert [fact.text for fact in facts.all_facts(connection, (1,))] == ["Used."]
    assert pages.count_unplaced(connection, (1,)) == 0
