"""What an endpoint's refusals mean, in our types and in words of our own.

The endpoint's words are never passed on: they may quote a key or a prompt.
"""

import math
import re
from collections.abc import Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from memory_core.errors import ModelError, ModelRefused, ModelUnavailable

if TYPE_CHECKING:
    from openai import APIStatusError

_WHAT_TO_DO = {
    400: "The model may be unknown there, or the text too long for it.",
    401: "Check the API key.",
    402: "Check the balance of the account.",
    403: "Check that this key may use this model.",
    404: "Check the model's name, and that the base URL ends as the endpoint wants it (often /v1).",
}


def refusal(error: "APIStatusError", model: str) -> ModelError:
    """The status as one of our errors: worth another try later, or only after a change."""
    status = error.status_code
    code = error.code if error.code and re.fullmatch(r"[a-z_]{1,40}", error.code) else ""
    answered = f'The endpoint of the model "{model}" answered {status}{code and f" ({code})"}.'
    if status in (408, 409, 429) or status >= 500:
        wait = retry_after(error.response.headers, datetime.now(UTC))
        return ModelUnavailable(f"{answered} It is asked again later.", retry_after=wait)
    return ModelRefused(f"{answered} {_WHAT_TO_DO.get(status, _WHAT_TO_DO[400])}")


def retry_after(headers: Mapping[str, str], now: datetime) -> float | None:
    """Seconds that a `Retry-After` header (or its millisecond form) asks to wait, or None."""
    for name, unit in (("retry-after-ms", 1000.0), ("retry-after", 1.0)):
        value = headers.get(name, "")
        try:
            seconds = float(value) / unit
        except ValueError:
            continue
        if math.isfinite(seconds) and seconds >= 0:
            return seconds
    try:
        return max(0.0, (parsedate_to_datetime(headers["retry-after"]) - now).total_seconds())
    except (LookupError, ValueError, TypeError):
        return None


def check_endpoint(base_url: str, api_key: str) -> None:
    """Refuse what the SDK would take for a broken connection, or fail on in its own way."""
    try:
        parts = urlsplit(base_url)
        usable = parts.scheme in ("http", "https") and parts.hostname and parts.port != 0
    except ValueError:
        usable = False
    if not usable:
        raise ModelRefused("The base URL of the model must look like http://localhost:11434/v1.")
    if not (api_key.isascii() and api_key.isprintable()):
        raise ModelRefused("The API key holds characters that no key has; copy it once more.")
