"""The list that a reply consists of, and its items before a cut."""

import json
import re
from collections.abc import Iterator
from typing import Any, get_origin

from pydantic import BaseModel

from memory_core.backends.by_page import with_page

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


def items_before_cut(text: str, name: str) -> list[Any]:
    """The whole items of lists that end in the middle, as JSON values.

    Args:
        text: an object with the list under `name`, one with such a list in each of its entries
            (`by_page`), or the bare list.
    """
    lists = re.finditer(rf'(?:"page"\s*:\s*"?(\d+)"?\s*,\s*)?"{re.escape(name)}"\s*:\s*\[', text)
    found = [with_page(item, at[1]) for at in lists for item in _items(text, at.end())]
    begin = None if found else re.match(r"[^{\[]*\[", text)
    return list(_items(text, begin.end())) if begin else found


def _items(text: str, position: int) -> Iterator[Any]:
    while between := _BETWEEN.match(text, position):
        try:
            item, position = _DECODER.raw_decode(text, between.end())
        except (ValueError, RecursionError):
            return  # the one that was cut, or the end of the list
        yield item
