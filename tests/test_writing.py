"""Which script a text is written in."""

import pytest

from memory_core.writing import foreign_scripts, script_of
from tests.test_form import page


@pytest.mark.parametrize(
    ("text", "script"),
    [
        ("I live in Lisbon.", "LATIN"),
        ("Ich wohne in Köln.", "LATIN"),
        ("我住在里斯本。", "HAN"),
        ("我用 Python 写了一个爬虫。", "HAN"),
        (
            "我喜欢「カフェ」这个词，也常常去那家新开的咖啡馆坐坐，看看书，喝一杯咖啡，再慢慢走回家去。",
            "HAN",
        ),
        ("リスボンに住んでいます。", "KANA"),
        ("東京の大学", "KANA"),
        ("나는 서울에 산다.", "HANGUL"),
        ("Я живу в Минске.", "CYRILLIC"),
        ("أعيش في القاهرة", "ARABIC"),
        ("ｗｉｄｅ", "LATIN"),
        ("ﾘｽﾎﾞﾝ", "KANA"),
        ("🌵 42 \ud800!", ""),
        ("", ""),
    ],
)
def test_the_script_is_that_of_most_letters(text: str, script: str) -> None:
    assert script_of(text) == script


def test_the_beginning_of_a_text_decides() -> None:
    assert script_of("tea " * 100 + "茶" * 10_000) == "LATIN"


def test_pages_in_another_script_than_the_question_are_foreign() -> None:
    pages = {1: page("I drink tea."), 2: page("我喝茶。"), 3: page("", "お茶です。"), 4: page("🍵")}
    assert foreign_scripts("Which tea?", pages) == {2: "HAN", 3: "KANA"}
    assert foreign_scripts("什么茶？", pages) == {1: "LATIN", 3: "KANA"}
    assert foreign_scripts("🍵?", pages) == {}
