"""Facts of a reply: only those that hold, each with its sources."""

import logging
from typing import Any

import pytest

from memory_core.prompts.facts import KNOWN_MAX, FactsReply, facts_from, facts_question
from memory_core.records import About, FactDraft
from tests.prompts.pages import fact, page, pages

PAGES = pages("I live in Kyoto", "I moved to Osaka yesterday", "我对花生过敏")
KNOWN = [fact(1, "The user lives in Nara."), fact(2, "It is called Robo.", About.ASSISTANT)]


def drafts(*items: dict[str, Any]) -> list[FactDraft]:
    return facts_from(FactsReply.model_validate({"facts": list(items)}), PAGES, KNOWN)


def item(text: str = "The user lives in Osaka.", **more: Any) -> dict[str, Any]:
    return {"about": "user", "text": text, "pages": [2], "confidence": 0.9, **more}


def test_a_fact_comes_with_its_sources_and_the_time_of_the_newest() -> None:
    made = drafts(item(pages=[3, 1], attribute="home", section="Identity", replaces=1))
    assert made == [
        FactDraft(
            about=About.USER,
            text="The user lives in Osaka.",
            at=PAGES[2].at,
            source_keys=(10, 30),
            confidence=0.9,
            attribute="home",
            section="identity",
            replaces=(100,),
        )
    ]


@pytest.mark.parametrize(
    "odd",
    [
        {"pages": []},
        {"pages": [0, 4, -1]},
        {"pages": None},
        {"text": ""},
        {"text": "\x00 \n"},
        {"text": None},
        {"text": "x" * 501},
        {"confidence": 950},
        {"confidence": "surely"},
        {"confidence": None},
        {"about": "the neighbour"},
        {"about": ""},
    ],
)
def test_an_odd_item_is_dropped_alone_and_only_counted(
    odd: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        made = drafts(item("我对花生过敏。", pages=[3]), item(**odd))
    assert [draft.text for draft in made] == ["我对花生过敏。"]
    assert "1 of 2 facts not taken" in caplog.text
    assert "lives" not in caplog.text


def test_a_fact_said_twice_is_taken_once() -> None:
    assert len(drafts(item(), item("the user lives in OSAKA", pages=[1]))) == 1


def test_the_same_words_about_the_other_are_another_fact() -> None:
    assert [draft.about for draft in drafts(item(), item(about="Assistant"))] == [
        "user",
        "assistant",
    ]


@pytest.mark.parametrize("number", [0, 3, -1, "none", None, 2])
def test_a_number_that_is_no_known_fact_about_the_same_replaces_nothing(number: Any) -> None:
    assert drafts(item(replaces=number))[0].replaces == ()


@pytest.mark.parametrize(
    ("written", "slug"),
    [
        ("home", "home"),
        (" Home Town ", "home_town"),
        ("first-name", "first_name"),
        ("住所", ""),
        ("none", ""),
        (None, ""),
        ("drop table; --", ""),
    ],
)
def test_an_attribute_is_a_slug_or_nothing(written: Any, slug: str) -> None:
    assert drafts(item(attribute=written))[0].attribute == slug


def test_known_facts_are_numbered_as_they_are_read_back() -> None:
    asked = facts_question([page(1, "hello")], KNOWN)
    assert "(1) 2024-05-01 user: The user lives in Nara." in asked.text
    assert "(2) 2024-05-01 assistant: It is called Robo." in asked.text
    assert "<known>" not in facts_question([page(1, "hello")], []).text


def test_known_facts_beyond_those_shown_cannot_be_replaced() -> None:
    many = [fact(number, f"Fact {number}.") for number in range(1, KNOWN_MAX + 5)]
    reply = FactsReply.model_validate({"facts": [item(replaces=KNOWN_MAX + 1)]})
    assert f"({KNOWN_MAX + 1})" not in facts_question(PAGES, many).text
    assert facts_from(reply, PAGES, many)[0].replaces == ()
