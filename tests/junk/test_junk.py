"""The guard: what is left out of a page for questions and rules, and what stays."""

import time

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.junk import Reason, Refusal, Side, is_junk, known_texts, readable
from memory_core.records import Profile
from memory_core.text import normalised
from tests.junk.cases import KEEP, KEPT, KEPT_HAN, KEPT_KANA, REFUSED
from tests.prompts.pages import START, fact, line, page

KNOWN = known_texts(
    [fact(1, "The user lives in Lisbon."), fact(2, "用户对花生过敏。")],
    Profile(id="v1", version=1, lines=(line("Works as a nurse"),), at=START, made_by="stub"),
)


def read(user: str, assistant: str = "") -> tuple[str, str, list[str]]:
    made = readable(page(1, user, assistant), KNOWN)
    reasons = [f"{refused.side}: {refused.reason}" for refused in made.refused]
    return made.page.user_input, made.page.agent_response, reasons


def test_the_table_of_cases_is_long_enough() -> None:
    assert len(REFUSED) >= 60
    assert len(KEEP) >= 60


@pytest.mark.parametrize(("reason", "text"), REFUSED)
def test_what_says_nothing_of_the_user_is_refused(reason: Reason, text: str) -> None:
    shown, _, reasons = read(text)
    assert set(reasons) == {f"user: {reason}"}
    assert len(shown) <= 40
    assert shown.startswith(("[", "> [", "id,name,city"))


@pytest.mark.parametrize(("reason", "text"), REFUSED)
@pytest.mark.parametrize("kept", [KEPT, KEPT_HAN, KEPT_KANA])
def test_what_the_user_says_around_it_is_read(reason: Reason, text: str, kept: str) -> None:
    shown, _, reasons = read(f"{kept}\n\n{text}\n\n{kept}")
    assert f"user: {reason}" in reasons
    assert shown.count(kept) == 2
    assert "Rome" not in shown


@pytest.mark.parametrize("text", KEEP)
def test_ordinary_text_is_read_as_it_is(text: str) -> None:
    assert read(text, text) == (text, text, [])


@pytest.mark.parametrize("text", [text for _, text in REFUSED])
def test_what_is_readable_once_is_readable_for_good(text: str) -> None:
    once = readable(page(1, text, text)).page
    assert readable(once).page == once


def test_a_dump_inside_a_sentence_leaves_the_sentence() -> None:
    dump = '{"a": 1, "b": {"c": [1, 2, 3]}, "path": "/usr/local/bin", "more": "and more"}'
    shown, _, reasons = read(f"here is my config: {dump} and by the way I moved to Porto")
    assert (
        shown == "here is my config: [tool output, 77 characters] and by the way I moved to Porto"
    )
    assert reasons == ["user: tool output"]


def test_a_mark_says_what_stood_there_and_how_much() -> None:
    code = "\n".join(f"x{number} = call({number})" for number in range(120))
    assert read(f"Look:\n{code}\nIt fails.")[0] == "Look:\n[code, 120 lines]\nIt fails."


def test_the_refusal_counts_and_holds_no_text() -> None:
    (refusal,) = readable(
        page(1, "", '{"key": "value", "other": "more", "third": [1, 2, 3, 4, 5, 6]}')
    ).refused
    assert refusal == Refusal(
        page_key=10, side=Side.ASSISTANT, reason=Reason.TOOL_OUTPUT, characters=62
    )


@pytest.mark.parametrize(
    "said",
    [
        "The user lives in Lisbon.",
        "- The user lives in Lisbon",
        "- [2024-05-01] The user lives in Lisbon.",
        "I remember: it rains. The user lives in LISBON. And so on.",
        "**Works as a nurse**",
        "用户对花生过敏",
        "我记得。用户对花生过敏。所以小心。",
    ],
)
def test_what_memory_holds_is_not_learnt_from_the_assistant_again(said: str) -> None:
    _, shown, reasons = read("What do you know?", said)
    assert reasons == ["assistant: recalled"]
    assert normalised("lives in Lisbon") not in normalised(shown)
    assert "花生" not in shown and "nurse" not in shown


