"""From evidence to an order: shares by channel, and their sum as a score."""

from datetime import UTC, datetime, timedelta

import numpy as np
import pytest

from memory_core.config import RECALL_CHANNELS
from memory_core.evidence import FEATURES, Numbers, channel_of
from memory_core.ranking import ranked, recency, shares_of, squeezed, sum_of
from memory_core.weights import WEIGHTS

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
OF_EVIDENCE = sorted({channel_of(feature) for feature in FEATURES})


def numbers(**known: float) -> Numbers:
    """Evidence of a page by channel: each of a channel's features is this number."""
    return np.array([known.get(channel_of(feature), 0.0) for feature in FEATURES])


def weight_of(channel: str) -> float:
    return sum(weight for feature, weight in WEIGHTS.items() if channel_of(feature) == channel)


def test_a_share_is_the_weighted_sum_of_a_channel_s_numbers() -> None:
    shares = shares_of({7: numbers(words=0.5, vectors=0.25)}, RECALL_CHANNELS)
    assert shares == {
        7: {
            "words": pytest.approx(0.5 * weight_of("words")),
            "vectors": pytest.approx(0.25 * weight_of("vectors")),
        }
    }


def test_a_channel_that_says_nothing_has_no_share() -> None:
    assert shares_of({1: numbers()}, RECALL_CHANNELS) == {1: {}}
    assert shares_of({}, RECALL_CHANNELS) == {}


@pytest.mark.parametrize("off", OF_EVIDENCE)
def test_a_channel_that_is_switched_off_adds_nothing_and_changes_no_other(off: str) -> None:
    everything = {1: np.linspace(0.1, 1.0, len(FEATURES))}
    (whole,) = shares_of(everything, RECALL_CHANNELS).values()
    (without,) = shares_of(everything, [name for name in OF_EVIDENCE if name != off]).values()
    assert without == {name: share for name, share in whole.items() if name != off}
    assert set(shares_of(everything, [off])[1]) <= {off}
    assert shares_of(everything, []) == {1: {}}


def test_the_larger_sum_is_first_and_of_equals_the_newer_key() -> None:
    hits = ranked({1: {"a": 1.0}, 2: {"a": 2.0, "b": -1.5}, 3: {"a": 0.4, "b": 0.6}, 4: {}})
    assert [hit.key for hit in hits] == [3, 1, 2, 4]
    assert hits[0].score == hits[1].score > hits[2].score > hits[3].score
    assert ranked({}) == []


def test_the_shares_explain_the_score() -> None:
    (hit,) = ranked({1: {"words": 4.0, "superseded": -2.0}}, middle=1.5)
    assert hit.why == {"words": 4.0, "superseded": -2.0}
    assert hit.score == pytest.approx(squeezed(4.0 - 2.0 - 1.5))


def test_the_middle_scores_one_half_and_changes_no_order() -> None:
    shares = {1: {"a": 2.0}, 2: {"a": 5.0}, 3: {"a": -1.0}}
    assert {hit.key: hit.score for hit in ranked(shares, 5.0)}[2] == 0.5
    assert [hit.key for hit in ranked(shares, 5.0)] == [hit.key for hit in ranked(shares)]


def test_scores_lie_between_0_and_1_in_the_order_of_what_was_squeezed() -> None:
    values = [-9.0, -1.0, 0.0, 0.5, 3.0, 30.0]
    scores = [squeezed(value) for value in values]
    assert scores == sorted(set(scores))
    assert squeezed(0.0) == 0.5
    assert all(0.0 <= squeezed(value) <= 1.0 for value in (*values, -1e308, 1e308))
    assert 0.0 <= squeezed(float("-inf")) < squeezed(float("inf")) <= 1.0


def test_the_sum_behind_a_score_is_that_which_was_squeezed() -> None:
    for value in (-20.0, -1.5, 0.0, 0.7, 12.0):
        assert sum_of(squeezed(value)) == pytest.approx(value, abs=1e-6)
    # A score from elsewhere may be anything in 0..1.
    assert sum_of(0.0) < -90 and sum_of(1.0) > 90


def test_recency_halves_with_each_half_life_and_the_future_is_now() -> None:
    assert recency(NOW, NOW, 30) == 1.0
    assert recency(NOW - timedelta(days=30), NOW, 30) == pytest.approx(0.5)
    assert recency(NOW - timedelta(days=90), NOW, 30) == pytest.approx(0.125)
    assert recency(NOW + timedelta(days=400), NOW, 30) == 1.0
    assert recency(datetime.min.replace(tzinfo=UTC), NOW, 30) == pytest.approx(0)
