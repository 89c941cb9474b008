"""Topics of a batch: complete, disjoint, whatever the model forgot or made up."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.prompts.topics import TopicsReply, topics_from
from tests.prompts.pages import page, pages

FOUR = pages("I adopted a cat", "她叫咪咪", "My job is in Kyoto", "I sleep badly")


def reply(*topics: dict[str, Any]) -> TopicsReply:
    return TopicsReply.model_validate({"topics": list(topics)})


def topic(title: str | None, *numbers: int, **more: Any) -> dict[str, Any]:
    return {
        "title": title,
        "summary": f"About {title}.",
        "keywords": [],
        "pages": list(numbers),
        **more,
    }


def keys(*topics: dict[str, Any]) -> list[tuple[str, tuple[int, ...]]]:
    return [(made.title, made.page_keys) for made in topics_from(reply(*topics), FOUR)]


def test_pages_stand_in_the_topics_that_name_them() -> None:
    assert keys(topic("Cat", 1, 2), topic("Work", 4, 3)) == [("Cat", (10, 20)), ("Work", (30, 40))]


def test_topics_come_by_their_first_page() -> None:
    assert keys(topic("Work", 3), topic("Cat", 1, 2, 4)) == [("Cat", (10, 20, 40)), ("Work", (30,))]


def test_the_first_claim_on_a_page_wins_and_an_empty_topic_is_dropped() -> None:
    assert keys(topic("Cat", 1, 2, 3, 4), topic("Late", 2), topic("None")) == [
        ("Cat", (10, 20, 30, 40))
    ]


def test_numbers_out_of_range_are_dropped() -> None:
    assert keys(topic("Cat", 0, 1, 2, 3, 4, 5, -1, 10**9)) == [("Cat", (10, 20, 30, 40))]


def test_a_forgotten_page_goes_with_the_page_before_it() -> None:
    assert keys(topic("Cat", 1), topic("Work", 3)) == [("Cat", (10, 20)), ("Work", (30, 40))]


def test_forgotten_pages_at_the_beginning_make_a_topic_titled_by_their_text() -> None:
    assert keys(topic("Work", 3, 4)) == [("I adopted a cat", (10, 20)), ("Work", (30, 40))]


def test_an_empty_reply_loses_no_page() -> None:
    made = topics_from(reply(), FOUR)
    assert [one.page_keys for one in made] == [(10, 20, 30, 40)]
    assert made[0].title == "I adopted a cat"
    assert "咪咪" in made[0].summary


def test_no_pages_make_no_topics() -> None:
    assert topics_from(reply(topic("Ghost", 1)), []) == []


def test_keywords_are_lowered_stripped_distinct_and_at_most_eight() -> None:
    words = [" Cat ", "cat", "", "猫", *map(str, range(20))]
    made = topics_from(reply(topic("Cat", 1, 2, 3, 4, keywords=words)), FOUR)
    assert made[0].keywords == ("cat", "猫", "0", "1", "2", "3", "4", "5")


@pytest.mark.parametrize("title", ["", " \n", "\x00", None])
def test_a_missing_title_is_made_from_the_pages(title: str | None) -> None:
    made = topics_from(reply(topic(title, 1, summary=None)), [page(1, "", "🙂" * 500)])
    assert made[0].title == "🙂" * 59 + "…"
    assert made[0].summary


@given(st.lists(st.lists(st.integers(-2, 7), max_size=6), max_size=5))
def test_every_page_is_in_exactly_one_topic(claims: list[list[int]]) -> None:
    made = topics_from(reply(*(topic("t", *numbers) for numbers in claims)), FOUR)
    assert sorted(key for one in made for key in one.page_keys) == [10, 20, 30, 40]
    assert all(one.title and one.summary and one.page_keys for one in made)
