"""The figures of the evaluation, on rankings made by hand; and its own sets, held to themselves."""

import json
import re
from collections import Counter
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from scripts.evaluation import metrics, sets
from scripts.evaluation.memories import Answer
from scripts.evaluation.outcome import (
    Outcome,
    budget_table,
    figures,
    outcome,
    recall_table,
    table,
)
from scripts.evaluation.sets import Dialogue, Question, Turn

AT = datetime(2024, 5, 1, 9, 0, tzinfo=UTC)


def turn(name: str, words: int, session: str = "one") -> Turn:
    """A turn that is shown with so many words, its date among them."""
    return Turn(name, " ".join(["word"] * (words - 1)), "", AT, session)


def spoken(text: str, **more: Any) -> dict[str, Any]:
    return {"speaker": "Ana", "text": text, **more}


def conversation(evidence: list[list[str]]) -> dict[str, Any]:
    return {
        "sample_id": "conv-1",
        "conversation": {
            "session_1_date_time": "1:56 pm on 8 May, 2023",
            "session_1": [
                spoken("Hello.", dia_id="D1:1"),
                spoken("Look!", dia_id="D1:2", blip_caption="a photo of a lake"),
            ],
            "session_2_date_time": "12:05 am on 9 May, 2023",
            "session_2": [spoken("Good night.", dia_id="D2:1")],
        },
        "qa": [
            {"question": f"Question {number}?", "category": 1, "evidence": ids}
            for number, ids in enumerate(evidence)
        ],
    }


def test_recall_is_the_share_of_the_evidence_and_a_hit_any_of_it() -> None:
    ranks = metrics.ranks_of(["a", "b", "c", "d"], ["x", "b", "y", "z", "d", "w", "a"])
    assert ranks == [7, 2, None, 5]
    assert metrics.recall_at(1, ranks) == 0.0
    assert metrics.recall_at(5, ranks) == 0.5
    assert metrics.recall_at(10, ranks) == 0.75
    assert (metrics.hit_at(1, ranks), metrics.hit_at(2, ranks)) == (0.0, 1.0)


def test_reciprocal_rank_is_that_of_the_first_evidence() -> None:
    assert metrics.reciprocal_rank([7, 4, None]) == 0.25
    assert metrics.reciprocal_rank([None]) == 0.0


def test_a_turn_that_comes_back_twice_stands_where_it_came_first() -> None:
    assert metrics.ranks_of(["a"], ["x", "a", "a"]) == [2]


def test_a_session_stands_where_its_best_turn_does() -> None:
    ranked = ["1:a", "1:b", "2:a", "1:c", "3:a"]
    assert metrics.group_rank(["3:z"], ranked, lambda name: name[0]) == 3
    assert metrics.group_rank(["3:z", "2:z"], ranked, lambda name: name[0]) == 2
    assert metrics.group_rank(["4:a"], ranked, lambda name: name[0]) is None


@pytest.mark.parametrize(
    ("budget", "taken"),
    [(0, []), (9, ["d"]), (10, ["a"]), (34, ["a", "d"]), (35, ["a", "b"]), (99, ["a", "b", "d"])],
)
def test_a_budget_takes_whole_turns_and_smaller_ones_for_what_does_not_fit(
    budget: int, taken: list[str]
) -> None:
    sizes = {"a": 10, "b": 25, "c": 65, "d": 1}
    assert metrics.filling(budget, ["a", "b", "c", "d"], sizes) == taken


def test_the_interval_is_the_same_for_the_same_seed_and_holds_the_mean() -> None:
    groups = [[1.0, 0.0, 1.0], [0.0, 0.0], [1.0], [0.5, 1.0, 1.0, 0.0]]
    low, high = metrics.interval(groups, seed=1)
    assert (low, high) == metrics.interval(groups, seed=1)
    assert low < metrics.mean(value for group in groups for value in group) < high


def test_whole_conversations_are_drawn_for_the_interval() -> None:
    # However different the questions of a conversation, one conversation tells of no spread,
    # and of two that are all right and all wrong any mixture can be drawn.
    assert metrics.interval([[0.0, 1.0, 1.0, 1.0]]) == (0.75, 0.75)
    assert metrics.interval([[0.0] * 50, [1.0] * 50]) == (0.0, 1.0)
    assert metrics.interval([[], []]) == (0.0, 0.0)


def test_an_outcome_counts_words_and_tokens_of_what_fills_each_budget() -> None:
    turns = (turn("a", 200), turn("b", 200), turn("c", 900, "two"))
    question = Question(4, "What?", "temporal", ("b", "c"))
    dialogue = Dialogue("conv-1", turns, (question,))
    wide = (("a", 0.9), ("b", 0.9), ("c", 0.5))
    got = outcome(dialogue, Answer(question, ("a", "b", "c"), 0, (), wide))
    assert (got.ranks, got.session, got.returned) == ([2, 3], 1, 3)
    assert got.shares == {300: 0.0, 600: 0.5, 1200: 0.5, 2400: 1.0}
    # A token a short word, and six for the date.
    assert got.tokens[300] == 199 + 6
    assert got.tokens[600] == 2 * got.tokens[300]


