"""Facts: the newest statement by event time is true, whatever arrives when; nothing is lost."""

from dataclasses import replace
from itertools import permutations

import apsw
import pytest

from memory_core.records import About, FactDraft
from memory_core.store import facts
from memory_core.store.rows import scope_key
from tests.store.filled import LATER, NOW, SCOPE, add_page, current, day, state, statement

HOMES = ("Lisbon", "Porto", "Madrid")


def home(city: str, number: int, **more: object) -> FactDraft:
    return statement(f"The user lives in {city}.", day(number), attribute="home", **more)


def add(connection: apsw.Connection, draft: FactDraft) -> int | None:
    return facts.add_fact(connection, 1, draft, "heuristic", LATER)


@pytest.mark.parametrize("arrival", [*permutations(range(3))])
def test_of_one_attribute_the_newest_is_true_in_whatever_order_they_arrive(
    connection: apsw.Connection, arrival: tuple[int, ...]
) -> None:
    pages: dict[int, int] = {}
    for number in arrival:
        pages[number] = add_page(connection, HOMES[number], at=day(number))
        add(connection, home(HOMES[number], number, source_keys=(pages[number],)))
    assert current(connection) == ["The user lives in Madrid."]
    outdated = facts.replaced_since(connection, list(pages.values()))
    assert outdated == {pages[number]: ("The user lives in Madrid.",) for number in (0, 1)}


def test_an_older_statement_that_arrives_late_is_kept_as_history(
    connection: apsw.Connection,
) -> None:
    add(connection, home("Porto", 2))
    late = add(connection, home("Lisbon", 1))
    assert late is not None
    assert facts.facts_by_key(connection, [late]) == {}
    kept = connection.execute(
        "SELECT text, superseded_by FROM fact WHERE key = ?", (late,)
    ).fetchone()
    assert kept == ("The user lives in Lisbon.", 1)


def test_of_two_statements_of_one_moment_the_later_told_is_true(
    connection: apsw.Connection,
) -> None:
    add(connection, home("Lisbon", 1))
    add(connection, home("Porto", 1))
    assert current(connection) == ["The user lives in Porto."]


def test_attributes_exclude_within_one_scope_and_one_subject_only(
    connection: apsw.Connection,
) -> None:
    add(connection, home("Lisbon", 1))
    add(connection, replace(home("a data centre", 2), about=About.ASSISTANT))
    other = scope_key(connection, replace(SCOPE, cube="other"))
    facts.add_fact(connection, other, home("Porto", 3), "heuristic", NOW)
    add(connection, statement("The user likes tea.", day(4)))  # without an attribute
    add(connection, statement("The user likes milk.", day(5)))
    assert current(connection) == [
        "The user lives in Lisbon.",
        "The user likes tea.",
        "The user likes milk.",
    ]


def test_a_fact_replaces_those_it_names_unless_they_were_stated_later(
    connection: apsw.Connection,
) -> None:
    older = state(connection, "The user is vegan.", day(1))
    newer = state(connection, "The user eats fish.", day(9))
    state(connection, "The user eats meat.", day(5), replaces=(older, newer))
    assert current(connection) == ["The user eats fish."]


def test_what_is_named_of_the_other_side_is_not_replaced(connection: apsw.Connection) -> None:
    of_assistant = state(connection, "The assistant is kind.", about=About.ASSISTANT)
    state(connection, "The user is kind.", replaces=(of_assistant,))
    assert current(connection, About.ASSISTANT) == ["The assistant is kind."]


def test_what_is_true_again_is_a_new_fact_and_its_first_page_is_not_outdated(
    connection: apsw.Connection,
) -> None:
    pages = [add_page(connection, at=day(number)) for number in range(3)]
    for number, city in enumerate(("Lisbon", "Porto", "Lisbon")):
        add(connection, home(city, number, source_keys=(pages[number],)))
    assert current(connection) == ["The user lives in Lisbon."]
    assert facts.replaced_since(connection, pages) == {pages[1]: ("The user lives in Lisbon.",)}


def test_a_fact_stated_again_counts_from_then(connection: apsw.Connection) -> None:
    first, again = add_page(connection, at=day(1)), add_page(connection, at=day(9))
    add(connection, home("Lisbon", 1, source_keys=(first,)))
    assert add(connection, home("Lisbon", 9, source_keys=(again,))) is None
    add(connection, home("Porto", 5))  # arrives late
    assert current(connection) == ["The user lives in Lisbon."]
    add(connection, home("Porto", 10))
    assert current(connection) == ["The user lives in Porto."]


def test_a_new_fact_with_several_sources_counts_from_the_last(connection: apsw.Connection) -> None:
    first, again = add_page(connection, at=day(1)), add_page(connection, at=day(9))
    add(connection, home("Porto", 5))
    add(connection, home("Lisbon", 1, source_keys=(first, again)))
    assert current(connection) == ["The user lives in Lisbon."]


