"""The arguments of the tools: strict in what is advertised, tolerant in what is taken."""

import json
from collections.abc import Mapping
from datetime import datetime
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field, ValidationError
from pydantic import WithJsonSchema as JsonSchema

from server import wording
from server.timestamps import parse_timestamp

MOST_RESULTS = 100


def _text(value: Any) -> Any:
    """Models write numbers where a name or a text is wanted."""
    return json.dumps(value) if isinstance(value, int | float) else value


def _object(value: Any) -> Any:
    """Models write JSON inside of a string where an object is wanted."""
    if not isinstance(value, str):
        return value
    try:
        return json.loads(value)
    except (ValueError, RecursionError):
        return value


def _timestamp(value: Any) -> Any:
    return parse_timestamp(value) if isinstance(value, str) else value


Text = Annotated[str, BeforeValidator(_text)]
Object = Annotated[dict[str, Any], BeforeValidator(_object), JsonSchema({"type": "object"})]
Moment = Annotated[
    datetime | None,
    BeforeValidator(_timestamp),
    BeforeValidator(_text),
    JsonSchema({"type": "string"}),
]
Count = Annotated[
    int | None,
    Field(ge=1, le=MOST_RESULTS),
    JsonSchema({"type": "integer", "minimum": 1, "maximum": MOST_RESULTS}),
]


class Arguments(BaseModel):
    """What every tool takes."""

    model_config = ConfigDict(frozen=True)

    user_id: Text = Field("", description=wording.USER_ID)
    assistant_id: Text = Field("", description=wording.ASSISTANT_ID)


class AddArguments(Arguments):
    # Asked for, so that models fill in both; taken without, since one side is enough.
    model_config = ConfigDict(json_schema_extra={"required": ["user_input", "agent_response"]})

    user_input: Text = Field("", description=wording.USER_INPUT)
    agent_response: Text = Field("", description=wording.AGENT_RESPONSE)
    timestamp: Moment = Field("", description=wording.TIMESTAMP, validate_default=True)
    meta_data: Object = Field({}, description=wording.META_DATA)


class RetrieveArguments(Arguments):
    query: Text = Field(description=wording.QUERY)
    max_results: Count = Field(None, description=wording.MAX_RESULTS)


class ProfileArguments(Arguments):
    include_knowledge: bool = Field(True, description=wording.INCLUDE_KNOWLEDGE)
    include_assistant_knowledge: bool = Field(
        False, description=wording.INCLUDE_ASSISTANT_KNOWLEDGE
    )


class ConsolidateArguments(Arguments):
    wait: bool = Field(True, description=wording.WAIT)


class StatusArguments(Arguments):
    user_id: Text = Field("", description=wording.STATUS_USER_ID)
    assistant_id: Text = Field("", description=wording.STATUS_ASSISTANT_ID)


def present(arguments: Mapping[str, Any] | None) -> dict[str, Any]:
    """Leave out what clients send for "not given": null and empty text."""
    return {key: value for key, value in (arguments or {}).items() if not _is_absent(value)}


def _is_absent(value: Any) -> bool:
    return value is None or (isinstance(value, str) and not value.strip())


def input_schema(arguments: type[Arguments]) -> dict[str, Any]:
    """A flat JSON schema: the tool's own parameters first, then whose memory it is."""
    schema = arguments.model_json_schema()
    properties = schema["properties"]
    required = schema.get("required", [])
    for key, described in properties.items():
        # A default of null is the server's own, which the description tells.
        if key in required or described.get("default", "") is None:
            described.pop("default", None)
    common = {key: properties.pop(key) for key in Arguments.model_fields}
    return {"type": "object", "properties": properties | common, "required": required}


SENTENCES = {
    "missing": "is required and must not be empty",
    "string_type": "must be text",
    "int_parsing": "must be a whole number",
    "int_parsing_size": f"must be from 1 to {MOST_RESULTS}",
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false",
    "dict_type": "must be an object",
    "greater_than_equal": f"must be from 1 to {MOST_RESULTS}",
    "less_than_equal": f"must be from 1 to {MOST_RESULTS}",
    "datetime_type": "must be text",
}


def describe(error: ValidationError) -> str:
    """A sentence for each wrong argument, without the argument itself."""
    problems = error.errors(include_url=False, include_input=False, include_context=False)
    return " ".join(
        f"{problem['loc'][0]} {SENTENCES.get(problem['type'], 'cannot be used')}."
        for problem in problems
    )
