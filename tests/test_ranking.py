from datetime import UTC, datetime, timedelta

import pytest

from memory_core.ranking import (
    Channel,
    fused,
    ranked,
    recency,
    squeezed,
    standardised,
    with_neighbours,
)


def order(channels: dict[str, Channel]) -> list[int]:
    return [hit.key for hit in ranked(fused(channels))]


def test_standardised_scores_have_mean_0_and_deviation_1() -> None:
    values = list(standardised(Channel({1: 1.0, 2: 2.0, 3: 6.0}, 1.0), [1, 2, 3]).values())
    assert sum(values) == pytest.approx(0)
    assert sum(value**2 for value in values) / 3 == pytest.approx(1)


def test_equal_scores_and_a_single_one_say_nothing() -> None:
    assert standardised(Channel({1: 3.0, 2: 3.0}, 1.0), [1, 2]) == {1: 0.0, 2: 0.0}
    assert standardised(Channel({}, 1.0), []) == {}


def test_a_key_found_by_both_channels_is_before_those_found_by_one() -> None:
    words = Channel({1: 5.0, 2: 5.0}, 1.0, missing=0.0)
    vectors = Channel({2: 0.8, 3: 0.8}, 1.0)
    assert order({"words": words, "vectors": vectors})[0] == 2


def test_a_channel_weighs_what_it_is_given() -> None:
    left, right = {1: 2.0, 2: 1.0}, {1: 1.0, 2: 2.0}
    heavy, light = 2.0, 1.0
    assert order({"a": Channel(left, heavy), "b": Channel(right, light)}) == [1, 2]
    assert order({"a": Channel(left, light), "b": Channel(right, heavy)}) == [2, 1]


def test_the_shares_explain_the_score() -> None:
    (best, *_) = ranked(fused({"words": Channel({1: 2.0, 2: 1.0}, 0.5, missing=0.0)}))
    assert best.why == {"words": pytest.approx(0.5)}
    assert best.score == pytest.approx(squeezed(0.5))


def test_a_page_beside_a_good_one_is_lifted_and_can_enter() -> None:
    shares = {1: {"words": 2.0}, 2: {"words": -1.0}, 3: {"words": -1.0}}
    lifted = with_neighbours(shares, {1: [2, 4], 2: [1], 3: [], 4: [1]}, weight=0.3)
    total = {key: sum(parts.values()) for key, parts in lifted.items()}
    assert total[2] > total[3]
    assert total[4] == pytest.approx(total[2])
    assert set(lifted[4]) == {"links"}


def test_recency_halves_with_each_half_life_and_never_exceeds_1() -> None:
    now = datetime(2026, 5, 1, tzinfo=UTC)
    assert recency(now - timedelta(days=60), now, half_life_days=30) == pytest.approx(0.25)
    assert recency(now + timedelta(days=60), now, half_life_days=30) == 1.0


def test_scores_are_squeezed_in_order_whatever_their_size() -> None:
    values = [squeezed(value) for value in (-1e9, -2.0, 0.0, 0.5, 1e9)]
    assert values == sorted(values)
    assert 0 <= values[0] < values[-1] <= 1
