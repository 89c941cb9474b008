"""Time zones: those of the IANA list, and the one this machine keeps."""

import time
from datetime import UTC, datetime, timedelta, tzinfo
from zoneinfo import ZoneInfo


class LocalZone(tzinfo):
    """The zone that this machine keeps, with its summer time; needs no list of zones.

    `datetime.astimezone()` alone gives a fixed offset, which is wrong in the other half of the
    year.
    """

    def utcoffset(self, dt: datetime | None, /) -> timedelta:
        if dt is None:
            return _standard()
        try:
            return dt.replace(tzinfo=None).astimezone().utcoffset() or timedelta()
        except (OSError, OverflowError, ValueError):  # beyond the clock of some systems
            return _standard()

    def dst(self, dt: datetime | None, /) -> timedelta:
        return self.utcoffset(dt) - _standard()

    def tzname(self, dt: datetime | None, /) -> str:
        return "local"

    def fromutc(self, dt: datetime, /) -> datetime:
        try:
            local = dt.replace(tzinfo=UTC).astimezone()
        except (OSError, OverflowError, ValueError):
            return dt + _standard()
        return local.replace(tzinfo=self)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, LocalZone)

    def __hash__(self) -> int:
        return hash(LocalZone)


def _standard() -> timedelta:
    return timedelta(seconds=-time.timezone)


def in_zone(at: datetime, zone: tzinfo) -> datetime:
    """An aware time in another zone; as it is where the calendar ends before."""
    try:
        return at.astimezone(zone)
    except OverflowError:
        return at


def zone_label(zone: tzinfo) -> str:
    """What a reader is told of a zone: its name, or that it is the local one."""
    return "local time" if isinstance(zone, LocalZone) else str(zone)


def zone_named(name: str) -> tzinfo:
    """The zone of an IANA name such as "Europe/Berlin"; "" is the zone of this machine.

    Raises:
        ValueError: there is no such zone, or this machine has no list of zones.
    """
    if not name:
        return LocalZone()
    if name.upper() == "UTC":  # known everywhere, also without a list of zones
        return UTC
    try:
        return ZoneInfo(name)
    except (OSError, LookupError, ValueError) as error:
        raise ValueError(
            'no such time zone on this machine; give an IANA name such as "Europe/Berlin", or '
            "leave it empty for the zone of this machine (where none is known, `pip install "
            "tzdata` brings the list)"
        ) from error
