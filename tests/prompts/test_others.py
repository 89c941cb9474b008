"""Nobody becomes what their teacher is."""

import pytest

from memory_core.junk import Reason
from memory_core.prompts.facts import FactsReply, judge_facts
from memory_core.prompts.others import is_of_others
from memory_core.prompts.profile import ProfileReply, judge_changes
from tests.prompts.pages import pages


@pytest.mark.parametrize(
    ("text", "said", "of_others"),
    [
        ("The user is a teacher.", "My old teacher, Mr Bell, moved away.", True),
        ("The user is a teacher.", "My sister is a teacher and I paint.", True),
        ("Works as a harbour pilot", "Sandro's a harbour pilot now. My brother is a pilot.", False),
        ("Works as a harbour pilot", "He is a harbour pilot now.", True),
        ("Is a teacher", "She works as a French teacher. My teacher, too, was strict.", True),
        ("Occupation: a nurse", "My mother was a nurse for years.", True),
        ("The user is a teacher.", "My teacher told me to become what he was: a teacher.", False),
        ("The user is a teacher.", "I'm a teacher, like my mother.", False),
        ("The user is a teacher.", "My job is a teacher in Pisa.", False),
        ("The user is a teacher.", "Odile, 34, teacher in Trieste.", False),
        ("The user is a vegetarian.", "I eat no meat.", False),
        ("The user is allergic to walnuts.", "my walnuts are gone", False),
        ("用户是一名老师。", "我的老师姓陈。", True),
        ("用户是一名护士", "我妈妈是护士，我爸退休了。", True),
        ("用户是护士。", "我妈妈是护士，我也是护士。", False),
        ("用户是海洋生物研究员。", "我是一名海洋生物研究员", False),
        ("用户的职业是老师", "我现在是老师", False),
        ("ユーザーは教師です。", "母は教師です。", True),
        ("ユーザーは漁師です。", "私は漁師です。父も漁師でした。", False),
        ("", "", False),
    ],
)
def test_what_is_said_of_others_only_is_not_said_of_the_user(
    text: str, said: str, of_others: bool
) -> None:
    assert is_of_others(text, [said]) is of_others


def test_neither_a_fact_nor_a_line_takes_somebody_else_for_the_user() -> None:
    said = pages("My teacher, Mr Bell, moved to Leeds.")
    item = {"about": "user", "text": "The user is a teacher.", "pages": [1], "confidence": 0.9}
    facts = judge_facts(FactsReply.model_validate({"facts": [item]}), said, [])
    assert [refused.reason for refused in facts.refused] == [Reason.OF_OTHERS]
    change = {**item, "action": "add", "line": 0, "section": "work"}
    revision = judge_changes([], ProfileReply.model_validate({"changes": [change]}), said)
    assert [refused.reason for refused in revision.refused] == [Reason.OF_OTHERS]
