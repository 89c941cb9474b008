"""Answers page by page, and those of models that answer with one list."""

import json
from typing import Any

import pytest

from memory_core.backends.replies import parse_reply, strict_schema
from memory_core.prompts.facts import FactsReply, facts_question
from memory_core.prompts.profile import ProfileReply, profile_question
from tests.prompts.pages import page

TEA = {"about": "user", "text": "The user drinks tea.", "confidence": 0.9}
CAT = {"about": "user", "text": "The user has a cat.", "confidence": 0.9}


def facts(answer: Any) -> list[tuple[str, list[int]]]:
    reply = parse_reply(json.dumps(answer), FactsReply)
    return [(item.text, item.pages) for item in reply.facts]


def test_an_item_is_of_the_page_that_it_stands_under() -> None:
    answer = {
        "pages": [
            {"page": 1, "facts": [TEA]},
            {"page": 2, "facts": []},
            {"page": "3", "facts": [CAT, TEA]},
        ]
    }
    assert facts(answer) == [(TEA["text"], [1]), (CAT["text"], [3]), (TEA["text"], [3])]


def test_pages_of_its_own_stand_before_the_one_it_is_listed_under() -> None:
    answer = {"pages": [{"page": 1, "facts": [{**TEA, "pages": [2, 4]}]}]}
    assert facts(answer) == [(TEA["text"], [2, 4])]


@pytest.mark.parametrize(
    "answer",
    [
        {"facts": [{**TEA, "pages": [1]}, {**CAT, "pages": [2]}]},
        {"facts": [{**TEA, "pages": [1]}, {**CAT, "pages": [2]}], "pages": [1, 2]},
        {"pages": [{**TEA, "pages": [1]}, {**CAT, "pages": [2]}]},
        [{**TEA, "pages": [1]}, {**CAT, "pages": [2]}],
    ],
)
def test_one_list_of_items_is_read_as_well(answer: Any) -> None:
    assert facts(answer) == [(TEA["text"], [1]), (CAT["text"], [2])]


@pytest.mark.parametrize("answer", [{"facts": []}, {"pages": []}, []])
def test_nothing_is_an_answer(answer: Any) -> None:
    assert facts(answer) == []


def test_an_entry_without_items_is_one_of_a_page_that_says_nothing() -> None:
    assert facts({"pages": [{"page": 1}, {"page": 2, "facts": [CAT]}]}) == [(CAT["text"], [2])]


def test_an_endpoint_that_keeps_to_schemas_is_bound_to_an_entry_for_each_page() -> None:
    pages = [page(number, "I drink tea.") for number in (1, 2, 3)]
    for asked, name in (
        (facts_question(pages, []), "facts"),
        (profile_question([], pages), "changes"),
    ):
        schema = strict_schema(asked.reply, asked.entries)
        assert list(schema["properties"]) == ["pages"]
        entries = schema["properties"]["pages"]
        assert (entries["minItems"], entries["maxItems"]) == (3, 3)
        assert list(entries["items"]["properties"]) == ["page", name]
        item = entries["items"]["properties"][name]["items"]
        assert "pages" not in item["properties"]


def test_the_profile_is_read_in_both_forms_too() -> None:
    change = {"action": "add", "section": "interests", "text": "Drinks tea", "confidence": 0.9}
    paged = {"pages": [{"page": 2, "changes": [change]}]}
    flat = {"changes": [{**change, "pages": [2]}]}
    for answer in (paged, flat):
        (item,) = parse_reply(json.dumps(answer), ProfileReply).changes
        assert (item.text, item.pages) == ("Drinks tea", [2])
