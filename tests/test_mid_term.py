import math
from dataclasses import replace
from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from memory_core import mid_term
from memory_core.records import Page, Segment, Topic

NOW = datetime(2026, 5, 1, tzinfo=UTC)
DAY = 86_400.0
WEIGHTS = mid_term.HeatWeights(alpha=1.0, beta=1.0, gamma=1.0, mu=DAY)


def segment(key: int = 1, **changes: object) -> Segment:
    plain = Segment(
        key=key,
        id=f"segment_{key}",
        title="dogs",
        summary="Toby is a dog.",
        keywords=("dog", "toby"),
        visits=0,
        last_visit_at=NOW,
        pages=1,
        undigested=1,
        news=False,
        made_by="heuristic",
    )
    return replace(plain, **changes)  # type: ignore[arg-type]


def topic(*keywords: str, keys: tuple[int, ...] = (7,)) -> Topic:
    return Topic(title="t", summary="New.", keywords=keywords, page_keys=keys)


def page(key: int, at: datetime, segment_key: int | None = None) -> Page:
    return Page(
        key=key,
        id=f"page_{key}",
        user_input="u",
        agent_response="a",
        at=at,
        meta_data={},
        segment_key=segment_key,
    )


def test_heat_is_the_papers_formula() -> None:
    weights = mid_term.HeatWeights(alpha=0.5, beta=2.0, gamma=3.0, mu=DAY)
    warm = segment(visits=4, undigested=3, last_visit_at=NOW - timedelta(days=2))
    assert mid_term.heat(warm, NOW, weights) == pytest.approx(0.5 * 4 + 2 * 3 + 3 * math.exp(-2))


def test_a_segment_cools_with_time_and_one_of_the_future_is_only_recent() -> None:
    ages = [timedelta(days=-3), timedelta(0), timedelta(hours=6), timedelta(days=5)]
    heats = [mid_term.heat(segment(last_visit_at=NOW - age), NOW, WEIGHTS) for age in ages]
    assert heats[0] == heats[1] > heats[2] > heats[3] > 1.0


def test_every_hot_segment_is_due_not_only_the_hottest_and_none_without_news() -> None:
    found = mid_term.hot_segments(
        [
            segment(1, undigested=5),
            segment(2, undigested=9),
            segment(3, undigested=0, visits=50),
            segment(4, undigested=2),
        ],
        NOW,
        WEIGHTS,
        threshold=5.0,
    )
    assert [s.key for s in found] == [2, 1]


def test_news_is_due_at_once_but_only_once() -> None:
    told, digested = segment(1, news=True), segment(2, news=True, undigested=0)
    assert mid_term.hot_segments([told, digested], NOW, WEIGHTS, threshold=5.0) == (told,)


def test_beyond_the_capacity_the_coldest_leave() -> None:
    old = NOW - timedelta(days=30)
    segments = [segment(1, visits=3), segment(2, last_visit_at=old), segment(3, visits=1)]
    assert mid_term.coldest(segments, NOW, WEIGHTS, capacity=2) == (2,)
    assert mid_term.coldest(segments, NOW, WEIGHTS, capacity=3) == ()


def test_a_new_segment_is_not_the_first_to_leave() -> None:
    old = NOW - timedelta(days=30)
    read_once = [segment(key, visits=0, undigested=0, last_visit_at=old) for key in range(5)]
    assert 9 not in mid_term.coldest([*read_once, segment(9)], NOW, WEIGHTS, capacity=5)


@pytest.mark.parametrize(
    ("left", "right", "share"),
    [("ab", "ab", 1.0), ("ab", "bc", 1 / 3), ("a", "b", 0.0), ("", "", 0.0), ("aab", "b", 0.5)],
)
def test_jaccard_is_shared_over_all(left: str, right: str, share: float) -> None:
    assert mid_term.jaccard(left, right) == pytest.approx(share)


def test_affinity_is_cosine_plus_jaccard() -> None:
    a, b = np.array([1, 0], dtype=np.float32), np.array([0.6, 0.8], dtype=np.float32)
    assert mid_term.affinity(a, ["dog"], b, ["dog", "cat"]) == pytest.approx(0.6 + 0.5)


