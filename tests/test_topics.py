"""Topics without a model: a topic for each page, from nothing but its words."""

from dataclasses import replace

import pytest

from memory_core.keywords import TITLE_LENGTH
from memory_core.records import Page
from memory_core.topics import topics_by_rule
from tests.test_records import page as plain_page


def page(user: str, agent: str = "") -> Page:
    return plain_page(user, agent)


def test_each_page_is_a_topic_of_its_own_in_order() -> None:
    pages = [replace(page(f"Dog number {key}."), key=key) for key in (7, 3, 9)]
    assert [topic.page_keys for topic in topics_by_rule(pages)] == [(7,), (3,), (9,)]
    assert topics_by_rule([]) == []


def test_a_topic_is_about_both_sides() -> None:
    (topic,) = topics_by_rule([page("My dog Toby is ill.", "A vet can help Toby.")])
    assert {"toby", "dog", "vet"} <= set(topic.keywords)
    assert "toby" in topic.title.lower()
    assert "Toby" in topic.summary


def test_a_topic_speaks_the_language_of_its_page() -> None:
    (topic,) = topics_by_rule(
        [page("我想学做红烧肉，红烧肉怎么做？", "红烧肉先焯水，再小火慢炖。")]
    )
    assert "红烧肉" in topic.keywords
    assert "红烧肉" in topic.title
    assert "焯水" in topic.summary


@pytest.mark.parametrize(
    "text",
    [
        "",
        " \n\t",
        "?!",
        "ok",
        "😀🐶",
        "\ud800",
        "\x00\x1b[31m",
        "x" * 100_000,
        "猫" * 50_000,
        "的了",
    ],
)
def test_any_text_makes_a_bounded_topic_and_one_that_is_not_empty_has_a_title(text: str) -> None:
    (topic,) = topics_by_rule([page(text)])
    assert topic.page_keys == (1,)
    assert len(topic.title) <= TITLE_LENGTH
    assert len(topic.summary) <= 300
    assert len(topic.keywords) <= 8
    assert bool(topic.title) == bool(text.strip())
