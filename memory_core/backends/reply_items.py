"""The items of the list that a reply consists of: each once, and those before a cut."""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, get_origin

from pydantic import BaseModel

LOOP = 3
"""Items said again, from which on a model is taken to be going round in circles."""

_BETWEEN = re.compile(r"[\s,]*")
_DECODER = json.JSONDecoder(strict=False)


def only_list(reply: type[BaseModel]) -> str | None:
    """The name of the one field that is a list; None where there is no such field, or two."""
    lists = [name for name, field in reply.model_fields.items() if _is_list(field.annotation)]
    return lists[0] if len(lists) == 1 else None


def _is_list(annotation: object) -> bool:
    return annotation is list or get_origin(annotation) is list


def distinct(items: Sequence[Any]) -> list[Any]:
    """The items in their order, each once."""
    seen: dict[str, Any] = {}
    for item in items:
        seen.setdefault(_key(item), item)
    return list(seen.values())


def _key(item: Any) -> str:
    try:
        return json.dumps(item, sort_keys=True)
    except RecursionError:
        return f"{id(item)}"  # no type of ours is nested so deeply: it is refused as it is


def items_before_cut(text: str, name: str) -> list[Any]:
    """The whole items of a list that ends in the middle, as JSON values.

    Args:
        text: an object with the list under `name`, or the bare list.
    """
    begin = re.search(rf'"{re.escape(name)}"\s*:\s*\[', text) or re.match(r"[^{\[]*\[", text)
    return list(_items(text, begin.end())) if begin else []


def _items(text: str, position: int) -> Iterator[Any]:
    while between := _BETWEEN.match(text, position):
        try:
            item, position = _DECODER.raw_decode(text, between.end())
        except (ValueError, RecursionError):
            return  # the one that was cut, or the end of the list
        yield item