def test_without_vectors_keywords_alone_can_join() -> None:
    same = mid_term.best_segment(topic("dog", "toby"), None, [segment()], {}, None, 0.6)
    other = mid_term.best_segment(topic("tea", "cup"), None, [segment()], {}, None, 0.6)
    assert (same and same.key, other) == (1, None)


def test_a_topic_joins_the_best_segment_at_the_threshold_and_not_below() -> None:
    vector = np.array([1, 0], dtype=np.float32)
    at = {1: np.array([0.6, 0.8], dtype=np.float32), 2: np.array([0.5, 0.87], dtype=np.float32)}
    near, far = segment(1, keywords=()), segment(2, keywords=())
    assert mid_term.best_segment(topic(), vector, [far, near], at, None, 0.6) == near
    assert mid_term.best_segment(topic(), vector, [far], at, None, 0.6) is None


def test_a_page_that_follows_at_once_leans_to_where_the_talk_was() -> None:
    vector = np.array([1, 0], dtype=np.float32)
    at = {2: np.array([0.5, 0.87], dtype=np.float32)}
    there = segment(2, keywords=())
    before = page(3, NOW, segment_key=2)
    soon, later = page(4, NOW + timedelta(minutes=5)), page(4, NOW + timedelta(hours=3))
    assert mid_term.chained_to(soon, before) == 2
    assert mid_term.chained_to(later, before) is None
    assert mid_term.chained_to(soon, None) is None
    assert mid_term.best_segment(topic(), vector, [there], at, 2, 0.6) == there


def test_a_segments_summary_and_keywords_follow_its_pages() -> None:
    plan = mid_term.placement(topic("toby", "vet"), [page(7, NOW)], segment(), news=True)
    assert plan.summary == "Toby is a dog. New."
    assert plan.keywords == ("toby", "vet", "dog")
    assert (plan.segment_key, plan.page_keys, plan.at) == (1, (7,), NOW)


def test_summaries_stay_bounded_and_keep_what_is_new() -> None:
    summary = ""
    for number in range(200):
        summary = mid_term.joined_summary(summary, f"这是第{number}句话。It was said.")
    assert len(summary) <= mid_term.SUMMARY_LENGTH
    assert "第199句" in summary
    assert summary.count("It was said.") == 1


def test_keywords_stay_bounded_and_neither_side_drowns() -> None:
    old, new = [f"old{n}" for n in range(20)], [f"new{n}" for n in range(20)]
    joined = mid_term.joined_keywords(old, new)
    assert len(joined) == mid_term.KEYWORDS_KEPT
    assert sum(word.startswith("old") for word in joined) == mid_term.KEYWORDS_KEPT // 2


def test_a_segments_middle_moves_by_the_share_of_what_joins() -> None:
    x, y = np.array([1, 0], dtype=np.float32), np.array([0, 1], dtype=np.float32)
    even, light = mid_term.moved_center(x, 2, y, 2), mid_term.moved_center(x, 9, y, 1)
    assert even is not None and light is not None
    assert even == pytest.approx([0.7071, 0.7071], abs=1e-3)
    assert light[0] > 0.99
    assert mid_term.moved_center(None, 0, y, 1) is y
    assert mid_term.moved_center(x, 3, None, 1) is x
    assert mid_term.moved_center(None, 0, None, 1) is None


def test_cosines_of_a_narrow_embedder_are_spread_to_mean_the_same() -> None:
    wide, narrow = mid_term.REFERENCE_THRESHOLD, 0.8
    x = np.array([1, 0], dtype=np.float32)

    def affinity(cosine: float, threshold: float) -> float:
        y = np.array([cosine, math.sqrt(1 - cosine**2)], dtype=np.float32)
        return mid_term.affinity(x, [], y, [], mid_term.spread_of(threshold))

    assert affinity(0.5, wide) == pytest.approx(0.5)
    assert affinity(0.8, narrow) == pytest.approx(wide)
    assert affinity(1.0, narrow) == pytest.approx(1.0)
    assert affinity(0.75, narrow) < 0.2  # unrelated texts of such a model
