import pytest
from hypothesis import given
from hypothesis import strategies as st

from memory_core.tokens import estimate_tokens, fits


@pytest.mark.parametrize(
    ("text", "least", "most"),
    [
        ("", 0, 0),
        # Counted with tokenizers of 2024: 11, 14, 25 and 22 tokens.
        ("I moved to Lisbon last week with my dog.", 10, 14),
        ("我上个月和我的狗一起搬到了里斯本。", 12, 20),
        ("私は先週リスボンに引っ越しました。犬のトビーと一緒に暮らしています。", 24, 36),
        ("Я переехал в Лиссабон на прошлой неделе и живу там со своей собакой.", 20, 40),
        ("😀👍🎉", 6, 12),
        ("2024-05-31T12:00:00Z", 10, 16),
        ("page_0a1b2c3d4e5f", 10, 16),
        ("x" * 4000, 1000, 4000),
        (" " * 4000, 0, 1000),
    ],
)
def test_a_count_without_a_tokenizer_is_near_and_rather_high(
    text: str, least: int, most: int
) -> None:
    assert least <= estimate_tokens(text) <= most


@given(st.text(), st.text())
def test_parts_are_never_cheaper_than_the_whole(left: str, right: str) -> None:
    parts = estimate_tokens(left) + 1 + estimate_tokens(right)
    assert estimate_tokens(f"{left}|{right}") <= parts


@given(st.text(), st.integers(0, 50))
def test_fitting_is_what_the_count_says(text: str, limit: int) -> None:
    assert fits(text, limit) == (estimate_tokens(text) <= limit)