def test_a_budget_is_filled_with_what_is_likeliest_for_each_word() -> None:
    dialogue = Dialogue("conv-1", (turn("a", 290), turn("b", 20)), ())
    question = Question(4, "What?", "temporal", ("b",))
    close = outcome(dialogue, Answer(question, ("a", "b"), 0, (), (("a", 0.72), ("b", 0.70))))
    assert close.shares[300] == 1.0 and close.tokens[300] < 100
    far = outcome(dialogue, Answer(question, ("a", "b"), 0, (), (("a", 0.9), ("b", 0.1))))
    assert far.shares[300] == 0.0 and far.tokens[300] > 250


def test_what_is_written_of_an_outcome_holds_no_text_of_the_data() -> None:
    question = Question(0, "Where is Zanzibar?", "temporal", ("a",))
    dialogue = Dialogue("conv-1", (turn("a", 3),), (question,))
    got = outcome(dialogue, Answer(question, ("a",), 2, ("A note.",)))
    written = json.dumps(got.raw)
    assert not re.search("Zanzibar|word|note[^s]", written)
    assert json.loads(written)["ranks"] == [1]


def test_tables_give_each_category_all_and_an_interval_over_dialogues() -> None:
    one = Outcome("first", 0, "temporal", [1], 1, 9, shares=dict.fromkeys((300, 600), 1.0))
    two = replace(one, dialogue="second", category="adversarial", ranks=[None])
    assert figures([one, two], ["R@5", "MRR"]) == ["50.0", "50.0"]
    lines = recall_table([one, two], ["R@5"], sets.CATEGORIES.values())
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    assert cells[2:] == [
        ["temporal", "1", "100.0"],
        ["adversarial", "1", "0.0"],
        ["**all**", "2", "50.0"],
        ["95 % interval", "", "0.0-100.0"],
    ]
    assert not any("interval" in line for line in recall_table([one], ["R@5"], ()))


def test_adversarial_questions_are_not_held_to_a_budget() -> None:
    full = {budget: 1.0 for budget in (300, 600, 1200, 2400)}
    one = Outcome("first", 0, "temporal", [1], 1, 9, full, dict.fromkeys(full, 100))
    two = replace(one, category="adversarial", shares=dict.fromkeys(full, 0.0))
    assert "| 300   | 1 | 100.0" in budget_table([one, two])[2]


def test_columns_of_a_table_are_in_line() -> None:
    assert table([["a", "long"], ["longer", "b"]]) == [
        "| a      | long |",
        "|--------|------|",
        "| longer | b    |",
    ]


def test_locomo_is_read_with_captions_times_and_every_form_of_evidence(tmp_path: Path) -> None:
    path = tmp_path / "some.json"
    evidence = [["D1:02; D2:1"], ["D2:01 D1:1", "D2:1"], [], ["D9:9", "D"]]
    path.write_text(json.dumps([conversation(evidence)]), encoding="utf-8")
    (dialogue,) = sets.locomo(path)
    assert [one.user for one in dialogue.turns] == [
        "Ana: Hello.",
        "Ana: Look! [a photo of a lake]",
        "Ana: Good night.",
    ]
    assert [one.at.isoformat() for one in dialogue.turns] == [
        "2023-05-08T13:56:00+00:00",
        "2023-05-08T13:56:20+00:00",
        "2023-05-09T00:05:00+00:00",
    ]
    assert [(one.index, one.evidence) for one in dialogue.questions] == [
        (0, ("D1:2", "D2:1")),
        (1, ("D2:1", "D1:1")),
    ]
    assert dialogue.turns[2].shown == "2023-05-09 Ana: Good night."
    assert sets.locomo(path, ["conv-2"]) == []


def test_memorybank_is_read_with_the_marks_of_this_project(tmp_path: Path) -> None:
    marks = json.loads((sets.HERE / "memorybank_en.json").read_text(encoding="utf-8"))
    marked = {mark for user in marks.values() for answers in user for mark in answers}
    assert all(re.fullmatch(r"\d{4}-\d\d-\d\d#\d+", mark) for mark in marked)
    days = {mark[:10] for mark in marked}
    said = {day: [{"query": f"{day} {n}", "response": "Yes."} for n in range(20)] for day in days}
    data, questions = tmp_path / "data.json", tmp_path / "questions.jsonl"
    data.write_text(
        json.dumps({f" {user} ": {"history": said} for user in marks}), encoding="utf-8"
    )
    lines = [json.dumps({user: ["What?"] * len(own)}) for user, own in marks.items()]
    questions.write_text("\n".join(lines), encoding="utf-8")
    dialogues = sets.memorybank("en", data, questions)
    asked = sum(len(dialogue.questions) for dialogue in dialogues)
    assert asked == sum(bool(answers) for user in marks.values() for answers in user)
    first = dialogues[0].turns[1]
    assert first.at.isoformat() == f"{first.session}T12:01:00+00:00"
    assert first.name == f"{first.session}#1"


def test_every_question_across_languages_has_its_evidence_in_the_other_one() -> None:
    dialogue = sets.cross_language()
    known = {one.name for one in dialogue.turns}
    assert len(known) == len(dialogue.turns) == len(dialogue.questions) == 60
    for question in dialogue.questions:
        assert question.evidence and known.issuperset(question.evidence)
        assert all(name.startswith(question.category[-2:]) for name in question.evidence)
        assert question.category.startswith("en") == question.text.isascii()
    assert Counter(one.category for one in dialogue.questions) == {
        "en asks zh": 30,
        "zh asks en": 30,
    }


def test_no_irrelevant_question_is_there_twice() -> None:
    questions = sets.irrelevant()
    assert len({one.text for one in questions}) == len(questions) == 60
