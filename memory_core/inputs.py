"""What a caller may hand over: checked and cleaned once, at the door of the core."""

import json
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Any

from memory_core.errors import InvalidInput
from memory_core.text import clean

LONGEST_MESSAGE = 8_000_000
LONGEST_ID = 10_000
LEAST_TOKENS = 100
MOST_TOKENS = 100_000
MOST_IDS = 100
# What a transport puts in place of half a surrogate pair: it would make one id of two.
REPLACEMENT = "\ufffd"


def message(text: str, name: str) -> str:
    """A text of any language, verbatim but for lone surrogates, which no file can hold."""
    if not isinstance(text, str):
        raise InvalidInput(f"{name} must be text.")
    if len(text) > LONGEST_MESSAGE:
        raise InvalidInput(
            f"{name} has {len(text):,} characters; at most {LONGEST_MESSAGE:,} are taken. Split it."
        )
    return clean(text)


def identity(text: str, name: str) -> str:
    """An id as data, exactly as given: two ids that differ never become one."""
    if not isinstance(text, str):
        raise InvalidInput(f"{name} must be text.")
    if len(text) > LONGEST_ID:
        raise InvalidInput(
            f"{name} has {len(text):,} characters; at most {LONGEST_ID:,} are taken."
        )
    if clean(text) != text or REPLACEMENT in text:
        raise InvalidInput(f"{name} is not valid text: it holds half of a surrogate pair.")
    return text


def json_object(values: Mapping[str, Any]) -> dict[str, Any]:
    """A JSON object as it will come back."""
    if not isinstance(values, Mapping):
        raise InvalidInput("meta_data must be a JSON object.")
    try:
        text = json.dumps(dict(values), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as error:
        raise InvalidInput(f"meta_data must be a JSON object: {error}") from error
    if len(text) > LONGEST_MESSAGE:
        raise InvalidInput(f"meta_data is longer than {LONGEST_MESSAGE:,} characters.")
    checked: dict[str, Any] = json.loads(clean(text))
    return checked


def token_count(given: int | None, *, default: int) -> int:
    """How many tokens a reply may take."""
    if given is None:
        return default
    if not _is_whole(given) or not LEAST_TOKENS <= given <= MOST_TOKENS:
        raise InvalidInput(
            f"max_tokens must be a whole number from {LEAST_TOKENS} to {MOST_TOKENS:,}: 1,500 hold "
            "the best of what is known, 300 some items."
        )
    return given


def item_count(given: int | None) -> int | None:
    """How many items of each kind are wanted."""
    if given is not None and (not _is_whole(given) or given < 1):
        raise InvalidInput("max_results must be a whole number, at least 1.")
    return given


def item_ids(given: Sequence[str]) -> tuple[str, ...]:
    """Ids of pages and facts, each once, in order."""
    listed = isinstance(given, Sequence) and not isinstance(given, str)
    if not listed or not all(isinstance(each, str) for each in given):
        raise InvalidInput('ids must be a list of texts, such as ["page_0123456789ab"].')
    ids = tuple(dict.fromkeys(each.strip() for each in given))
    if not 1 <= len(ids) <= MOST_IDS:
        raise InvalidInput(f"From 1 to {MOST_IDS} ids can be asked for at once.")
    return tuple(clean(each) for each in ids)


def utc(at: datetime) -> datetime:
    """An aware time in UTC."""
    if not isinstance(at, datetime):
        raise InvalidInput("The time must be an aware datetime.")
    if at.utcoffset() is None:
        raise InvalidInput("The time has no zone: give an aware datetime.")
    try:
        return at.astimezone(UTC)
    except OverflowError as error:
        raise InvalidInput("The time is out of range in UTC.") from error


def _is_whole(given: object) -> bool:
    return isinstance(given, int) and not isinstance(given, bool)
