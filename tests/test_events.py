"""Events that bound the time of a question."""

import time

import pytest

from memory_core.events import Event, event_in
from tests.test_form import LONG


@pytest.mark.parametrize(
    ("question", "what", "after"),
    [
        ("What did I drink before I moved to Porto?", "I moved to Porto", False),
        ("Since we got the dog, where do we walk?", "we got the dog", True),
        ("Whom did I see after my trip to Oslo?", "my trip to Oslo", True),
        ("我搬家之前住在哪里？", "我搬家", False),
        ("我毕业以后做了什么？", "我毕业", True),
        ("引っ越す前はどこに住んでいましたか？", "引っ越す", False),
        ("卒業したあとに何をしましたか？", "卒業した", True),
    ],
)
def test_an_event_is_what_stands_behind_before_or_after(
    question: str, what: str, after: bool
) -> None:
    assert event_in(question) == Event(what, after)


@pytest.mark.parametrize(
    "question",
    [
        "Where do I live?",
        "before noon",
        "the day after tomorrow",
        "三天之前",
        "名前は？",
        "以前はどこ？",
        "",
    ],
)
def test_times_and_names_are_no_events(question: str) -> None:
    assert event_in(question) is None


@pytest.mark.parametrize("kind", LONG)
def test_a_long_question_is_looked_at_in_a_moment(kind: str) -> None:
    started = time.process_time()
    event_in(LONG[kind])
    assert time.process_time() - started < 1
