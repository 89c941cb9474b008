"""The nouns: frozen, named, in UTC."""

from collections.abc import Callable
from dataclasses import FrozenInstanceError, is_dataclass
from datetime import UTC, datetime, timedelta, timezone
from typing import Any

import pytest

from memory_core import records
from memory_core.records import Page, PageDraft, Scope, Tier, require_utc

NOW = datetime(2026, 5, 1, tzinfo=UTC)


def page(user: str = "Hi.", agent: str = "Hello.", segment_key: int | None = None) -> Page:
    return Page(
        key=1,
        id="page_1",
        user_input=user,
        agent_response=agent,
        at=NOW,
        meta_data={},
        segment_key=segment_key,
    )


@pytest.mark.parametrize(
    "at",
    [
        datetime(2026, 5, 1),  # noqa: DTZ001 - the point of the test
        datetime(2026, 5, 1, tzinfo=timezone(timedelta(hours=8))),
        datetime(2026, 5, 1, tzinfo=timezone(timedelta(microseconds=1))),
    ],
)
def test_a_time_that_is_not_utc_is_refused_by_name(at: datetime) -> None:
    with pytest.raises(ValueError, match="at must be an aware UTC datetime"):
        PageDraft(user_input="x", agent_response="", at=at)


def test_any_zone_without_offset_is_utc() -> None:
    require_utc(NOW, "at")
    require_utc(NOW.replace(tzinfo=timezone(timedelta(0), "GMT")), "at")


@pytest.mark.parametrize(
    ("user", "agent", "text"),
    [
        ("Hi.", "Hello.", "User: Hi.\nAssistant: Hello."),
        ("猫", "", "User: 猫"),
        ("", "A note.", "Assistant: A note."),
        ("", "", ""),
    ],
)
def test_the_text_of_a_page_is_the_sides_that_are_there(user: str, agent: str, text: str) -> None:
    assert page(user, agent).text == text


def test_a_page_without_a_segment_is_short_term() -> None:
    assert page().tier is Tier.SHORT
    assert page(segment_key=0).tier is Tier.MID
    assert page(segment_key=3).tier is Tier.MID


def test_the_cube_of_a_scope_may_be_left_out_and_tells_scopes_apart() -> None:
    plain = Scope(user_id="u", assistant_id="a")
    assert plain == Scope(user_id="u", assistant_id="a", cube="default")
    assert len({plain, Scope(user_id="u", assistant_id="a", cube="other")}) == 2


def test_a_draft_shares_no_meta_data_with_another() -> None:
    first, second = (PageDraft(user_input="x", agent_response="", at=NOW) for _ in range(2))
    assert first.meta_data == {}
    assert first.meta_data is not second.meta_data


RECORDS = [noun for noun in vars(records).values() if is_dataclass(noun)]


@pytest.mark.parametrize("record", RECORDS, ids=lambda record: record.__name__)
def test_every_record_is_frozen_and_takes_names_only(record: Any) -> None:
    assert record.__dataclass_params__.frozen
    made: Callable[..., object] = record
    with pytest.raises(TypeError, match="positional"):
        made("a value without a name")


def test_a_record_cannot_be_changed() -> None:
    with pytest.raises(FrozenInstanceError):
        page().user_input = "other"  # type: ignore[misc]
