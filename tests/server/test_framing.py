import json

import pytest
from mcp_types import INVALID_REQUEST, PARSE_ERROR, JSONRPCRequest, JSONRPCResponse

from server.framing import BadLine, decode, encode, without_surrogates


def request(line: bytes) -> JSONRPCRequest:
    message = decode(line)
    assert isinstance(message, JSONRPCRequest)
    return message


def refused(line: bytes) -> BadLine:
    with pytest.raises(BadLine) as caught:
        decode(line)
    return caught.value


def test_half_of_a_surrogate_pair_becomes_a_replacement_character() -> None:
    line = (
        rb'{"jsonrpc":"2.0","id":1,"method":"m","params":{"\ud800k":["a\udc00b","\ud83d\ude00"]}}'
    )
    assert request(line).params == {"\ufffdk": ["a\ufffdb", "😀"]}


def test_bytes_that_are_not_utf8_and_a_byte_order_mark_are_read() -> None:
    line = b'\xef\xbb\xbf{"jsonrpc":"2.0","id":1,"method":"m","params":{"t":"caf\xe9"}}\r'
    assert request(line).params == {"t": "caf\ufffd"}


@pytest.mark.parametrize(
    ("line", "request_id"),
    [
        (b'{"jsonrpc":"2.0","id":7,"method":"m","params":{"a":', 7),
        (b'{"jsonrpc":"2.0","id":"a\\"b","method":', 'a"b'),
        (b'{"method":"m","params":{"a":tru},"jsonrpc":"2.0","id":8}', 8),
    ],
)
def test_broken_json_with_a_readable_id_is_answered(line: bytes, request_id: int | str) -> None:
    refusal = refused(line).refusal
    assert refusal is not None
    assert (refusal.id, refusal.error.code) == (request_id, PARSE_ERROR)


@pytest.mark.parametrize(
    "line",
    [
        b"garbage",
        b"\x00\xff",
        b"42",
        b"[]",
        b"[" * 100_000,
        b'{"jsonrpc":"2.0","method":"m","params":{"meta_data":{"id":7',
        b'{"method":"m","params":{"id":7}',
        b'{"jsonrpc":"2.0","id":null,"method":7}',
    ],
)
def test_a_line_without_a_readable_id_gets_no_answer(line: bytes) -> None:
    assert refused(line).refusal is None


def test_json_that_is_no_request_is_answered_as_invalid() -> None:
    refusal = refused(b'{"id":3,"method":"m"}').refusal
    assert refusal is not None
    assert (refusal.id, refusal.error.code) == (3, INVALID_REQUEST)


def test_a_message_is_one_line_of_json() -> None:
    line = encode(JSONRPCResponse(jsonrpc="2.0", id=1, result={"text": "a\nb\u2028人😀"}))
    assert line.count(b"\n") == 1
    assert json.loads(line)["result"] == {"text": "a\nb\u2028人😀"}


def test_text_that_is_not_utf8_does_not_stop_a_reply() -> None:
    line = encode(JSONRPCResponse(jsonrpc="2.0", id=1, result={"text": "a\ud800"}))
    assert json.loads(line)["result"] == {"text": "a\ufffd"}


def test_only_broken_pairs_are_replaced() -> None:
    assert without_surrogates({"a": ["\ud83d\ude00", "\udfff", 1, None]}) == {
        "a": ["😀", "\ufffd", 1, None]
    }
