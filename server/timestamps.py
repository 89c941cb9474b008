"""Times as clients write them, to aware UTC datetimes."""

import re
from datetime import UTC, datetime, tzinfo

from memory_core import InvalidInput

FORMS = '"2024-05-31T18:30:00Z", "2024-05-31T20:30:00+02:00", "2024-05-31 18:30:00" or "2024-05-31"'


def parse_timestamp(text: str, zone: tzinfo) -> datetime | None:
    """Read an ISO 8601 time or date; without an offset it is one of the user's zone.

    Returns:
        An aware UTC datetime, or None for empty text.

    Raises:
        InvalidInput: it cannot be read, or is outside the years 1 to 9999.
    """
    text = text.strip().upper()
    if not text:
        return None
    text = re.sub(r"\s*(?:Z|UTC)$", "+00:00", text)
    text = re.sub(r"\s+(?=[+-]\d)", "", text)
    try:
        at = datetime.fromisoformat(text)
        return (at if at.tzinfo else at.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError) as error:
        raise InvalidInput(
            f"timestamp cannot be read. Write {FORMS}; without an offset it is local time, "
            "and left out it means now."
        ) from error


def format_timestamp(at: datetime) -> str:
    """ISO 8601 in UTC with a "Z"."""
    return at.astimezone(UTC).isoformat().replace("+00:00", "Z")
