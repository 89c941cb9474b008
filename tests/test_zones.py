"""Zones by their name, and the zone of this machine."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta, timezone

import pytest

from memory_core.zones import LocalZone, in_zone, zone_label, zone_named


def test_utc_needs_no_list_of_zones() -> None:
    assert zone_named("UTC") is UTC


def test_the_machine_keeps_its_summer_time() -> None:
    # TZ is read when a process starts, and this rule needs no list of zones.
    code = """
from datetime import UTC, datetime
from memory_core.zones import LocalZone
for month in (1, 7):
    noon = datetime(2023, month, 1, 12, tzinfo=LocalZone())
    assert noon.astimezone(UTC).astimezone(LocalZone()) == noon
    print(noon.astimezone(UTC).hour, noon.dst())
"""
    env = {"TZ": "CET-1CEST,M3.5.0,M10.5.0/3"}
    done = subprocess.run(
        [sys.executable, "-c", code], env=env, capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == ["11", "0:00:00", "10", "1:00:00"]


@pytest.mark.parametrize("year", [1, 9999])
def test_the_ends_of_the_calendar_are_no_error(year: int) -> None:
    assert abs(datetime(year, 1, 1, tzinfo=LocalZone()).utcoffset() or timedelta()) < timedelta(
        days=1
    )


def test_it_is_one_zone_with_a_name() -> None:
    assert LocalZone() == LocalZone()
    assert len({LocalZone(), LocalZone()}) == 1
    assert datetime(2023, 5, 9, tzinfo=LocalZone()).tzname() == "local"


def test_where_the_calendar_ends_before_a_time_stays_as_it_is() -> None:
    last, first = datetime.max.replace(tzinfo=UTC), datetime.min.replace(tzinfo=UTC)
    assert in_zone(last, timezone(timedelta(hours=9))) is last
    assert in_zone(first, timezone(timedelta(hours=-9))) is first
    assert in_zone(last, timezone(timedelta(hours=-9))).hour == 14


def test_a_reader_is_told_the_name_of_a_zone() -> None:
    assert zone_label(zone_named("Asia/Shanghai")) == "Asia/Shanghai"
    assert [zone_label(zone) for zone in (UTC, LocalZone())] == ["UTC", "local time"]
