"""What a turn looks like, in English, Chinese and Japanese."""

import time
from typing import Any

import pytest

from memory_core.form import Form, form_of
from memory_core.records import Page
from tests.store.filled import NOW

LONG = {
    "one word": "a" * 200_000,
    "words": "sea " * 50_000,
    "clitics": "i'" * 100_000,
    "spaces": " " * 200_000,
    "colons": "a: " * 66_000,
    "names": "a B" * 66_000,
    "a name that never ends": "a.'-" * 50_000,
    "questions": "?" * 200_000,
    "asks how many": "how many " * 22_000,
    "chinese": "我" * 200_000,
    "digits": "1234 " * 40_000,
    "lone surrogates": "\ud800" * 200_000,
}


def page(user: str, agent: str = "", **meta_data: Any) -> Page:
    return Page(
        key=1,
        id="page_1",
        user_input=user,
        agent_response=agent,
        at=NOW,
        meta_data=meta_data,
        segment_key=None,
    )


def form(user: str, agent: str = "", **meta_data: Any) -> Form:
    return form_of(page(user, agent, **meta_data))


@pytest.mark.parametrize(
    "text",
    ["Where did we park?", "你喜欢茶吗", "你喜欢茶吗？", "茶は好きですか", "飲みますか。", "Tea?"],
)
def test_a_question_is_one_as_long_as_nobody_answers_it(text: str) -> None:
    assert form(text).question == 1
    assert form("", text).question == 1
    assert form(text, "Yes.").question == 0


@pytest.mark.parametrize("text", ["In the blue garage.", "我喜欢茶。", "茶が好きです。", ""])
def test_a_statement_is_no_question(text: str) -> None:
    assert form(text).question == 0


def test_words_for_oneself_and_for_the_other_are_counted_up_to_a_bound() -> None:
    said = form("I'm sure my dog likes you, and I like your cat.")
    assert (said.own, said.other) == (3, 2)
    assert (form("我喜欢你，俺も").own, form("我喜欢你").other) == (2, 1)
    assert (form("mine is youth, in Missouri").own, form("mine is youth").other) == (0, 0)
    assert (form("I " * 99).own, form("you " * 99).other) == (4, 3)


@pytest.mark.parametrize(
    "text",
    [
        "I went there yesterday.",
        "Two weeks ago.",
        "On Friday.",
        "It was in 2019.",
        "我昨天去了北京。",
        "上个月",
        "先週、東京に行きました。",
        "3月7日",
    ],
)
def test_a_turn_that_tells_a_time_is_known(text: str) -> None:
    assert form(text).time == 1
    assert form("So?", text).time == 1
    assert form(text, "I see.").time == 1


@pytest.mark.parametrize(
    "text", ["I like tea.", "A fortnightly show.", "我喜欢茶", "お茶が好き", ""]
)
def test_a_turn_without_a_time_is_known(text: str) -> None:
    assert form(text).time == 0


def test_digits_and_quotes_and_names_are_seen_on_both_sides() -> None:
    plain = form("We read a book.", "Nice.")
    assert (plain.digits, plain.quoted, plain.names) == (0, 0, 0)
    rich = form('I read "Dune" with Bob.', "With 2 friends, then: Bob and Anna?")
    assert (rich.digits, rich.quoted, rich.names) == (1, 1, 3)
    assert form("我读了《三体》").quoted == form("「雪国」を読んだ").quoted == 1


def test_the_length_is_in_words_whatever_the_script() -> None:
    assert form("I like green tea.", "Me too!").length == 6
    assert form("我喜欢喝绿茶").length == pytest.approx(6 / 1.6)
    assert form("我爱 Python").length == pytest.approx(2 / 1.6 + 1)
    assert form("").length == form("?! 😀").length == 0


@pytest.mark.parametrize(
    ("text", "speaker"),
    [
        ("Anna: I like tea.", "anna"),
        ("  Mary Ann Smith: hi", "mary ann smith"),
        ("Zoë O'Neill-Ray: hi", "zoë o'neill-ray"),
        ("小明：我喜欢茶。", "小明"),
        ("田中: 茶が好きです。", "田中"),
        ("Anna:", ""),
        ("Anna:tea", ""),
        ("I like tea: it is green.", ""),
        ("The plan: tea", ""),
        ("https://example.org/: a page", ""),
        ("12: thirty", ""),
        ("We said, Anna: tea", ""),
        ("So this is what I say: tea", ""),
        ("", ""),
    ],
)
def test_who_speaks_is_what_stands_before_a_colon(text: str, speaker: str) -> None:
    assert form(text).speaker == speaker


def test_meta_data_that_name_a_speaker_go_first() -> None:
    assert form("Note: tea", speaker="Anna Smith").speaker == "anna smith"
    assert form("I like tea.", speaker=" Anna ").speaker == "anna"


@pytest.mark.parametrize("odd", [None, "", " \n", 7, ["Anna"], {"name": "Anna"}, True])
def test_meta_data_that_name_nobody_are_passed_over(odd: Any) -> None:
    assert form("Bob: tea", speaker=odd).speaker == "bob"
    assert form("tea", speaker=odd).speaker == ""


@pytest.mark.parametrize("kind", LONG)
def test_a_long_text_is_looked_at_in_a_moment(kind: str) -> None:
    text = LONG[kind]
    started = time.process_time()
    form(text, text, speaker=text)
    form("", text)
    assert time.process_time() - started < 1
