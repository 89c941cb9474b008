"""The second look: a new order, the same scores, and the old order when it cannot be had."""

import itertools
from collections.abc import Sequence
from datetime import UTC, datetime

import anyio
import pytest

from memory_core.errors import RerankerError
from memory_core.records import Page, PageHit
from memory_core.rerank import SLOW, Reranking, both_ends, passage, reordered
from memory_core.testing import WordsReranker
from memory_core.text import query_terms
from memory_core.tokens import estimate_tokens

NOW = datetime(2026, 5, 1, tzinfo=UTC)
QUERY = "Where is the blue bicycle?"
DOWN = RerankerError("The reranker is out of order. Start it.")


def page(key: int, user: str, agent: str = "") -> Page:
    return Page(
        key=key,
        id=f"page_{key}",
        user_input=user,
        agent_response=agent,
        at=NOW,
        meta_data={},
        segment_key=None,
    )


def hits(*texts: str) -> tuple[PageHit, ...]:
    """Hits with falling scores, in this order."""
    return tuple(
        PageHit(page=page(key, text), score=0.9 - 0.1 * key, why={"words": 1.0 - key})
        for key, text in enumerate(texts)
    )


def keys(found: Sequence[PageHit]) -> list[int]:
    return [hit.page.key for hit in found]


FOUND = hits("A bicycle.", "The weather is fine.", "The blue bicycle is at home.", "蓝色的自行车")


async def test_the_page_that_answers_comes_first() -> None:
    found = await Reranking(WordsReranker(), 30).reranked(QUERY, FOUND)
    assert keys(found)[0] == 2
    assert sorted(keys(found)) == [0, 1, 2, 3]


async def test_the_scores_stay_in_their_places_and_why_names_the_share() -> None:
    found = await Reranking(WordsReranker(), 30).reranked(QUERY, FOUND)
    assert [hit.score for hit in found] == [hit.score for hit in FOUND]
    assert all(hit.why["words"] == 1.0 - hit.page.key for hit in found)
    assert sum(hit.why["reranker"] for hit in found) == pytest.approx(0.0, abs=1e-9)
    assert found[0].why["reranker"] == max(hit.why["reranker"] for hit in found)


async def test_only_the_first_are_read_and_the_rest_stays_behind_them() -> None:
    reranker = WordsReranker()
    found = await Reranking(reranker, 2).reranked("the weather", FOUND)
    assert keys(found) == [1, 0, 2, 3]
    assert found[2:] == FOUND[2:]
    assert [len(texts) for texts in reranker.asked] == [2]


async def test_nothing_is_asked_where_there_is_nothing_to_order() -> None:
    reranker = WordsReranker()
    reranking = Reranking(reranker, 30)
    assert await reranking.reranked(QUERY, ()) == ()
    assert await reranking.reranked(QUERY, FOUND[:1]) == FOUND[:1]
    assert reranker.asked == []


async def test_without_a_reranker_hits_stay_as_they_are() -> None:
    reranking = Reranking(None, 30)
    assert await reranking.reranked(QUERY, FOUND) == FOUND
    assert (reranking.note, reranking.name) == ("", "")
    await reranking.rest()


async def test_a_failure_leaves_the_order_and_is_told_until_it_works_again() -> None:
    reranker = WordsReranker(failure=DOWN)
    reranking = Reranking(reranker, 30, pause=0)
    assert await reranking.reranked(QUERY, FOUND) == FOUND
    assert "out of order. Start it." in reranking.note
    reranker.failure = None
    assert keys(await reranking.reranked(QUERY, FOUND))[0] == 2
    assert reranking.note == ""


async def test_after_a_failure_it_is_left_alone_for_a_while() -> None:
    reranker = WordsReranker(failure=DOWN)
    reranking = Reranking(reranker, 30, pause=600)
    for _ in range(3):
        assert await reranking.reranked(QUERY, FOUND) == FOUND
    assert len(reranker.asked) == 1
    assert reranking.note


class HangingReranker(WordsReranker):
    async def scores(self, query: str, texts: Sequence[str]) -> list[float]:
        await anyio.sleep_forever()
        return []


async def test_a_reranker_that_hangs_is_not_waited_for() -> None:
    reranking = Reranking(HangingReranker(), 30, patience=0.05)
    with anyio.fail_after(10):
        assert await reranking.reranked(QUERY, FOUND) == FOUND
    assert reranking.note == SLOW


async def test_rest_lets_the_model_go() -> None:
    reranker = WordsReranker()
    await Reranking(reranker, 30).rest()
    assert reranker.closed


def test_equal_opinions_leave_the_order() -> None:
    assert keys(reordered(FOUND, [0.1, 0.1, 0.1, 0.1])) == [0, 1, 2, 3]


def test_what_search_knows_decides_between_equal_opinions() -> None:
    assert keys(reordered(FOUND, [0.2, 0.9, 0.9, 0.1])) == [1, 2, 0, 3]


@pytest.mark.parametrize("scores", [*itertools.permutations([0.0, 1.0, 1e-9, 0.5])])
def test_any_scores_give_sorted_scores_within_bounds(scores: tuple[float, ...]) -> None:
    ends = (0.0, 1.0)
    extreme = tuple(
        PageHit(page=hit.page, score=end, why={})
        for hit, end in zip(FOUND, (*ends[::-1], *ends), strict=True)
    )
    for before in (FOUND, extreme):
        found = [hit.score for hit in reordered(before, scores)]
        assert found == sorted(found, reverse=True)
        assert all(0 <= score <= 1 for score in found)


def test_a_passage_has_the_date_and_both_sides() -> None:
    text = passage(page(1, " I live in Lisbon. ", "Noted."), [])
    assert text == "2026-05-01\nUser: I live in Lisbon.\nAssistant: Noted."
    assert passage(page(1, "", "Noted."), []) == "2026-05-01\nAssistant: Noted."


@pytest.mark.parametrize(
    ("filler", "answer", "query"),
    [
        ("It rained again on that day. ", "The blue bicycle is at home.", QUERY),
        ("那天又下雨了，我们哪儿也没去。", "蓝色的自行车在家里。", "蓝色的自行车在哪里？"),
    ],
)
@pytest.mark.parametrize("before", [0, 150, 300])
def test_of_a_long_page_the_piece_that_answers_is_read(
    filler: str, answer: str, query: str, before: int
) -> None:
    text = passage(page(1, filler * before + answer + filler * 300), query_terms(query))
    assert answer in text
    assert estimate_tokens(text) < 350


@pytest.mark.parametrize("text", ["", "\0", "\ud83d", "\n\n", "x" * 1_000_000, "花" * 1_000_000])
async def test_odd_pages_and_questions_are_read(text: str) -> None:
    reranker = WordsReranker()
    reranking = Reranking(reranker, 30)
    found = await reranking.reranked(text or "?", hits(text, "A bicycle."))
    assert len(found) == 2
    assert reranking.note == ""
    assert all(estimate_tokens(passage) < 350 for passage in reranker.asked[0])


def test_of_a_long_prompt_both_ends_are_asked() -> None:
    prompt = f"Read this. {'blah ' * 5_000} Now, where is the bicycle?"
    short = both_ends(prompt)
    assert short.startswith("Read this.") and short.endswith("where is the bicycle?")
    assert estimate_tokens(short) <= 125
    assert both_ends(" Where? ") == "Where?"
    assert both_ends("") == ""
