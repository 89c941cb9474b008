"""Search by words: whose rows, of which kind, and that no question is read as syntax."""

from dataclasses import replace

import apsw
import pytest

from memory_core.records import About, Kind
from memory_core.store import facts, pages, segments
from memory_core.store.search import read_hits, read_words, search_words, write_use
from tests.store.filled import SCOPE, add_page, day, place, state

OTHER = replace(SCOPE, user_id="other")


def found(connection: apsw.Connection, text: str) -> list[int]:
    """Pages of the first scope that share a term, best first."""
    _, scores, _ = read_words(connection, [SCOPE], text)
    return sorted(scores, key=lambda key: -scores[key])


def test_pages_and_facts_of_the_asked_scopes_are_found_and_no_others(
    connection: apsw.Connection,
) -> None:
    page, foreign = add_page(connection, "a dog"), add_page(connection, "dog", scope=OTHER)
    fact = state(connection, "The user has a dog.")
    place(connection, page, title="dog")
    assert [list(part) for part in read_words(connection, [SCOPE], "dog")] == [[1], [page], [fact]]
    keys, scores, _ = read_words(connection, [SCOPE, OTHER, replace(SCOPE, cube="none")], "dog")
    assert (keys, sorted(scores)) == ((1, 2), [page, foreign])
    assert read_words(connection, [], "dog") == ((), {}, {})


def test_a_question_makes_no_scope(connection: apsw.Connection) -> None:
    stranger = replace(SCOPE, user_id="stranger")
    assert read_words(connection, [stranger], "dog") == ((), {}, {})
    assert connection.execute("SELECT count(*) FROM scope").fetchone() == (1,)


def test_scopes_whose_numbers_begin_alike_are_apart(connection: apsw.Connection) -> None:
    keys = [
        add_page(connection, "dog", scope=replace(SCOPE, cube=f"cube {number}"))
        for number in range(12)
    ]
    scope_of_first, scope_of_last = 2, 13
    assert search_words(connection, [scope_of_first], Kind.PAGE, ["dog"], 99)[0][0] == keys[0]
    assert len(search_words(connection, [1, scope_of_first], Kind.PAGE, ["dog"], 99)) == 1
    everyone = search_words(connection, range(1, scope_of_last + 1), Kind.PAGE, ["dog"], 99)
    assert {key for key, _ in everyone} == {*keys}


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


def test_more_and_rarer_shared_words_are_better_and_of_equals_the_newer_is_first(
    connection: apsw.Connection,
) -> None:
    one, both, rare, same = (
        add_page(connection, text)
        for text in ("tea with milk", "tea with honey", "honey on bread", "tea with milk")
    )
    for _ in range(9):
        add_page(connection, "bread with milk")
    hits = search_words(connection, [1], Kind.PAGE, ["tea", "honey"], 10)
    assert [key for key, _ in hits] == [both, rare, same, one]
    assert all(score > 0 for _, score in hits)
    assert search_words(connection, [1], Kind.PAGE, ["tea", "honey"], 1) == hits[:1]


def test_hits_are_read_back_with_what_stands_beside_them_and_ghosts_are_not(
    connection: apsw.Connection,
) -> None:
    first, second, third, fourth = (add_page(connection, at=day(n)) for n in range(4))
    old = state(connection, "Old.", day(0), source_keys=(first,))
    new = state(connection, "New.", day(1), replaces=(old,))
    hits = read_hits(connection, [second, 999], [second, fourth, 999], [old, new, 999])
    assert set(hits.pages) == {first, second, third, fourth}
    assert set(hits.facts) == {new}
    assert hits.newer == {first: ("New.",)}
    assert hits.beside == {
        first: (second,),
        second: (first, third),
        third: (second, fourth),
    }
    nothing = read_hits(connection, [], [], [])
    assert (nothing.pages, nothing.facts, nothing.beside, nothing.newer) == ({}, {}, {}, {})


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
