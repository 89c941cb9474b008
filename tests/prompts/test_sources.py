"""Which page a statement comes from, and whose it is."""

import pytest

from memory_core.prompts.sources import (
    chosen,
    is_of_user,
    is_passed_on,
    self_contained,
    statements,
)
from memory_core.records import About
from tests.prompts.pages import START, page, pages


def test_pages_are_those_of_the_numbers_in_their_own_order() -> None:
    said = pages("One.", "Two.", "Three.")
    assert chosen([3, 1, 9], "Two.", said) == [said[0], said[2]]


def test_a_statement_with_a_wrong_number_comes_from_the_page_that_says_it() -> None:
    said = pages("我喜欢潜水和拍鲸鱼。", "今天天气很好。")
    assert chosen([7], "我喜欢潜水和拍鲸鱼。", said) == [said[0]]
    assert chosen([], "The weather is fine", pages("I dive.", "What fine weather!")) != []
    assert chosen([0], "The user keeps bees.", pages("I like tea.", "I dive.")) == []
    assert chosen([2], "anything", []) == []


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("I work as a nurse.", "The user works as a nurse."),
        ("I live in Trieste", "The user lives in Trieste."),
        ("我对花生过敏", "用户对花生过敏。"),
        ("私は京都に住んでいる。", "ユーザーは京都に住んでいる。"),
        # Two statements, or more than rules read: as it was said.
        (
            "My name is Odile and I live in Trieste.",
            'The user said: "My name is Odile and I live in Trieste."',
        ),
        ("I never trust a heron.", 'The user said: "I never trust a heron."'),
        ("我从不相信苍鹭。", "用户说：“我从不相信苍鹭。”"),
        ("私は鷺を信じない。", "ユーザーの発言：「私は鷺を信じない。」"),
        ("我昨天通过了驾照考试。", "用户说：“我昨天（2024-04-30）通过了驾照考试。”"),
        ("The user moved yesterday.", "The user moved yesterday (2024-04-30)."),
        ("Ibiza is where the user lives.", "Ibiza is where the user lives."),
        ("The user works as a nurse.", "The user works as a nurse."),
    ],
)
def test_a_copied_statement_says_whose_it_is(text: str, shown: str) -> None:
    assert self_contained(text, About.USER, START) == shown


@pytest.mark.parametrize(
    ("text", "apart"),
    [
        ("I'm Odile. I'm 37 years old. I live in Coimbra.", 3),
        ("Always be brief. I speak Galician.", 2),
        ("我叫林悦。我在成都工作。我对花生过敏。", 3),
        ("私は林です。私は京都に住んでいる。", 2),
        ("The user sails. The user has a dinghy.", 1),
        ("I live in St. Ives.", 1),
        ("I had a cat. I called her Mimi.", 1),
        ("I have two jobs. Both are fun.", 1),
        ("I love jazz. Not really.", 1),
        ("我养过一只猫。我叫它咪咪。", 1),
        ("If I won I would move to Rome. I would buy a house.", 1),
        ("My novel is in first person. I am a spy. I live in Paris.", 1),
        ("如果我有钱就搬家。我会买一座大房子。", 1),
        ("I like tea. " * 700, 1),
        (" ".join(f"I own {n} goats." for n in range(9)), 1),
        ("", 1),
    ],
)
def test_a_copied_turn_is_as_many_statements_as_stand_by_themselves(text: str, apart: int) -> None:
    found = statements(text)
    assert len(found) == apart
    assert "".join(found).replace(" ", "") == text.replace(" ", "")


def test_what_the_assistant_says_of_itself_is_not_turned_into_the_users() -> None:
    assert self_contained("I live in Trieste.", About.ASSISTANT, START) == (
        'The assistant said: "I live in Trieste."'
    )


@pytest.mark.parametrize(
    ("text", "passed_on"),
    [
        ("I live in Kiel and I hate raisins", True),
        ("I am a vegan blogger from Tucson.", True),
        ("I run a bakery.", False),
        ("The user lives in Kiel.", False),
        ("I am nowhere in these pages.", False),
    ],
)
def test_what_is_only_passed_on_is_no_statement_of_the_user(text: str, passed_on: bool) -> None:
    said = pages(
        "I run a bakery.",
        "A customer wrote: I live in Kiel and I hate raisins.",
        "Please proofread this: I am a vegan blogger from Tucson.",
    )
    assert is_passed_on(text, said) is passed_on


@pytest.mark.parametrize(
    ("text", "of_user"),
    [
        ("你好，若溪。我是一名海洋生物研究员，对芒果过敏。", True),
        ("A marine biologist who is allergic to mangoes", True),
        ("Will keep mangoes out of recipes", False),
        ("The assistant is a marine biologist allergic to mangoes.", False),
        ("助手会记住芒果。", False),
        ("", False),
    ],
)
def test_what_the_user_said_is_nothing_about_the_assistant(text: str, of_user: bool) -> None:
    said = [
        page(1, "我是一名海洋生物研究员，对芒果过敏。", "记住了，若溪。"),
        page(2, "I am a marine biologist, allergic to mangoes.", "I keep mangoes out of recipes."),
    ]
    assert is_of_user(text, said) is of_user