@pytest.mark.parametrize(
    "said", ["The user lives in Lisbon.", "用户对花生过敏。", "Works as a nurse"]
)
def test_what_the_user_says_again_is_no_quotation(said: str) -> None:
    assert read(said) == (said, "", [])


@pytest.mark.parametrize(
    "recited",
    [
        "From memory (2 items):\n1. The user lives in Rome. (2023-01-05)\n2. User profile: 34",
        "Here is what I remember:\n- You live in Rome.\n- Your dog is called Rex.",
        "根据记忆：\n1. 用户住在罗马（2023-01-05）\n2. 用户叫小明。",
        "我记得：\n- 你住在罗马\n- 你有一只狗",
    ],
)
def test_memory_that_the_assistant_recites_is_recalled(recited: str) -> None:
    _, answered, reasons = read(recited, f"{recited}\n\nIs that right?")
    assert reasons[-1] == "assistant: recalled"
    assert answered.endswith("lines]\n\nIs that right?")
    assert "Rome" not in answered and "罗马" not in answered


def test_a_correction_that_names_a_fact_is_read() -> None:
    said = "That is wrong, fact_0123456789ab says Rome but I live in Porto."
    assert read(said) == (said, "", [])
    assert read("", said)[2] == ["assistant: recalled"]


@pytest.mark.parametrize("quoted", ["> The user lives in Lisbon.", "“用户对花生过敏。”"])
def test_what_the_user_quotes_from_memory_is_recalled(quoted: str) -> None:
    shown, _, reasons = read(f"You said:\n{quoted}\nThat is wrong, I live in Porto.")
    assert reasons == ["user: recalled"]
    assert shown.endswith("That is wrong, I live in Porto.")


@pytest.mark.parametrize(
    "text",
    [
        "def f():\n  return x(1);\n}",
        '{"about": "user", "text": "x", "pages": [1], "replaces": 0, "section": ""}',
        "fact_0123456789ab is true",
    ],
)
def test_a_text_of_a_model_can_be_junk(text: str) -> None:
    assert is_junk(text)


def test_a_plain_fact_is_no_junk() -> None:
    assert not is_junk("The user's name is Anna; she has 2 dogs.")


ODD = {
    "lines": "a\n",
    "objects": '{"a":[',
    "brackets": "[[",
    "tags": "<memory>",
    "closing": "</memory><memory>",
    "quotes": '"',
    "word": "x",
    "mixed": "aB3",
    "fences": "```\n",
    "items": "- [2024-05-01] x\n",
    "prompt": "You are an assistant. ",
    "files": "# AGENTS.md\n",
    "blank": " ",
    "empty": "\n",
    "rows": "1,2,3\n",
    "calls": "a(",
    "half tags": "<a ",
    "escapes": '\\"',
    "han": "我",
    "paragraphs": "\n\nI am\n\n",
    "dates": "2024-05-01 12:00:00 ",
    "dollars": "$ a@b:c",
    "equals": "= ",
}


@pytest.mark.parametrize("unit", ODD.values(), ids=ODD)
def test_a_million_characters_take_less_than_a_second(unit: str) -> None:
    text = (unit * (1_000_000 // len(unit) + 1))[:1_000_000]
    begun = time.process_time()
    readable(page(1, text), KNOWN)
    assert time.process_time() - begun < 1.0


@given(st.text(max_size=400), st.text(max_size=400))
def test_any_page_can_be_read(user: str, assistant: str) -> None:
    made = readable(page(1, user, assistant), KNOWN)
    if not made.refused:
        assert (made.page.user_input, made.page.agent_response) == (user, assistant)
    assert all(refused.characters > 0 for refused in made.refused)
