"""What callers hand over: kept as it is where it can be, refused with advice where it cannot."""

from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from memory_core.errors import InvalidInput
from memory_core.inputs import (
    LONGEST_ID,
    LONGEST_MESSAGE,
    REPLACEMENT,
    identity,
    item_count,
    item_ids,
    json_object,
    message,
    token_count,
    utc,
)

any_text = st.text(st.characters(exclude_categories=()))
surrogates = st.characters(categories=["Cs"])
json_values = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=8,
)


@settings(deadline=None)
@given(text=st.text())
@example(text=REPLACEMENT)
def test_valid_text_is_taken_verbatim(text: str) -> None:
    assert message(text, "query") == text
    if REPLACEMENT in text:  # in an id it stands for what a transport could not pass on
        with pytest.raises(InvalidInput, match="user_id is not valid text"):
            identity(text, "user_id")
    else:
        assert identity(text, "user_id") == text


@settings(deadline=None)
@given(before=any_text, surrogate=surrogates, after=any_text)
def test_half_a_character_is_replaced_in_a_message_and_refused_in_an_id(
    before: str, surrogate: str, after: str
) -> None:
    kept = message(before + surrogate + after, "query")
    assert len(kept) == len(before) + 1 + len(after)
    assert kept[len(before)] == "\ufffd"
    kept.encode()
    with pytest.raises(InvalidInput, match="user_id is not valid text"):
        identity(before + surrogate + after, "user_id")


def test_the_bounds_are_inclusive_and_named() -> None:
    assert len(message("x" * LONGEST_MESSAGE, "query")) == LONGEST_MESSAGE
    with pytest.raises(InvalidInput, match=r"query has 8,000,001 characters; .* Split it"):
        message("x" * (LONGEST_MESSAGE + 1), "query")
    assert len(identity("x" * LONGEST_ID, "user_id")) == LONGEST_ID
    with pytest.raises(InvalidInput, match="user_id has 10,001 characters"):
        identity("x" * (LONGEST_ID + 1), "user_id")


@pytest.mark.parametrize("value", [None, 5, b"bytes", ["x"], {"a": 1}])
def test_what_is_no_text_is_refused_by_name(value: Any) -> None:
    with pytest.raises(InvalidInput, match="query must be text"):
        message(value, "query")
    with pytest.raises(InvalidInput, match="user_id must be text"):
        identity(value, "user_id")


@pytest.mark.parametrize("value", ["5", 5.0, True, [5], 0, -1])
def test_what_is_no_count_is_refused_by_name(value: Any) -> None:
    with pytest.raises(InvalidInput, match="max_results must be a whole number, at least 1"):
        item_count(value)
    with pytest.raises(InvalidInput, match="max_tokens must be a whole number from 100 to 100,000"):
        token_count(value, default=1_500)


def test_counts_within_their_bounds_are_taken() -> None:
    assert (item_count(None), item_count(1), item_count(10**9)) == (None, 1, 10**9)
    counts = [token_count(given, default=1_500) for given in (None, 100, 100_000)]
    assert counts == [1_500, 100, 100_000]


@pytest.mark.parametrize("value", [None, 5, "page_0123456789ab", {"a": 1}, [5], [None], []])
def test_what_is_no_list_of_ids_is_refused(value: Any) -> None:
    with pytest.raises(InvalidInput, match="ids"):
        item_ids(value)


@settings(deadline=None)
@given(values=st.dictionaries(st.text(), json_values, max_size=4))
def test_a_json_object_comes_back_as_it_was(values: dict[str, Any]) -> None:
    assert json_object(values) == values


def test_an_object_is_taken_as_it_will_come_back() -> None:
    given_values = {1: (2, 3), None: True, "half": "\ud800", "\ud800": "猫"}
    assert json_object(given_values) == {  # type: ignore[arg-type]
        "1": [2, 3],
        "null": True,
        "half": "\ufffd",
        "\ufffd": "猫",
    }


@pytest.mark.parametrize(
    "values",
    [
        {"a": float("nan")},
        {"a": [float("inf")]},
        {"a": {1, 2}},
        {"a": b"bytes"},
        {(1, 2): "a"},
        {"a": 10**5000},
        {"a": datetime(2026, 5, 1, tzinfo=UTC)},
        ["a", "b"],
        "text",
        5,
    ],
)
def test_what_json_does_not_know_is_refused(values: Any) -> None:
    with pytest.raises(InvalidInput, match="meta_data must be a JSON object"):
        json_object(values)


def test_an_object_that_holds_itself_or_never_ends_is_refused() -> None:
    circle: dict[str, Any] = {}
    circle["again"] = circle
    pit: dict[str, Any] = {}
    for _ in range(100_000):
        pit = {"a": pit}
    for values in (circle, pit):
        with pytest.raises(InvalidInput, match="meta_data"):
            json_object(values)
    while pit:  # let go level by level
        pit = pit["a"]


def test_an_object_has_a_bound() -> None:
    with pytest.raises(InvalidInput, match="longer than 8,000,000"):
        json_object({"a": "x" * LONGEST_MESSAGE})


def test_times_become_utc_and_keep_their_moment() -> None:
    east = datetime(2026, 5, 1, 8, 30, tzinfo=timezone(timedelta(hours=8)))
    assert utc(east).isoformat() == "2026-05-01T00:30:00+00:00"


@pytest.mark.parametrize(
    ("at", "said"),
    [
        (datetime(2026, 5, 1), "has no zone"),  # noqa: DTZ001 - the point of the test
        ("2026-05-01", "must be an aware datetime"),
        (0, "must be an aware datetime"),
        (datetime.max.replace(tzinfo=timezone(timedelta(hours=-8))), "out of range"),
        (datetime.min.replace(tzinfo=timezone(timedelta(hours=8))), "out of range"),
    ],
)
def test_times_that_mean_no_moment_are_refused(at: Any, said: str) -> None:
    with pytest.raises(InvalidInput, match=said):
        utc(at)
