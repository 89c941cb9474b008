"""Answers page by page, and the other ways in which models answer the same question."""

import json
from typing import Any

import pytest

from memory_core.backends.replies import parse_reply, salvaged, strict_schema
from memory_core.errors import ModelReplyInvalid
from memory_core.prompts.facts import FactsReply, facts_question
from memory_core.prompts.profile import ProfileReply, profile_question
from tests.prompts.pages import page

TEA = {"about": "user", "text": "The user drinks tea."}
CAT = {"about": "user", "text": "The user has a cat."}
DOG = {"about": "user", "text": "The user has a dog."}
EACH = [("tea", [1]), ("cat", [2])]


def said(reply: FactsReply | None) -> list[tuple[str, list[int]]]:
    assert reply is not None
    return [(item.text.split()[-1].strip("."), item.pages) for item in reply.facts]


def read(answer: Any) -> list[tuple[str, list[int]]]:
    return said(parse_reply(json.dumps(answer), FactsReply))


@pytest.mark.parametrize(
    "answer",
    [
        {"pages": [{"page": 1, "facts": [TEA]}, {"page": 2, "facts": [CAT]}]},
        {"pages": [{"page": "1", "facts": TEA}, {"page": 2, "facts": [CAT]}, {"page": 3}]},
        {"pages": [{"page": 1, "facts": [TEA]}, None, {"page": 2, "facts": [CAT]}]},
        {"pages": [{"page": 1, "facts": [TEA]}, {"page": 2, **CAT}, {"page": 3, "facts": None}]},
        {"facts": [{"page": 1, "facts": [TEA]}, {"page": 2, "facts": [CAT]}]},
        [{"page": 1, "facts": [TEA]}, {**CAT, "pages": [2]}],
        {"facts": [{**TEA, "pages": [1]}, {**CAT, "pages": 2}]},
        {"facts": [{**TEA, "page": 1}, {**CAT, "page": 2}], "pages": [1, 2]},
        {"pages": [{**TEA, "pages": [1]}, {**CAT, "page": 2}]},
        [{**TEA, "pages": [1]}, {**CAT, "pages": [2]}],
    ],
)
def test_an_item_is_of_the_page_that_it_stands_under_or_names(answer: Any) -> None:
    assert read(answer) == EACH


@pytest.mark.parametrize(
    "answer", [{"facts": []}, {"pages": []}, [], {"pages": [{"page": 1, "facts": []}]}]
)
def test_nothing_is_an_answer(answer: Any) -> None:
    assert read(answer) == []


@pytest.mark.parametrize("answer", [{**TEA, "pages": []}, {**TEA, "pages": [1]}, {"pages": [1, 2]}])
def test_one_item_alone_or_mere_numbers_are_none(answer: Any) -> None:
    with pytest.raises(ModelReplyInvalid):
        read(answer)


def test_what_is_said_alike_of_several_pages_is_one_item_of_all_of_them() -> None:
    entries = [{"page": n, "facts": [TEA]} for n in (1, 2, 4)]
    assert read({"pages": entries}) == [("tea", [1, 2, 4])]
    assert read({"pages": [{"page": 3, "facts": [{**TEA, "pages": [9, 3]}]}]}) == [("tea", [9, 3])]


@pytest.mark.parametrize(
    ("page_number", "pages"),
    [(0, [0]), (" 2", [2]), (True, []), ([1], []), ({}, []), (-1, []), (1.5, []), ("9" * 9999, [])],
)
def test_a_page_that_is_no_number_says_nothing(page_number: Any, pages: list[int]) -> None:
    assert read({"pages": [{"page": page_number, "facts": [TEA]}]}) == [("tea", pages)]


def test_of_an_answer_that_was_cut_every_whole_item_counts() -> None:
    whole = json.dumps({"pages": [{"page": 1, "facts": [TEA]}, {"page": 2, "facts": [CAT, DOG]}]})
    cut = whole[: whole.index("dog")]
    assert said(salvaged(cut, FactsReply, loops_only=False)) == EACH
    flat = json.dumps({"facts": [{**TEA, "pages": [1]}, {**CAT, "pages": [2]}, DOG]})
    assert said(salvaged(flat[: flat.index("dog")], FactsReply, loops_only=False)) == EACH
    bare = flat[flat.index("[") : flat.index("dog")]
    assert said(salvaged(bare, FactsReply, loops_only=False)) == EACH


def test_going_round_in_circles_inside_an_entry_is_seen_at_once() -> None:
    looping = {"pages": [{"page": 1, "facts": [TEA]}, {"page": 2, "facts": [CAT] * 9}]}
    cut = json.dumps(looping)[:-20]
    assert said(salvaged(cut, FactsReply, loops_only=True)) == EACH


def test_an_endpoint_that_keeps_to_schemas_is_bound_to_an_entry_for_each_page() -> None:
    pages = [page(number, "I drink tea.") for number in (1, 2, 3)]
    facts, profile = facts_question(pages, []), profile_question([], pages)
    for schema, name in (
        (strict_schema(facts.reply, facts.pages), "facts"),
        (strict_schema(profile.reply, profile.pages), "changes"),
    ):
        assert schema["required"] == ["pages"]
        entries = schema["properties"]["pages"]
        assert (entries["minItems"], entries["maxItems"]) == (3, 3)
        assert entries["items"]["required"] == ["page", name]
        item = entries["items"]["properties"][name]["items"]
        assert item["required"] == [*item["properties"]]
        assert "text" in item["properties"] and "pages" not in item["properties"]


def test_the_profile_is_read_page_by_page_too() -> None:
    change = {"action": "add", "section": "interests", "text": "Drinks tea", "confidence": 0.9}
    answer = {"pages": [{"page": 1, "changes": []}, {"page": 2, "changes": [change]}]}
    (item,) = parse_reply(json.dumps(answer), ProfileReply).changes
    assert (item.text, item.pages) == ("Drinks tea", [2])
