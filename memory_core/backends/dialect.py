"""What one endpoint takes of the Chat Completions language, learnt from what it refuses.

Pure functions over a frozen record: the client keeps the newest one. Each step goes one way only,
so learning ends.
"""

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from json import dumps
from typing import Any

from memory_core.backends.openai_errors import is_overflow
from memory_core.backends.replies import whole_text

_OF_FORM = re.compile(
    r"response[ _]format|json[ _](?:schema|object)|structured output|schema for|grammar|guided"
)
_OF_BOUNDS = re.compile(
    r"m(?:ax|in)_?items|max_?length|not permitted|grammar|schema contains|invalid schema"
)
_OF_ROOM = re.compile(
    r"max_(?:completion_)?tokens.{0,200}?(?:too large|at most|less than|should be|must be <)"
)
_BOUNDS = frozenset({"minItems", "maxItems", "maxLength"})

THOUGHTS_OFF: Mapping[str, Any] = {
    "reasoning_effort": "none",  # Ollama
    "thinking": {"type": "disabled"},  # DeepSeek
    "enable_thinking": False,  # Qwen's own endpoint
    "chat_template_kwargs": {"enable_thinking": False},  # vLLM, llama.cpp, SGLang
}
"""How endpoints are told not to think, each its own way; most pass over the ways of the others."""
_OF_THOUGHTS = {
    "reasoning_effort": re.compile(r"reasoning[ _.]effort|think value"),
    "thinking": re.compile(r"\bthinking\b"),
    "enable_thinking": re.compile(r"enable_thinking"),
    "chat_template_kwargs": re.compile(r"chat[ _]template"),
}


class Form(IntEnum):
    """How the form of an answer is asked for; each step is understood more widely."""

    JSON_SCHEMA = 0
    JSON_OBJECT = 1
    PROMPT = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Request:
    """One call, in no dialect yet. schema: of the asked JSON, or None for prose; show_schema: put
    it in words too.
    """

    kind: str
    system: str
    text: str
    max_tokens: int
    schema: Mapping[str, Any] | None = None
    show_schema: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialect:
    """max_tokens: the name of that parameter, or "" to leave it out; bounds: say how long lists and
    texts may be; system: there is such a role; thoughts_off: ways to switch thinking off that are
    sent, None: there was no reason yet; show_schema: put the schema in words too, since the
    endpoint takes it and does not bind the model by it.
    """

    form: Form = Form.JSON_SCHEMA
    max_tokens: str = "max_tokens"
    temperature: bool = True
    bounds: bool = True
    system: bool = True
    thoughts_off: tuple[str, ...] | None = None
    show_schema: bool = False


def chat_request(model: str, request: Request, dialect: Dialect) -> dict[str, Any]:
    """The body of the request."""
    system = request.system
    shown = request.show_schema or dialect.show_schema or dialect.form is not Form.JSON_SCHEMA
    if request.schema is not None and shown:
        words = dumps(request.schema, ensure_ascii=False, separators=(",", ":"))
        system += f"\n\nAnswer with one JSON object of this JSON schema, and nothing else:\n{words}"
    body: dict[str, Any] = {"model": model, "messages": _messages(system, request.text, dialect)}
    if dialect.max_tokens:
        body[dialect.max_tokens] = request.max_tokens
    if request.schema is not None:
        body |= {"temperature": 0} if dialect.temperature else {}
        schema = request.schema if dialect.bounds else _unbound(request.schema)
        body |= _response_format(request.kind, schema, dialect.form)
    return body | {way: THOUGHTS_OFF[way] for way in dialect.thoughts_off or ()}


def _messages(system: str, text: str, dialect: Dialect) -> list[dict[str, str]]:
    if not dialect.system:
        return [{"role": "user", "content": whole_text(f"{system}\n\n{text}")}]
    return [
        {"role": "system", "content": whole_text(system)},
        {"role": "user", "content": whole_text(text)},
    ]


def _unbound(node: Any) -> Any:
    """The schema without bounds on lengths, which strict endpoints may not know."""
    if isinstance(node, list):
        return [_unbound(item) for item in node]
    if isinstance(node, Mapping):
        return {key: _unbound(value) for key, value in node.items() if key not in _BOUNDS}
    return node


def _response_format(kind: str, schema: Mapping[str, Any], form: Form) -> dict[str, Any]:
    if form is Form.PROMPT:
        return {}
    if form is Form.JSON_OBJECT:
        return {"response_format": {"type": "json_object"}}
    named = {"name": kind, "strict": True, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


def _is_bound(body: Mapping[str, Any]) -> bool:
    written = dumps(body)
    return any(f'"{bound}"' in written for bound in _BOUNDS)


def without_thoughts(dialect: Dialect) -> Dialect:
    """The dialect of a model that turned out to think before it answers."""
    if dialect.thoughts_off is not None:
        return dialect
    return replace(dialect, thoughts_off=tuple(THOUGHTS_OFF))


def adapted(dialect: Dialect, refused: Mapping[str, Any], complaint: str) -> Dialect | None:
    """The dialect without what a refusal complains of; None when it is about something else.

    Args:
        dialect: the one that was refused.
        refused: the body that was refused; only what is in it can be at fault.
        complaint: what the endpoint says.
    """
    complaint = complaint.lower()
    if dialect.max_tokens and _OF_ROOM.search(complaint):
        return replace(dialect, max_tokens="")
    if is_overflow(complaint):
        return None
    if ways := _other_ways(dialect, complaint):
        return ways
    if "response_format" in refused:
        if dialect.bounds and _is_bound(refused) and _OF_BOUNDS.search(complaint):
            return replace(dialect, bounds=False)
        if _OF_FORM.search(complaint):
            return replace(dialect, form=Form(dialect.form + 1))
    if "temperature" in refused and "temperature" in complaint:
        return replace(dialect, temperature=False)
    if dialect.max_tokens and ("max_tokens" in complaint or "max_completion_tokens" in complaint):
        other = "max_completion_tokens" if dialect.max_tokens == "max_tokens" else ""
        return replace(dialect, max_tokens=other)
    if dialect.system and re.search(
        r"system\W+(?:role|message|prompt)|role\W.*\bsystem", complaint
    ):
        return replace(dialect, system=False)
    # Whatever it is about: a request that was taken before had none of these.
    return replace(dialect, thoughts_off=()) if dialect.thoughts_off else None


def _other_ways(dialect: Dialect, complaint: str) -> Dialect | None:
    """Without the ways to switch thinking off that are complained of, or with the one asked for."""
    if dialect.thoughts_off is None:
        asked = re.search(r"enable[_ ]thinking", complaint)
        return replace(dialect, thoughts_off=("enable_thinking",)) if asked else None
    ways = tuple(way for way in dialect.thoughts_off if not _OF_THOUGHTS[way].search(complaint))
    return replace(dialect, thoughts_off=ways) if ways != dialect.thoughts_off else None
