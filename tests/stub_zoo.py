"""What real endpoints refuse, and how they dress their answers, one behaviour each.

Worded as they word it, with other figures. `refused` is asked first, then `dressed`.
"""

import json
import re
from collections.abc import Mapping
from typing import Any

WINDOW = 4096
"""Tokens, of the endpoints that have too small a window."""

ZOO = frozenset(
    {
        "no_json_object",  # LM Studio: json_schema or text only
        "no_bounds",  # Azure: maxItems is not permitted
        "no_grammar",  # vLLM: a schema its grammar engine cannot take
        "no_system",  # a template without a system role
        "stuck_room",  # max_tokens above what the model can say
        "qwen",  # refuses to think without streaming, unless it is told not to
        "thinker",  # spends its room on thoughts until it is told not to, each way is taken
        "ollama_thinker",  # the same; knows reasoning_effort only, thoughts under "reasoning"
        "strict_thinker",  # the same; refuses ways it does not know, takes chat_template_kwargs
        "overflow_openai",
        "overflow_llama",
        "overflow_llama_500",
        "overflow_vllm",
        "overflow_qwen",
        "overflow_groq",  # 413, as tokens per minute
        "silent_cut",  # Ollama: cuts the prompt to its window and says nothing
        "gateway_error",  # status 200 with an error in it
        "gateway_busy",
        "no_credit",  # 429 that no waiting helps against
        "bad_json",  # Groq: 400, since the model's JSON was none
        "filtered",  # Azure's content filter
        "endless",  # the same item again and again, until the room is used up
        "long_list",  # cut in the last item
        "twice",  # each item twice
        "percent",  # confidences from 1 to 100
        "keep_alive",  # blank lines before the answer (DeepSeek under load)
    }
)
_WAYS = ("reasoning_effort", "thinking", "enable_thinking", "chat_template_kwargs")
_HEEDED = {
    "thinker": _WAYS,
    "ollama_thinker": ("reasoning_effort",),
    "strict_thinker": ("chat_template_kwargs",),
}

Error = tuple[int, dict[str, Any]]


def refused(behaviour: str, body: Mapping[str, Any], tokens: int) -> Error | None:
    """Status and body of the refusal of this request, or None: it is taken.

    Args:
        tokens: of the prompt, estimated.
    """
    form = body.get("response_format", {})
    room = body.get("max_tokens", 0)
    match behaviour:
        case "no_json_object" if form.get("type") == "json_object":
            return 400, {"error": "'response_format.type' must be 'json_schema' or 'text'"}
        case "no_bounds" if re.search("maxItems|minItems|maxLength", json.dumps(form)):
            return _error(
                400,
                "Invalid schema for response_format 'facts': In context=('properties', 'facts'), "
                "'maxItems' is not permitted.",
            )
        case "no_grammar" if form.get("type") == "json_schema":
            return _error(400, "The provided JSON schema contains features not supported.")
        case "no_system" if body["messages"][0]["role"] == "system":
            return _error(400, "System role not supported")
        case "stuck_room" if room > 500:
            return _error(
                400,
                f"max_tokens is too large: {room}. This model supports at most 500 completion "
                "tokens.",
            )
        case "qwen" if body.get("enable_thinking") is not False:
            return _error(
                400, "parameter.enable_thinking must be set to false for non-streaming calls"
            )
        case "strict_thinker" if unknown := [way for way in _WAYS[:3] if way in body]:
            said = [{"loc": ["body", unknown[0]], "msg": "Extra inputs are not permitted"}]
            return 422, {"detail": said}
    return _failed(behaviour, form) or _too_long(behaviour, tokens)


def _failed(behaviour: str, form: Mapping[str, Any]) -> Error | None:
    match behaviour:
        case "gateway_error":
            return 200, {"error": {"message": "No endpoints found", "code": 404}}
        case "gateway_busy":
            return 200, {"error": {"message": "Provider returned error", "code": 503}}
        case "no_credit":
            return _error(429, "You exceeded your current quota.", code="insufficient_quota")
        case "bad_json" if form:
            return 400, {
                "error": {
                    "message": "Failed to generate JSON.",
                    "code": "json_validate_failed",
                    "failed_generation": "the max_tokens of my temperature",
                }
            }
        case "filtered":
            return _error(400, "The response was filtered.", code="content_filter")
    return None


def _too_long(behaviour: str, tokens: int) -> Error | None:
    if tokens <= WINDOW:
        return None
    match behaviour:
        case "overflow_openai":
            return _error(
                400,
                f"This model's maximum context length is {WINDOW} tokens. However, your messages "
                f"resulted in {tokens} tokens.",
                code="context_length_exceeded",
            )
        case "overflow_llama":
            said = "the request exceeds the available context size. try increasing it"
            error = {"code": 400, "message": said, "type": "exceed_context_size_error"}
            return 400, {"error": error}
        case "overflow_llama_500":
            return _error(500, "Context size has been exceeded.")
        case "overflow_vllm":
            said = f"max_tokens must be at least 1, got -{tokens - WINDOW}."
            return 400, {"object": "error", "message": said, "code": 400}
        case "overflow_qwen":
            return _error(400, f"Range of input length should be [1, {WINDOW}]")
        case "overflow_groq":
            return _error(
                413,
                f"Request too large for model: tokens per minute (TPM): Limit {WINDOW}, "
                f"Requested {tokens}.",
                code="rate_limit_exceeded",
            )
    return None


def _error(status: int, message: str, *, code: str | None = None) -> Error:
    error = {"message": message, "type": "invalid_request_error", "code": code, "param": None}
    return status, {"error": error}


def thinks(behaviour: str, body: Mapping[str, Any]) -> bool:
    """Whether the model thinks before it answers this request."""
    return behaviour in _HEEDED and not any(way in body for way in _HEEDED[behaviour])


def reshaped(behaviour: str, value: dict[str, Any]) -> dict[str, Any]:
    """The JSON as a model with this habit writes it."""
    ((name, items),) = value.items()
    match behaviour:
        case "twice":
            return {name: [item for item in items for _ in range(2)]}
        case "percent":
            said = json.dumps(value, ensure_ascii=False)
            said = re.sub(r'("confidence": )[\d.]+', r"\g<1>90", said)
            percent: dict[str, Any] = json.loads(said)
            return percent
        case "endless" if items:
            return {name: [*items, *(items[-1:] * 20)]}
    return value


def cut(behaviour: str, text: str) -> str | None:
    """The text up to where the room was used up; None: it has room enough."""
    if behaviour in ("endless", "long_list"):
        return text[: text.rfind("{") + 12]
    return None
