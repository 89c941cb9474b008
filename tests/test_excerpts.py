import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from memory_core.excerpts import GAP, excerpt, wanted
from memory_core.records import Excerpt, Page
from memory_core.sentences import sentences
from memory_core.tokens import estimate_tokens
from tests.test_token_budget import page

WALK = "The weather was nice today and we walked along the river. Then we had lunch. "
河 = "今天天气很好，我们沿着河散步。然后和两个朋友吃了午饭。"
SENTENCES = [
    *("I moved to Porto. ", "我搬到波尔图了。", "引っ越しました。", "Why? ", "Great 🎉👩‍👩‍👧!\n"),
    *(
        "The sister of Anna lives there, e.g. in summer, for 3.5 months. ",
        "(Really.) ",
        "- a list\n",
    ),
    *("No mark at the end\n", "她说：“好的。”", "كيف حالك اليوم؟\n"),
]


def shown(page: Page, query: str, limit: int = 120) -> Excerpt:
    found = excerpt(page, wanted(query), limit)
    assert found is not None
    return found


def sentences_of(side: str) -> list[str]:
    return [each for part in side.split(GAP) for each in sentences(part)]


def test_a_short_page_is_shown_whole() -> None:
    assert excerpt(page(1, "I live in Lisbon.", "Noted."), wanted("Where?"), 120) is None


def test_the_sentences_about_the_question_are_shown_with_the_one_before() -> None:
    told = WALK * 40 + "My sister has news. She moved to Porto. " + WALK * 40
    found = shown(page(1, "How was it?", told), "Where do people move to?")
    assert "My sister has news. She moved to Porto." in found.agent_response
    assert found.user_input == "How was it?"
    assert found.agent_response.endswith(f" {GAP}")


def test_a_rare_word_counts_more_than_one_that_is_everywhere() -> None:
    told = "We walked by the river. " * 100 + "A heron stood there. " + "We walked on. " * 100
    assert "A heron stood there." in shown(page(1, told), "Did we walk by a heron?").user_input


def test_scripts_without_spaces_are_searched_too() -> None:
    told = 河 * 40 + "我妹妹五月搬到了波尔图。她很喜欢那里。" + 河 * 40
    assert (
        "我妹妹五月搬到了波尔图。她很喜欢那里。"
        in shown(page(1, told), "妹妹住在哪里？").user_input
    )


def test_without_a_matching_word_the_beginning_of_both_sides_is_shown() -> None:
    found = shown(page(1, "User begins. " + WALK * 50, "Other begins. " + WALK * 50), "zebra")
    assert found.user_input.startswith("User begins. The weather")
    assert found.agent_response.startswith("Other begins. The weather")


def test_paragraphs_between_shown_neighbours_stay() -> None:
    found = shown(page(1, "One zebra.\n\n- Two zebras.\n" + WALK * 50), "zebra")
    assert found.user_input.startswith("One zebra.\n\n- Two zebras.\n")


@pytest.mark.parametrize("limit", [60, 120, 1000])
@pytest.mark.parametrize(
    "text",
    [
        "x" * 200_000,
        "word " * 40_000,
        "語" * 200_000,
        "👩‍👩‍👧" * 20_000,
        "e\u0301" * 90_000,
        "🇵🇹" * 50_000,
    ],
    ids=["base64", "words", "han", "families", "accents", "flags"],
)
def test_a_monstrous_sentence_is_cut_between_characters_and_marked(text: str, limit: int) -> None:
    found = shown(page(1, text), "zebra", limit)
    cut = found.user_input.removesuffix(f" {GAP}")
    assert cut != found.user_input and cut
    assert text.startswith(cut)
    rest = text[len(cut) :]
    assert rest[0] not in "\u200d\u0301" and cut[-1] != "\u200d"
    if text[0] == "🇵":
        assert len(cut) % 2 == 0
    if text[0] == "w":
        assert cut.endswith("word") and rest[0] == " "
    assert limit // 4 <= estimate_tokens(found.user_input) <= limit


def test_a_piece_of_a_monstrous_sentence_is_what_stands_around_the_word() -> None:
    text = "so and then " * 5_000 + "a zebra came " + "so and then " * 5_000
    found = shown(page(1, text, "Short."), "zebra")
    assert "a zebra came" in found.user_input
    assert found.user_input.startswith(GAP) and found.user_input.endswith(GAP)
    assert found.agent_response == "Short."


def test_a_turn_of_many_megabytes_is_no_burden() -> None:
    found = shown(page(1, WALK * 60_000 + "The zebra came last."), "zebra")
    assert found.user_input.endswith("The zebra came last.")


@example(user=["Why? "] * 40, agent=["Why? "], query="why", limit=60)
@given(
    user=st.lists(st.sampled_from(SENTENCES), max_size=60),
    agent=st.lists(st.sampled_from(SENTENCES), max_size=60),
    query=st.sampled_from(["Porto", "姉妹", "搬到", "sister of Anna", "?", "lists and months"]),
    limit=st.integers(60, 400),
)
def test_whatever_is_shown_is_whole_sentences_and_fits(
    user: list[str], agent: list[str], query: str, limit: int
) -> None:
    whole = page(1, "".join(user), "".join(agent))
    found = excerpt(whole, wanted(query), limit)
    if found is None:
        assert estimate_tokens(f"{whole.user_input}\n{whole.agent_response}") <= limit
        return
    assert estimate_tokens(found.user_input) + estimate_tokens(found.agent_response) <= limit
    assert found.user_input or found.agent_response
    for part, side in (
        (found.user_input, whole.user_input),
        (found.agent_response, whole.agent_response),
    ):
        assert set(sentences_of(part)) <= set(sentences(side))
        assert re.sub(r"\s", "", part).replace(GAP, "") or not part
