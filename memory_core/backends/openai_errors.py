"""What an endpoint's refusals mean, in our types and in words of our own.

The endpoint's words are never passed on: they may quote a key or a prompt.
"""

import json
import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from typing import TYPE_CHECKING
from urllib.parse import urlsplit

from memory_core.errors import (
    ModelError,
    ModelOverflow,
    ModelRefused,
    ModelReplyInvalid,
    ModelUnavailable,
)

if TYPE_CHECKING:
    from openai import APIStatusError

PASSING = frozenset({408, 409, 425, 429})
"""Statuses that say "not now", beside all from 500 on."""
TEACHING = frozenset({400, 413, 422, 500, 501})
"""Statuses whose complaint may be about a parameter."""

_WHAT_TO_DO = {
    400: "The model may be unknown there, or the text too long for it.",
    401: "Check the API key.",
    402: "Check the balance of the account.",
    403: "Check that this key may use this model.",
    404: "Check the model's name, and that the base URL ends as the endpoint wants it (often /v1).",
}
_OF_CODE = {
    "insufficient_quota": "The account has no credit left: check its balance.",
    "content_filter": "Its filter takes offence at the text.",
    "deploymentnotfound": "At Azure the model's name is that of your deployment.",
}
_OVERFLOW = re.compile(
    r"context[ _](?:length|window|size)|(?:prompt|input|text|request) (?:is )?too (?:long|large)"
    r"|too many (?:input )?tokens|range of input length|(?:maximum|max) input length"
    r"|reduce the length|at least 1, got -",
    re.IGNORECASE,
)
# Keys under which some endpoints repeat the request, or what the model said to it.
_REPEATED = frozenset({"input", "body", "ctx", "failed_generation"})


@dataclass(frozen=True, slots=True, kw_only=True)
class Refusal:
    """An answer that is an error. code: a word for programs, or ""; complaint: its own words,
    for reading only; wait: seconds it asks to wait, or None.
    """

    status: int
    code: str
    complaint: str
    wait: float | None = None

    @property
    def passing(self) -> bool:
        """Whether the same may be answered in a moment."""
        return self.code != "insufficient_quota" and not self.overflow and _is_passing(self.status)

    @property
    def overflow(self) -> bool:
        """Whether the text was too long."""
        return self.status == 413 or is_overflow(self.complaint)


def is_overflow(complaint: str) -> bool:
    """Whether an endpoint complains that the text is too long for its model."""
    return bool(_OVERFLOW.search(complaint))


def refusal_of(error: "APIStatusError") -> Refusal:
    """What the SDK raised, as a record."""
    wait = retry_after(error.response.headers, datetime.now(UTC))
    return _refusal(error.status_code, error.code, error.body, wait)


def refusal_within(text: str) -> Refusal | None:
    """The error that stands in an answer of status 200, as some gateways send it."""
    if '"choices"' in text or '"error"' not in text:
        return None
    try:
        error = json.loads(text)["error"]
        status = int(error["code"])
    except (ValueError, LookupError, TypeError, RecursionError):
        return None
    return _refusal(status, "", error, None) if 400 <= status <= 599 else None


def _refusal(status: int, code: object, body: object, wait: float | None) -> Refusal:
    word = code.lower() if isinstance(code, str) else ""
    return Refusal(
        status=status,
        code=word if re.fullmatch(r"[a-z_]{1,40}", word) else "",
        complaint=complaint_of(body),
        wait=wait,
    )


def error_for(refused: Refusal, model: str) -> ModelError:
    """The refusal as one of our errors: worth another try later, or only after a change."""
    code = f" ({refused.code})" if refused.code else ""
    answered = f'The endpoint of the model "{model}" answered {refused.status}{code}.'
    if refused.overflow:
        return overflow(model)
    if refused.code == "json_validate_failed":
        return ModelReplyInvalid("The answer is not of the asked form.")
    advice = _OF_CODE.get(refused.code)
    if _is_passing(refused.status):
        return ModelUnavailable(
            f"{answered} {advice or 'It is asked again later.'}", retry_after=refused.wait
        )
    advice = advice or _WHAT_TO_DO.get(refused.status, _WHAT_TO_DO[400])
    return ModelRefused(f"{answered} {advice}")


def overflow(model: str) -> ModelOverflow:
    """The question did not fit into the model's window."""
    return ModelOverflow(
        f'The question is longer than what the model "{model}" takes at once. Give it a larger '
        "context (Ollama: OLLAMA_CONTEXT_LENGTH), or lower consolidation_batch_size."
    )


def refusal(error: "APIStatusError", model: str) -> ModelError:
    """What the SDK raised, as one of our errors."""
    return error_for(refusal_of(error), model)


def _is_passing(status: int) -> bool:
    return status in PASSING or status >= 500


def complaint_of(body: object) -> str:
    """What an endpoint's error says, without the request that some of them repeat in it."""
    return " ".join(_said(body))


def _said(node: object) -> Iterator[str]:
    if isinstance(node, str):
        yield node
    elif isinstance(node, list):
        for item in node:
            yield from _said(item)
    elif isinstance(node, dict):
        for key, value in node.items():
            if key not in _REPEATED:
                yield from _said(value)


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
