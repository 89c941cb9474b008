"""What one endpoint takes of the Chat Completions language, learnt from what it refuses.

Pure functions over a frozen record: the client keeps the newest one. Each step goes one way only,
so learning ends.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import IntEnum
from json import dumps
from typing import Any

from memory_core.backends.replies import whole_text

_OF_FORM = ("response_format", "response format", "json_schema", "json_object", "structured output")
_OF_LENGTH = ("context length", "context_length", "context window", "too long")


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
    """max_tokens: the name of that parameter, or "" to leave it out; show_schema: put the schema in
    words too, since the endpoint takes it and does not bind the model by it.
    """

    form: Form = Form.JSON_SCHEMA
    max_tokens: str = "max_tokens"
    temperature: bool = True
    show_schema: bool = False


def chat_request(model: str, request: Request, dialect: Dialect) -> dict[str, Any]:
    """The body of the request."""
    system = request.system
    shown = request.show_schema or dialect.show_schema or dialect.form is not Form.JSON_SCHEMA
    if request.schema is not None and shown:
        schema = dumps(request.schema, ensure_ascii=False, separators=(",", ":"))
        system += (
            f"\n\nAnswer with one JSON object of this JSON schema, and nothing else:\n{schema}"
        )
    body: dict[str, Any] = {
        "model": model,
        "messages": [
            {"role": "system", "content": whole_text(system)},
            {"role": "user", "content": whole_text(request.text)},
        ],
    }
    if dialect.max_tokens:
        body[dialect.max_tokens] = request.max_tokens
    if request.schema is not None:
        body |= {"temperature": 0} if dialect.temperature else {}
        body |= _response_format(request.kind, request.schema, dialect.form)
    return body


def _response_format(kind: str, schema: Mapping[str, Any], form: Form) -> dict[str, Any]:
    if form is Form.PROMPT:
        return {}
    if form is Form.JSON_OBJECT:
        return {"response_format": {"type": "json_object"}}
    named = {"name": kind, "strict": True, "schema": schema}
    return {"response_format": {"type": "json_schema", "json_schema": named}}


def adapted(dialect: Dialect, refused: Mapping[str, Any], complaint: str) -> Dialect | None:
    """The dialect without what a refusal complains of; None when it is about something else.

    Args:
        dialect: the one that was refused.
        refused: the body that was refused; only what is in it can be at fault.
        complaint: what the endpoint says.
    """
    complaint = complaint.lower()
    if any(words in complaint for words in _OF_LENGTH):
        return None
    if "response_format" in refused and any(words in complaint for words in _OF_FORM):
        return replace(dialect, form=Form(dialect.form + 1))
    if "temperature" in refused and "temperature" in complaint:
        return replace(dialect, temperature=False)
    if dialect.max_tokens and ("max_tokens" in complaint or "max_completion_tokens" in complaint):
        other = "max_completion_tokens" if dialect.max_tokens == "max_tokens" else ""
        return replace(dialect, max_tokens=other)
    return None


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
            if key not in ("input", "body", "ctx"):
                yield from _said(value)
