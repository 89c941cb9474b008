"""From what an endpoint sends to the asked type, or a sentence that says what is wrong.

Pure functions. What is not whole is passed over, never mended by guessing: half a sentence must not
become memory. The sentences carry names of fields, never text of an answer.
"""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel, ValidationError

from memory_core.backends.by_page import by_page, gathered, merged
from memory_core.backends.llm import ReplyT
from memory_core.backends.reply_items import LOOP, items_before_cut, only_list
from memory_core.errors import ModelReplyInvalid

_THOUGHT = r"(?:think|thinking|thought|thoughts|reasoning|reflection)"
_THOUGHT_BLOCK = re.compile(rf"<({_THOUGHT})\b[^<>]*>.*?</\1\s*>", re.DOTALL | re.IGNORECASE)
_THOUGHT_END = re.compile(rf"</{_THOUGHT}\s*>", re.IGNORECASE)
_THOUGHT_START = re.compile(rf"<{_THOUGHT}\b[^<>]*>", re.IGNORECASE)
_FENCED = re.compile(r"\A```[^\n`]*\n(.*?)\n?```\Z", re.DOTALL)
# A whole string, a bracket, or the quote of a string that never ends.
_JSON_MARK = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]|"', re.DOTALL)


@dataclass(frozen=True, slots=True, kw_only=True)
class Completion:
    """One answer of an endpoint. truncated: it stopped for want of tokens, not at its end; thought:
    thoughts came with it; last: it is not asked for again.
    """

    text: str
    truncated: bool
    thought: bool = False
    last: bool = False


def whole_text(text: str) -> str:
    """The text with its surrogate pairs joined and lone surrogates replaced: it can be sent."""
    return text.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")


def read_completion(body: str) -> Completion:
    """Read the body of a Chat Completions answer.

    Raises:
        ModelReplyInvalid: it is not JSON (a login page, say), or holds no choice.
    """
    try:
        answer = json.loads(body)
        choice = answer["choices"][0]
        message = choice["message"]
        text = _content(message)
    except (ValueError, LookupError, TypeError, AttributeError, RecursionError) as error:
        raise ModelReplyInvalid("The answer is not a chat completion.") from error
    return Completion(
        text=text,
        truncated=choice.get("finish_reason") == "length",
        thought=bool(_thoughts(message).strip()) or strip_thoughts(text) != text.strip(),
    )


def read_usage(body: str) -> tuple[int, int]:
    """Tokens of the prompt and of the completion as an answer states them; 0 where it does not."""
    try:
        usage = json.loads(body)["usage"]
    except (ValueError, LookupError, TypeError, RecursionError):
        usage = None
    return _count(usage, "prompt_tokens"), _count(usage, "completion_tokens")


def _content(message: dict[str, Any]) -> str:
    content = message.get("content")
    if isinstance(content, list):  # typed parts, some of them thoughts
        parts = (part.get("text") for part in content if part.get("type") == "text")
        content = "".join(part for part in parts if isinstance(part, str))
    if content:
        return str(content)
    # Some servers file the whole answer of a thinking model under its thoughts.
    return _final_object(_thoughts(message))


def _thoughts(message: dict[str, Any]) -> str:
    """What stands beside the content: the field has one name at DeepSeek and another at Ollama."""
    found = (message.get(name) for name in ("reasoning_content", "reasoning"))
    return next((text for text in found if isinstance(text, str)), "")


def _count(usage: object, name: str) -> int:
    value = usage.get(name) if isinstance(usage, dict) else None
    return max(0, value) if isinstance(value, int) else 0


def strip_thoughts(text: str) -> str:
    """The answer without `<think>`-like blocks, also those that lack their start or end tag."""
    if text.lstrip().startswith(("{", "[")):
        return text.strip()  # a tag in there is quoted text
    text = _THOUGHT_BLOCK.sub("", text)
    for end in list(_THOUGHT_END.finditer(text))[-1:]:
        text = text[end.end() :]
    start = _THOUGHT_START.search(text)
    return (text[: start.start()] if start else text).strip()


def read_prose(text: str) -> str:
    """The answer as prose, out of its thoughts.

    Raises:
        ModelReplyInvalid: nothing is left.
    """
    prose = whole_text(strip_thoughts(text))
    if not prose:
        raise ModelReplyInvalid("The answer is empty.")
    return prose


def parse_reply(text: str, reply: type[ReplyT], *, partly: bool = False) -> ReplyT:
    """The first whole JSON object of an answer, as the asked type.

    Thoughts, fences and prose around it are passed over. A list stands for the object where the
    type has exactly one field that is a list; what that list says twice counts once.

    Args:
        partly: take the items of that list that have the asked form, if any has.

    Raises:
        ModelReplyInvalid: there is none, it is cut off, or it is of another form.
    """
    # A thought that never ends may still end in the answer.
    rest = strip_thoughts(text) or _final_object(text)
    if not rest:
        raise ModelReplyInvalid("The answer is empty.")
    fenced = _FENCED.match(rest)
    for chunk in _chunks(fenced[1] if fenced else rest):
        value = _as_object(_loads(chunk), reply)
        if value is not None:
            return _validated(value, reply, partly=partly)
    raise ModelReplyInvalid("The answer holds no JSON object.")


