"""Zones by their name, and the zone of this machine."""

import subprocess
import sys
from datetime import UTC, datetime, timedelta

import pytest

from memory_core.zones import LocalZone, zone_named


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
