"""What the stub of an endpoint answers, one behaviour each: plain failures, and bad answers.

It knows the wire and nothing of this project's code.
"""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from tests import stub_zoo
from tests.stub_answers import plausible

BEHAVIOURS = stub_zoo.ZOO | frozenset(
    {
        "ok",
        "fenced",  # the JSON in a Markdown fence, between sentences
        "think",  # a <think> block before the JSON
        "list",  # the bare list instead of the object
        "out_of_range",  # valid, with numbers of pages that are not there
        "no_usage",  # valid, without token counts
        "prose",
        "truncated",  # cut in the middle, finish_reason "length"
        "cut_json",  # cut in the middle, finish_reason "stop"
        "wrong_types",
        "one_faulty",  # good, with one item more that is none
        "empty",
        "no_choices",
        "html",  # a page with status 200
        "rate_limited",  # 429 with Retry-After
        "server_error",  # 500
        "unauthorized",  # 401, with the key in the message
        "not_found",  # 404
        "bad_request",  # 400 about nothing that could be adapted, quoting the prompt
        "no_json_schema",  # refuses that response_format, otherwise ok
        "no_response_format",  # refuses each response_format, otherwise ok
        "no_max_tokens",  # wants max_completion_tokens, otherwise ok
        "no_temperature",  # refuses it, otherwise ok
        "disconnect",  # closes the connection without an answer
    }
)
_KINDS = {"topics": "topics", "facts": "facts", "changes": "profile"}


@dataclass(slots=True)
class Call:
    """One request. started, ended: seconds of `time.monotonic`; form: of `response_format`."""

    kind: str
    behaviour: str
    body: Mapping[str, Any]
    started: float
    ended: float = 0.0
    status: int = 0
    prompt_tokens: int = 0

    @property
    def form(self) -> str:
        """Type of the asked `response_format`, or "" without one."""
        return str(self.body.get("response_format", {}).get("type", ""))

    @property
    def system(self) -> str:
        return str(self.body["messages"][0]["content"])

    @property
    def text(self) -> str:
        return str(self.body["messages"][-1]["content"])


@dataclass(frozen=True, slots=True)
class Answer:
    """A response."""

    status: int
    content: str
    type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


def kind_of(body: Mapping[str, Any]) -> str:
    schema = body.get("response_format", {}).get("json_schema", {})
    if schema:
        return str(schema.get("name"))
    said = str(body["messages"][0]["content"])
    # The first field, or the one inside the entries of an answer page by page.
    shown = re.search(r'"properties":\{(?:"pages":.*?"page":\{[^}]*\},)?"(\w+)"', said)
    return _KINDS.get(shown[1], shown[1]) if shown else "write"


def tokens_of(body: Mapping[str, Any]) -> int:
    """A rough count: four characters of Latin script a token, one of any other."""
    schema = body.get("response_format", {}).get("json_schema", "")
    text = "".join(str(m["content"]) for m in body["messages"]) + (
        json.dumps(schema) if schema else ""
    )
    latin = sum(char.isascii() for char in text)
    return latin // 4 + len(text) - latin


def answer_to(call: Call, key: str, retry_after: float) -> Answer | None:
    match call.behaviour:
        case "disconnect":
            return None
        case "rate_limited":
            headers = {"Retry-After": f"{retry_after:g}"}
            return error(429, "slow down", code="rate_limit_exceeded", headers=headers)
        case "server_error":
            return error(500, "out of order")
        case "unauthorized":
            return error(401, f"Incorrect API key provided: {key}", code="invalid_api_key")
        case "not_found":
            return error(404, f"The model {call.body['model']} does not exist")
        case "bad_request":
            return error(400, f"Cannot process: {call.text}")
        case "html":
            return Answer(200, "<html><body>Please log in</body></html>", "text/html")
        case "no_choices":
            return Answer(200, json.dumps({"object": "chat.completion", "choices": []}))
    return _refused_parameter(call) or _refused_by_zoo(call) or _completion(call)


def _refused_by_zoo(call: Call) -> Answer | None:
    refused = stub_zoo.refused(call.behaviour, call.body, call.prompt_tokens)
    return Answer(refused[0], json.dumps(refused[1])) if refused else None


