"""Whether what a model returns can be a statement of its sources."""

import pytest

from memory_core.prompts.quality import is_invented


@pytest.mark.parametrize(
    ("text", "said", "invented"),
    [
        ("Name: John Doe", "Please answer briefly.", True),
        ("Age: 30", "Please answer briefly.", True),
        ("Home: New York City", "Please answer briefly.", True),
        ("The user lives in Porto, Portugal.", "I moved to porto last week", False),
        ("The user is 30 years old.", "I am 30.", False),
        ("The user turned 30 years old.", "I turned thirty, many years behind me.", False),
        ("The user moved on May 3, 2026.", "I moved yesterday.", False),
        ("The user is vegetarian.", "I eat no meat.", False),
        ("The user wants answers in Chinese.", "answer in chinese please", False),
        ("The user is Portuguese.", "I come from Portugal.", False),
        ("The user works with Anna's team.", "I work with Anna.", False),
        ("用户于2026年5月3日搬家。", "我昨天搬家了。", False),
        ("用户今年45岁。", "我今年四十五岁。", False),
        ("", "", False),
    ],
)
def test_a_text_that_names_what_nobody_named_is_invented(
    text: str, said: str, invented: bool
) -> None:
    assert is_invented(text, [said]) is invented
