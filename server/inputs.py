"""The arguments of the tools: strict in what is advertised, tolerant in what is taken."""

import json
from collections.abc import Mapping
from typing import Annotated, Any, Self

from pydantic import (
    BaseModel,
    BeforeValidator,
    ConfigDict,
    Field,
    ValidationError,
    model_validator,
)
from pydantic import WithJsonSchema as JsonSchema

from memory_core import InvalidInput
from server import wording

MOST_RESULTS = 100
MOST_IDS = 100
LEAST_TOKENS = 100
MOST_TOKENS = 100_000


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


def _list(value: Any) -> Any:
    """Models write JSON inside of a string, or names with commas, where a list is wanted."""
    if not isinstance(value, str):
        return value
    listed = _object(value)
    if isinstance(listed, list):
        return listed
    return [each for part in value.split(",") if (each := part.strip())]


Text = Annotated[str, BeforeValidator(_text)]
Object = Annotated[dict[str, Any], BeforeValidator(_object), JsonSchema({"type": "object"})]
Count = Annotated[
    int | None,
    Field(ge=1, le=MOST_RESULTS),
    JsonSchema({"type": "integer", "minimum": 1, "maximum": MOST_RESULTS}),
]
TokenCount = Annotated[
    int | None,
    Field(ge=LEAST_TOKENS, le=MOST_TOKENS),
    JsonSchema({"type": "integer", "minimum": LEAST_TOKENS, "maximum": MOST_TOKENS}),
]
Ids = Annotated[
    list[str],
    Field(max_length=MOST_IDS),
    BeforeValidator(_list),
    JsonSchema({"type": "array", "items": {"type": "string"}}),
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
    timestamp: Text = Field("", description=wording.TIMESTAMP)
    meta_data: Object = Field({}, description=wording.META_DATA)


class RetrieveArguments(Arguments):
    query: Text = Field("", description=wording.QUERY)
    max_results: Count = Field(None, description=wording.MAX_RESULTS)
    max_tokens: TokenCount = Field(None, description=wording.MAX_TOKENS)
    ids: Ids = Field([], description=wording.IDS)

    @model_validator(mode="after")
    def _something_to_look_for(self) -> Self:
        if not self.query and not self.ids:
            raise InvalidInput("query is required and must not be empty, unless ids are given.")
        return self


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
    "int_type": "must be a whole number",
    "int_from_float": "must be a whole number",
    "bool_parsing": "must be true or false",
    "bool_type": "must be true or false",
    "dict_type": "must be an object",
    "list_type": "must be a list of texts",
    "too_long": f"can be {MOST_IDS} at most",
}
RANGES = {
    "max_results": f"must be from 1 to {MOST_RESULTS}",
    "max_tokens": f"must be from {LEAST_TOKENS} to {MOST_TOKENS:,}; usually it is left out",
}
OUT_OF_RANGE = ("greater_than_equal", "less_than_equal", "int_parsing_size")


def describe(error: ValidationError) -> str:
    """A sentence for each wrong argument, without the argument itself."""
    problems = error.errors(include_url=False, include_input=False, include_context=False)
    return " ".join(
        f"{problem['loc'][0]} {_sentence(str(problem['loc'][0]), problem['type'])}."
        for problem in problems
    )


def _sentence(name: str, problem: str) -> str:
    if problem in OUT_OF_RANGE:
        return RANGES.get(name, "is out of range")
    return SENTENCES.get(problem, "cannot be used")
