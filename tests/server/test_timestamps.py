from datetime import UTC, datetime, timedelta, timezone

import pytest

from memory_core import InvalidInput
from server.timestamps import format_timestamp, parse_timestamp

EVENING = datetime(2024, 5, 31, 18, 30, tzinfo=UTC)


@pytest.mark.parametrize(
    "text",
    [
        "2024-05-31T18:30:00Z",
        "2024-05-31t18:30:00z",
        "2024-05-31T20:30:00+02:00",
        "2024-05-31T20:30:00 +0200",
        "2024-05-31 18:30:00",
        "2024-05-31 18:30",
        "2024-05-31 18:30:00 UTC",
        "20240531T183000",
        "20240531T183000Z",
        "  2024-05-31T18:30:00.000 ",
    ],
)
def test_the_same_moment_is_read_in_every_form(text: str) -> None:
    assert parse_timestamp(text, UTC) == EVENING


@pytest.mark.parametrize("hours", [-5, 0, 8])
def test_without_an_offset_it_is_a_time_of_the_users_zone(hours: int) -> None:
    zone = timezone(timedelta(hours=hours))
    assert parse_timestamp("2024-05-31", zone) == datetime(2024, 5, 31, tzinfo=zone)
    assert parse_timestamp("2024-05-31 07:30", zone) == datetime(2024, 5, 31, 7, 30, tzinfo=zone)
    assert parse_timestamp("2024-05-31T18:30:00Z", zone) == EVENING


@pytest.mark.parametrize("text", ["", "   "])
def test_empty_text_is_no_time(text: str) -> None:
    assert parse_timestamp(text, UTC) is None


@pytest.mark.parametrize(
    "text",
    [
        "yesterday",
        "昨天",
        "2024-13-01",
        "2024-02-30",
        "31/05/2024",
        "0001-01-01T00:00:00+05:00",
        "9999-12-31T23:59:59-05:00",
        "10000-01-01",
        "1717180200000",
        "\x00",
    ],
)
def test_what_cannot_be_read_is_refused_with_the_accepted_forms(text: str) -> None:
    with pytest.raises(InvalidInput, match="2024-05-31T18:30:00Z"):
        parse_timestamp(text, UTC)


def test_times_are_written_in_utc() -> None:
    there = EVENING.astimezone(timezone(timedelta(hours=9)))
    assert format_timestamp(there) == "2024-05-31T18:30:00Z"
