"""A revision by patch: what it may change, and that nothing else is lost."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.junk import Reason
from memory_core.prompts.profile import (
    MOST_CHANGES,
    PROFILE_SECTIONS,
    ProfileReply,
    judge_changes,
    profile_question,
    section_of,
)
from memory_core.records import ProfileLine
from tests.prompts.pages import line, pages

PAGES = pages("I live in Osaka now", "Always answer briefly", "我喜欢茶")
LINES = (line("Lives in Kyoto"), line("Likes tea", "preferences"), line("Works as a nurse", "work"))


def revised(*changes: dict[str, Any], lines: tuple[ProfileLine, ...] = LINES) -> list[str]:
    reply = ProfileReply.model_validate({"changes": list(changes)})
    return [one.text for one in judge_changes(lines, reply, PAGES).lines]


def change(action: str, number: Any = 0, text: str = "", **more: Any) -> dict[str, Any]:
    given = {"action": action, "line": number, "text": text, "section": "other", "pages": [1]}
    return {**given, "confidence": 0.9, **more}


ALL = [one.text for one in LINES]


def test_no_changes_leave_the_profile_as_it_is() -> None:
    assert judge_changes(LINES, ProfileReply(changes=[]), PAGES).lines == LINES


def test_a_line_is_added_with_its_sources() -> None:
    added = change("add", text="喜欢茶", section="Preferences", pages=[3, 1], confidence=1)
    made = judge_changes(LINES, ProfileReply.model_validate({"changes": [added]}), PAGES).lines
    assert made[:3] == LINES
    assert made[3] == ProfileLine(
        section="preferences",
        text="喜欢茶",
        at=PAGES[2].at,
        confidence=1.0,
        source_ids=("p1", "p3"),
    )


def test_a_changed_line_keeps_its_place_and_its_earlier_sources() -> None:
    changed = change("Change", "1", "Lives in Osaka", section="")
    made = judge_changes(LINES, ProfileReply.model_validate({"changes": [changed]}), PAGES).lines
    assert [one.text for one in made] == ["Lives in Osaka", *ALL[1:]]
    assert (made[0].section, made[0].source_ids) == ("identity", ("p0", "p1"))


def test_a_line_is_retired() -> None:
    assert revised(change("retire", 2)) == ["Lives in Kyoto", "Works as a nurse"]


@pytest.mark.parametrize(
    "odd",
    [
        change("add", text=""),
        change("add", text="x" * 301),
        change("add", text="New", pages=[]),
        change("add", text="New", pages=[9]),
        change("add", text="New", confidence=700),
        change("add", text="likes TEA."),
        change("change", 0, "New"),
        change("change", 4, "New"),
        change("change", 1, ""),
        change("retire", 4),
        change("retire", -1),
        change("retire", 1, pages=[]),
        change("replace everything", 1, "New"),
        change("", 1, "New"),
    ],
)
def test_an_odd_change_is_refused_alone(odd: dict[str, Any]) -> None:
    assert revised(odd, change("add", text="Has a dog")) == [*ALL, "Has a dog"]


def test_a_reply_cannot_retire_most_of_a_profile() -> None:
    five = (*LINES, line("Has a cat"), line("Runs"))
    three = [change("retire", number) for number in (1, 2, 3)]
    kept = revised(*three, change("add", text="Sings well"), lines=five)
    assert kept == [*(one.text for one in five), "Sings well"]
    assert len(revised(*three[:2], lines=five)) == 3


def test_a_short_profile_may_be_retired() -> None:
    assert revised(*(change("retire", number) for number in (1, 2, 3))) == []


def test_the_first_change_of_a_line_counts() -> None:
    assert (
        revised(change("change", 1, "Lives in Osaka"), change("retire", 1))[0] == "Lives in Osaka"
    )


def test_nothing_is_added_twice() -> None:
    twice = [change("add", text="Has a dog"), change("add", text="has a dog.")]
    assert revised(*twice) == [*ALL, "Has a dog"]
    assert revised(change("change", 1, "Likes tea")) == ["Likes tea", "Works as a nurse"]


def test_a_retired_line_may_be_added_again_in_other_words() -> None:
    assert revised(change("retire", 1), change("add", text="Lives in Kyoto again"))[-1].endswith(
        "again"
    )


@pytest.mark.parametrize(
    ("name", "section"),
    [
        ("WORK", "work"),
        (" Communication_Style ", "communication style"),
        ("hobby", "other"),
        ("", "other"),
    ],
)
def test_sections_are_read_tolerantly(name: str, section: str) -> None:
    assert section_of(name) == section
    assert section in PROFILE_SECTIONS


def test_lines_are_numbered_for_the_model() -> None:
    asked = profile_question(LINES, PAGES).text
    assert "identity:\n(1) Lives in Kyoto\npreferences:\n(2) Likes tea" in asked


def test_lines_of_one_section_stand_together_under_their_own_numbers() -> None:
    mixed = (line("Lives in Kyoto"), line("Likes tea", "preferences"), line("Is 34"))
    asked = profile_question(mixed, PAGES).text
    assert "identity:\n(1) Lives in Kyoto\n(3) Is 34\npreferences:\n(2) Likes tea" in asked


def test_the_prompt_names_each_section_and_asks_for_standing_instructions() -> None:
    system = profile_question((), PAGES).system
    assert all(name in system for name in PROFILE_SECTIONS if name != "other")
    assert "always answer in Chinese" in system


def test_a_list_without_end_is_cut_and_not_refused() -> None:
    many = [change("add", text=f"Has been to Osaka, tour {number}") for number in range(100)]
    assert len(revised(*many)) == len(ALL) + MOST_CHANGES


@pytest.mark.parametrize(
    ("odd", "reason"),
    [
        (change("add", text=""), Reason.EMPTY),
        (change("add", text="x" * 301), Reason.TOO_LONG),
        (change("add", text="New", pages=[]), Reason.NO_SOURCE),
        (change("add", text="New", confidence="?"), Reason.BAD_CONFIDENCE),
        (change("change", 4, "New"), Reason.NO_SUCH_LINE),
        (change("dance", 1, "New"), Reason.NO_SUCH_LINE),
        (change("add", text="Where do they live?"), Reason.QUESTION),
        (change("add", text="Castle"), Reason.ONE_WORD),
        (change("add", text="花生"), Reason.ONE_WORD),
        (change("add", text="Lives in Zwolle"), Reason.REPEATS_PROMPT),
        (change("add", text="住在兹沃勒"), Reason.REPEATS_PROMPT),
        (change("change", 1, "住在大阪，喜欢喝茶"), Reason.OTHER_LANGUAGE),
        (change("add", text="Sent [log, 4 lines] today"), Reason.JUNK),
    ],
)
def test_a_refused_change_has_its_reason(odd: dict[str, Any], reason: Reason) -> None:
    revision = judge_changes(LINES, ProfileReply.model_validate({"changes": [odd]}), PAGES)
    assert revision.lines == LINES
    assert [refused.reason for refused in revision.refused] == [reason]


@given(
    st.lists(
        st.builds(
            change,
            st.sampled_from(["add", "change", "retire", "x"]),
            st.integers(-1, 6),
            st.text(max_size=12),
            pages=st.lists(st.integers(0, 4), max_size=2),
        ),
        max_size=8,
    )
)
def test_no_reply_empties_a_profile_or_leaves_a_line_without_source(
    changes: list[dict[str, Any]],
) -> None:
    four = (*LINES, line("Has a cat"))
    made = judge_changes(four, ProfileReply.model_validate({"changes": changes}), PAGES).lines
    assert len(made) >= 2
    assert all(one.text and one.source_ids for one in made)


def test_a_line_that_is_copied_in_the_first_person_says_whose_it_is() -> None:
    said = pages("I live in Trieste", "I never trust a heron")
    reply = ProfileReply.model_validate(
        {
            "changes": [
                {"action": "add", "text": "I live in Trieste", "pages": [1], "confidence": 0.9},
                {"action": "add", "text": "I never trust a heron", "pages": [9], "confidence": 0.9},
            ]
        }
    )
    assert [line.text for line in judge_changes([], reply, said).lines] == [
        "Lives in Trieste.",
        'The user said: "I never trust a heron"',
    ]


def test_a_change_of_a_profile_that_has_no_lines_adds_one() -> None:
    reply = ProfileReply.model_validate({"changes": [change("change", 1, "Lives in Osaka")]})
    assert [line.text for line in judge_changes([], reply, PAGES).lines] == ["Lives in Osaka"]


def test_a_line_that_names_the_user_says_the_same_as_one_that_does_not() -> None:
    assert revised(change("add", text="The user works as a nurse")) == [*ALL]
    assert revised(change("add", text="User lives in Kyoto.")) == [*ALL]


def test_a_line_is_not_retired_by_a_page_that_says_it_again() -> None:
    lines = (line("I like green tea", "preferences"),)
    said = pages("I like green tea")
    reply = ProfileReply.model_validate(
        {"changes": [change("retire", 1, lines[0].text, pages=[9])]}
    )
    assert judge_changes(lines, reply, said).lines == lines


def test_a_line_keeps_its_own_spelling() -> None:
    assert revised(change("add", text="iPhone owner in Osaka"))[-1] == "iPhone owner in Osaka"


def test_a_quotation_with_a_date_says_who_said_it() -> None:
    said = pages("I never trusted herons, and yesterday one took my hat.")
    text = "I never trusted herons, and yesterday one took my hat."
    item = {"action": "add", "section": "other", "text": text, "pages": [1], "confidence": 0.9}
    (kept,) = judge_changes([], ProfileReply.model_validate({"changes": [item]}), said).lines
    dated = text.replace("yesterday", "yesterday (2024-04-30)")
    assert kept.text == f'The user said: "{dated}"'


@pytest.mark.parametrize(
    ("text", "section"),
    [
        ("I work as a nurse.", "work"),
        ("I'm allergic to penicillin.", "health"),
        ("I never trust a heron.", "identity"),
        ("Works as a nurse", "identity"),
    ],
)
def test_a_copied_line_stands_in_the_section_that_rules_know(text: str, section: str) -> None:
    said = pages("I work as a nurse. I'm allergic to penicillin. I never trust a heron.")
    copied = change("add", text=text, section="identity", pages=[1])
    reply = ProfileReply.model_validate({"changes": [copied]})
    (line,) = judge_changes((), reply, said).lines
    assert line.section == section
