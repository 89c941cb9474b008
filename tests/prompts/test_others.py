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
        ("Works as a harbour pilot", "Sandro's a harbour pilot now.", False),
        ("Works as a harbour pilot", "He is a harbour pilot now.", True),
        ("Is a teacher", "She works as a French teacher. My teacher, too, was strict.", True),
        ("The user is a nurse.", "My mother was a nurse for years.", True),
        ("User is currently a teacher", "My teacher moved.", True),
        ("Occupation: Teacher", "My teacher says one should write in the passive voice.", True),
        ("Job: teacher", "I'm a teacher, and so was my mother.", False),
        ("职业：老师", "我老师说写文章永远不要用成语。", True),
        ("职业：老师", "我是老师，我妈妈也是老师。", False),
        ("The user is the captain of the team.", "I'm the captain of our team.", False),
        ("The user is the captain.", "I'm our captain.", False),
        ("The user is the owner of a dog.", "I walk my dog every day.", False),
        ("The user is a student at university.", "I study at my university.", False),
        ("The user is a manager.", "I'm our team's manager.", False),
        ("The user is a mother.", "I'm Anna's mother.", False),
        ("The user is a software engineer.", "I start my software engineer job soon.", False),
        ("The user is a nurse.", "My day job is a nurse.", False),
        ("The user is a nurse.", "My name's Odile, a nurse from Trieste.", False),
        ("The user is a nurse.", "It's Odile, a nurse.", False),
        ("The user is a nurse.", "My sister is a nurse and so am I.", False),
        ("The user is a nurse.", "My sister is a nurse. I am one, too.", False),
        ("用户是班主任。", "我是他们班主任。", False),
        ("用户是护士。", "我和姐姐是护士。", False),
        ("用户是护士。", "我们护士很辛苦。", False),
        ("用戶是一名老師。", "我的老師姓陳。", True),
        ("ユーザーは母親です。", "私は息子の母親です。", False),
        ("ユーザーは漁師です。", "父も漁師で、私もそうです。", False),
        ("The user is a teacher.", "My teacher said that a teacher never rests.", False),
        ("The user is a teacher.", "I'm a teacher, like my mother.", False),
        ("The user is a teacher.", "My job is a teacher in Pisa.", False),
        ("The user is a teacher.", "Odile, 34, teacher in Trieste.", False),
        ("The user is a vegetarian.", "I eat no meat.", False),
        ("The user is allergic to walnuts.", "my walnuts are gone", False),
        ("用户是一名老师。", "我的老师姓陈。", True),
        ("用户是老师。", "我老师说别用成语。", True),
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
