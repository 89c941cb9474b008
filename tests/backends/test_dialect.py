"""What refusals teach, as they are worded by real endpoints."""

import pytest

from memory_core.backends.dialect import Dialect, Form, Request, adapted, chat_request
from memory_core.backends.openai_errors import complaint_of

REQUEST = Request(kind="topics", system="s", text="t", max_tokens=9, schema={"type": "object"})
BODY = chat_request("m", REQUEST, Dialect())


@pytest.mark.parametrize(
    ("complaint", "learnt"),
    [
        ("'response_format.type' must be 'json_schema' or 'text'", Dialect(form=Form.JSON_OBJECT)),
        ("This response_format type is unavailable now", Dialect(form=Form.JSON_OBJECT)),
        (
            "Unsupported parameter: 'max_tokens' is not supported with this model. "
            "Use 'max_completion_tokens' instead.",
            Dialect(max_tokens="max_completion_tokens"),
        ),
        ("Unsupported value: 'temperature' does not support 0", Dialect(temperature=False)),
        ("This model's maximum context length is 4096 tokens; max_tokens is 2000", None),
        ("I am a teapot", None),
        ("", None),
    ],
)
def test_a_complaint_teaches_what_it_is_about(complaint: str, learnt: Dialect | None) -> None:
    assert adapted(Dialect(), BODY, complaint) == learnt


def test_what_was_not_sent_is_not_to_blame() -> None:
    prose = chat_request("m", Request(kind="write", system="", text="", max_tokens=1), Dialect())
    assert adapted(Dialect(), prose, "bad temperature, bad response_format") is None


def test_learning_ends_whatever_an_endpoint_complains_of() -> None:
    dialect: Dialect | None = Dialect()
    steps = 0
    while dialect:
        body = chat_request("m", REQUEST, dialect)
        dialect = adapted(dialect, body, "response_format temperature max_tokens")
        steps += 1
    assert steps == 6


def test_a_request_repeated_in_an_error_is_not_taken_for_the_complaint() -> None:
    error = {"detail": [{"loc": ["body", "model"], "msg": "unknown", "input": {"temperature": 0}}]}
    assert complaint_of(error) == "body model unknown"
    assert complaint_of("plain text") == "plain text"
    assert complaint_of(None) == ""