def _refused_parameter(call: Call) -> Answer | None:
    def unsupported(name: str, instead: str) -> Answer:
        message = f"Unsupported parameter: '{name}' is not supported with this model. {instead}"
        return error(400, message, code="unsupported_parameter", param=name)

    refused = {"no_json_schema": ("json_schema",), "no_response_format": (call.form,)}
    if call.form and call.form in refused.get(call.behaviour, ()):
        return error(400, f"This response_format type ({call.form}) is unavailable now")
    if call.behaviour == "no_max_tokens" and "max_tokens" in call.body:
        return unsupported("max_tokens", "Use 'max_completion_tokens' instead.")
    if call.behaviour == "no_temperature" and "temperature" in call.body:
        return unsupported("temperature", "Only the default (1) value is supported.")
    return None


def _completion(call: Call) -> Answer:
    content = _content(call)
    thinking = stub_zoo.thinks(call.behaviour, call.body)
    # Somebody who counts to ten thousand before speaking.
    message = {"role": "assistant", "content": "" if thinking else content}
    if thinking:
        name = "reasoning" if call.behaviour == "ollama_thinker" else "reasoning_content"
        message[name] = "One, two, three, "
    shortened = stub_zoo.cut(call.behaviour, content) if _has_items(call, content) else None
    if shortened is not None:
        message["content"] = shortened
    stopped = thinking or shortened is not None or call.behaviour == "truncated"
    choice = {"index": 0, "message": message, "finish_reason": "length" if stopped else "stop"}
    counted = call.prompt_tokens
    if call.behaviour == "silent_cut":
        counted = min(counted, stub_zoo.WINDOW)
    answer = {"object": "chat.completion", "model": call.body["model"], "choices": [choice]}
    if call.behaviour != "no_usage":
        answer["usage"] = {"prompt_tokens": counted, "completion_tokens": len(content) // 4 + 1}
    before = "\n\n" if call.behaviour == "keep_alive" else ""
    return Answer(200, before + json.dumps(answer))


def _has_items(call: Call, content: str) -> bool:
    return call.kind in _KINDS.values() and "[{" in content


def _content(call: Call) -> str:
    shift = 1000 if call.behaviour == "out_of_range" else 0
    value = plausible(call.kind, call.text, shift)
    if value is None:
        text = "天空是蓝色的。" if "天空" in call.text else "This is what I know about it."
    else:
        value = stub_zoo.reshaped(call.behaviour, value)
        text = json.dumps(_misshapen(call, value), ensure_ascii=False)
    match call.behaviour:
        case "prose":
            return "I am sorry, but I would rather talk about the weather."
        case "empty":
            return ""
        case "truncated" | "cut_json":
            return text[: len(text) * 2 // 3]
        case "fenced":
            return f"Sure! Here it is:\n```json\n{text}\n```\nAnything else?"
        case "think":
            return f'<think>\nMaybe {{"facts": []}}? No.\n</think>\n{text}'
    return text


def _misshapen(call: Call, value: dict[str, Any]) -> Any:
    """The answer as JSON of another form than was asked for, where the behaviour is that."""
    match call.behaviour:
        case "list":
            return next(iter(value.values()), value)
        case "wrong_types":
            return dict.fromkeys(value, "none")
        case "one_faulty":
            return {name: [*of, 7] if isinstance(of, list) else of for name, of in value.items()}
    return _as_asked(call.body, value)


def _as_asked(body: Mapping[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    """The same page by page where the schema is of that form, with an entry for each page."""
    asked = json.dumps(body.get("response_format", {})) + str(body["messages"][0]["content"])
    entries = re.search(r'"minItems": ?(\d+)', asked)
    if not entries:
        return value
    ((name, items),) = value.items()
    numbers = {*range(1, int(entries[1]) + 1), *(item["pages"][0] for item in items)}
    held: dict[int, list[Any]] = {number: [] for number in sorted(numbers)}
    for item in items:
        held[item["pages"][0]].append({key: of for key, of in item.items() if key != "pages"})
    return {"pages": [{"page": number, name: said} for number, said in held.items()]}


def error(
    status: int,
    message: str,
    *,
    code: str | None = None,
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> Answer:
    error = {"message": message, "type": "invalid_request_error", "code": code, "param": param}
    return Answer(status, json.dumps({"error": error}), headers=headers or {})
