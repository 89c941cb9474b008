"""One line of the wire to one JSON-RPC message, and back."""

import json
import re
from typing import Any

from mcp_types import (
    INVALID_REQUEST,
    PARSE_ERROR,
    ErrorData,
    JSONRPCError,
    JSONRPCMessage,
    RequestId,
    jsonrpc_message_adapter,
)
from pydantic import ValidationError
from pydantic_core import PydanticSerializationError

# Where SDKs put the id: before anything nested, or behind the version at the very end. Anywhere
# else it may be an "id" inside the arguments, and the refusal would answer another request.
_ID = rb'"id"\s*:\s*(\d+|"(?:[^"\\]|\\.)*")'
_ID_FIRST = re.compile(rb"\s*\{[^{}\[\]]*?" + _ID)
_ID_LAST = re.compile(rb'"jsonrpc"\s*:\s*"2\.0"\s*,\s*' + _ID + rb"\s*\}?\s*$")
_TAIL_BYTES = 300


class BadLine(Exception):
    """A line that is no message.

    Attributes:
        refusal: the reply to send, or None when it cannot be told which request it was.
    """

    def __init__(self, code: int, message: str, request_id: RequestId | None) -> None:
        super().__init__(message)
        self.refusal = (
            None
            if request_id is None
            else JSONRPCError(
                jsonrpc="2.0", id=request_id, error=ErrorData(code=code, message=message)
            )
        )


def decode(line: bytes) -> JSONRPCMessage:
    """Read a message, also one with lone surrogates or bytes that are not UTF-8.

    Raises:
        BadLine: it is not JSON, or not a JSON-RPC message.
    """
    try:
        return jsonrpc_message_adapter.validate_json(line, by_name=False)
    except ValidationError:
        return _decode_tolerantly(line)


def _decode_tolerantly(line: bytes) -> JSONRPCMessage:
    try:
        value = json.loads(line.decode("utf-8-sig", "replace"))
    except (ValueError, RecursionError) as error:
        raise BadLine(PARSE_ERROR, "Parse error: not valid JSON", _find_id(line)) from error
    value = without_surrogates(value)
    try:
        return jsonrpc_message_adapter.validate_python(value, by_name=False)
    except ValidationError as error:
        request_id = value.get("id") if isinstance(value, dict) else None
        known = request_id if type(request_id) in (int, str) else None
        raise BadLine(INVALID_REQUEST, "Invalid request: not JSON-RPC 2.0", known) from error


def _find_id(line: bytes) -> RequestId | None:
    found = _ID_FIRST.match(line) or _ID_LAST.search(line[-_TAIL_BYTES:])
    if found is None:
        return None
    try:
        request_id: RequestId = json.loads(found[1])
    except ValueError:
        return None
    return request_id


def without_surrogates(value: Any) -> Any:
    """The same JSON value with each half of a broken surrogate pair as U+FFFD."""
    if isinstance(value, str):
        return value.encode("utf-16", "surrogatepass").decode("utf-16", "replace")
    if isinstance(value, dict):
        return {without_surrogates(key): without_surrogates(item) for key, item in value.items()}
    if isinstance(value, list):
        return [without_surrogates(item) for item in value]
    return value


def encode(message: JSONRPCMessage) -> bytes:
    """A message as one line."""
    try:
        return message.model_dump_json(by_alias=True, exclude_unset=True).encode() + b"\n"
    except PydanticSerializationError:
        # Text that is not UTF-8, which `json` can escape: a reply must not end the server.
        value = message.model_dump(by_alias=True, exclude_unset=True)
        return json.dumps(without_surrogates(value)).encode() + b"\n"