def _chunks(text: str) -> Iterator[str]:
    """Each outermost balanced pair of brackets, with what is in it."""
    depth, start, mark = 0, 0, re.search(r"[{\[]", text)
    position = mark.start() if mark else len(text)
    while mark := _JSON_MARK.search(text, position):
        position = mark.end()
        if mark[0] in "{[":
            start = start if depth else mark.start()
            depth += 1
        elif mark[0] in "}]" and depth:
            depth -= 1
            if not depth:
                yield text[start:position]
        elif mark[0] == '"' and depth:
            break
    if depth:
        raise ModelReplyInvalid("The JSON of the answer is cut off or not balanced.")


def _final_object(text: str) -> str:
    """The object at the very end of a text, or ""."""
    text = text.strip().removesuffix("```").rstrip()
    try:
        last = list(_chunks(text))[-1:]
    except ModelReplyInvalid:
        return ""
    return last[0] if last and text.endswith(last[0]) else ""


def _loads(chunk: str) -> object:
    try:
        return json.loads(chunk, strict=False)
    except (ValueError, RecursionError):
        return None  # brackets of prose; the JSON may still come


def _as_object(value: object, reply: type[BaseModel]) -> dict[str, Any] | None:
    name = only_list(reply)
    items = gathered(value, name) if name else None
    if name is None or items is None:
        return value if isinstance(value, dict) else None
    # "[]" is an answer too, where prose has no brackets that mean nothing.
    return {**(value if isinstance(value, dict) else {}), name: items}


def salvaged(text: str, reply: type[ReplyT], *, loops_only: bool) -> ReplyT | None:
    """What is whole of an answer that was cut off for its length, in a type that is one list.

    Args:
        loops_only: only where the model has gone round in circles; another time there would be no
            end of it either.
    """
    name = only_list(reply)
    items = items_before_cut(strip_thoughts(text), name) if name else []
    told = merged(items)
    if not name or not told or (loops_only and len(items) - len(told) < LOOP):
        return None
    try:
        return _validated({name: told}, reply, partly=True)
    except ModelReplyInvalid:
        return None


def _validated(value: dict[str, Any], reply: type[ReplyT], *, partly: bool = False) -> ReplyT:
    try:
        # Through JSON once more, which is where a lone surrogate can be mended in one place.
        return reply.model_validate_json(whole_text(json.dumps(value, ensure_ascii=False)))
    except ValidationError as error:
        sound = _sound_part(value, reply, error) if partly else None
        if sound is not None:
            return _validated(sound, reply)
        # Not chained: the original quotes the answer, and that is somebody's memory.
        raise ModelReplyInvalid(_problems(error)) from None
    except RecursionError as error:
        raise ModelReplyInvalid("The JSON of the answer is nested too deeply.") from error


def _sound_part(
    value: dict[str, Any], reply: type[BaseModel], error: ValidationError
) -> dict[str, Any] | None:
    """The answer without the items of its list that are faulty; None where more is, or all."""
    name = only_list(reply)
    places = [problem["loc"] for problem in error.errors()]
    if name is None or any(len(place) < 2 or place[0] != name for place in places):
        return None
    faulty = {place[1] for place in places}
    rest = [item for number, item in enumerate(value[name]) if number not in faulty]
    return {**value, name: rest} if rest else None


def _problems(error: ValidationError) -> str:
    problems = error.errors(include_input=False, include_url=False, include_context=False)
    shown = (f"{'.'.join(map(str, p['loc']))}: {p['msg']}" for p in problems[:3])
    return "The JSON is not of the asked form: " + "; ".join(shown) + "."


def strict_schema(reply: type[BaseModel], pages: int = 0) -> dict[str, Any]:
    """The JSON schema in the dialect that strict endpoints take.

    Every field is required, no other is allowed, and references are written out.

    Args:
        pages: for how many pages the one list of the type is asked for, an entry each; 0: as it is.
    """
    schema = reply.model_json_schema()
    strict: dict[str, Any] = _strict(schema, schema.get("$defs", {}))
    name = only_list(reply)
    return by_page(strict, name, pages) if pages and name else strict


def _strict(node: Any, shared: dict[str, Any]) -> Any:
    if isinstance(node, list):
        return [_strict(item, shared) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        node = shared[node["$ref"].rpartition("/")[2]] | {
            k: v for k, v in node.items() if k != "$ref"
        }
    # Descriptions of objects are their docstrings: for readers of the code, not worth the tokens.
    dropped = {"$defs", "title", "default"} | ({"description"} if "properties" in node else set())
    kept = {k: v for k, v in node.items() if k not in dropped}
    strict = {k: _strict(v, shared) for k, v in kept.items() if k != "properties"}
    if "properties" in kept:
        fields = {name: _strict(field, shared) for name, field in kept["properties"].items()}
        strict |= {"properties": fields, "required": list(fields), "additionalProperties": False}
    return strict