def test_a_known_fact_stated_again_replaces_what_it_names(connection: apsw.Connection) -> None:
    state(connection, "The user likes tea.", day(1))
    hates = state(connection, "The user hates tea.", day(2))
    page = add_page(connection, at=day(3))
    again = statement("The user likes tea.", day(3), source_keys=(page,), replaces=(hates,))
    assert add(connection, again) is None
    assert current(connection) == ["The user likes tea."]


def test_a_page_that_said_both_is_not_outdated_by_its_own_correction(
    connection: apsw.Connection,
) -> None:
    both = add_page(connection, "I lived in Lisbon. Now it is Porto.", at=day(2))
    add(connection, home("Lisbon", 1, source_keys=(both,)))
    add(connection, home("Porto", 2, source_keys=(both,)))
    assert facts.replaced_since(connection, [both]) == {}


def test_a_page_with_two_outdated_statements_hears_of_both_once(
    connection: apsw.Connection,
) -> None:
    page = add_page(connection, at=day(1))
    old = [
        state(connection, text, day(1), source_keys=(page,))
        for text in ("The user has a cat.", "The cat is called Mia.", "The user runs.")
    ]
    state(connection, "The user has no cat.", day(2), replaces=tuple(old[:2]))
    state(connection, "The user swims instead.", day(3), replaces=(old[2],))
    assert facts.replaced_since(connection, [page, 999]) == {
        page: ("The user has no cat.", "The user swims instead.")
    }
    assert facts.replaced_since(connection, []) == {}


@pytest.mark.parametrize(
    ("told", "again"),
    [
        ("The user likes tea.", "the USER likes  tea"),
        ("The user likes tea.", "“The user likes tea…”"),
        ("我喜欢茶。", "我喜欢茶"),
        ("我住在上海，做老师。", "我住在上海, 做老师!"),
        ("The user is 30.", "Ｔｈｅ　ｕｓｅｒ ｉｓ ３０．"),
        ("Straße", "STRASSE"),
        ("The user likes café.", "The user likes cafe\u0301."),
    ],
)
def test_case_width_and_punctuation_do_not_make_another_statement(
    connection: apsw.Connection, told: str, again: str
) -> None:
    first, second = add_page(connection), add_page(connection)
    key = state(connection, told, source_keys=(first,))
    assert add(connection, statement(again, source_keys=(second, first))) is None
    fact = facts.facts_by_key(connection, [key])[key]
    assert fact.text == told
    assert len(fact.source_ids) == 2


@pytest.mark.parametrize(
    ("told", "other"),
    [
        ("The user writes C++.", "The user writes C#."),
        ("The user's blood type is A+.", "The user's blood type is A-."),
        ("The user likes 🍎.", "The user likes 🍐."),
        ("ผู้ใช้ชอบกิน", "ผู้ใช้ชอบกัน"),  # only a vowel sign differs
        ("The dose is 1.5 mg.", "The dose is 15 mg."),
        ("我喜欢茶。", "我不喜欢茶。"),
    ],
)
def test_signs_that_mean_something_make_another_statement(
    connection: apsw.Connection, told: str, other: str
) -> None:
    state(connection, told)
    state(connection, other)
    assert current(connection) == [told, other]


def test_sources_come_in_the_order_of_arrival_and_once(connection: apsw.Connection) -> None:
    first, second = add_page(connection, at=day(5)), add_page(connection, at=day(1))
    key = state(connection, "The user has a dog.", source_keys=(second, first, second))
    ids = [id for (id,) in connection.execute("SELECT id FROM memory WHERE kind = 'page'")]
    assert list(facts.facts_by_key(connection, [key])[key].source_ids) == ids


def test_beyond_the_capacity_the_least_recently_useful_leave_and_pinned_ones_never(
    connection: apsw.Connection,
) -> None:
    keys = [
        state(connection, f"Fact {number}.", day(number), now=day(number)) for number in range(5)
    ]
    connection.execute("UPDATE fact SET pinned = 1 WHERE key = ?", (keys[1],))
    facts.use_facts(connection, [keys[0]], day(30))
    assert facts.retire_facts(connection, 1, About.USER, 3, day(31)) == 2
    assert current(connection) == ["Fact 0.", "Fact 1.", "Fact 4."]
    assert facts.retire_facts(connection, 1, About.USER, 0, day(32)) == 2
    assert current(connection) == ["Fact 1."]
    assert facts.retire_facts(connection, 1, About.ASSISTANT, 0, day(32)) == 0


def test_a_retired_fact_that_is_stated_again_is_back(connection: apsw.Connection) -> None:
    state(connection, "The user likes tea.")
    facts.retire_facts(connection, 1, About.USER, 0, NOW)
    assert current(connection) == []
    state(connection, "The user likes tea.")
    assert current(connection) == ["The user likes tea."]
