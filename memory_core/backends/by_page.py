"""Lists that are asked for page by page, and read back as one list.

A small model that is asked for one list names one thing and stops; bound to an entry for each page
it goes through them all (docs/LOG.md, "page by page"). Entries look like
`{"pages": [{"page": 1, "facts": []}, {"page": 2, "facts": [...]}]}`. Models that are not bound by a
schema answer in other ways too; what is an entry and what an item shows in each element.
"""

import json
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

_NUMBER = re.compile(r"\s*[0-9]{1,9}\s*")


def by_page(schema: Mapping[str, Any], name: str, pages: int) -> dict[str, Any]:
    """The schema of an object with one list, as one with an entry for each of so many pages.

    Args:
        schema: strict; its list `name` is of items with a field "pages", which goes.
    """
    listed = schema["properties"][name]
    item = listed["items"]
    fields = {field: of for field, of in item["properties"].items() if field != "pages"}
    bare = {**item, "properties": fields, "required": list(fields)}
    entry = _strict({"page": {"type": "integer"}, name: {**listed, "items": bare}})
    bounds = {"minItems": pages, "maxItems": pages}
    return _strict({"pages": {"type": "array", "items": entry, **bounds}})


def _strict(fields: dict[str, Any]) -> dict[str, Any]:
    return {
        "type": "object",
        "properties": fields,
        "required": list(fields),
        "additionalProperties": False,
    }


def gathered(value: object, name: str) -> list[Any] | None:
    """The items of an answer, each with the numbers of its pages; None where there is no list.

    Args:
        value: an object with the items under `name`, an object with entries under "pages", or
            either of these lists alone.
    """
    named = isinstance(value, dict) and name in value
    found = value.get(name if named else "pages") if isinstance(value, dict) else value
    if not isinstance(found, list):
        return None
    if not any(isinstance(element, dict) for element in found):
        # What is no item may be something else: the pages of a single one, or brackets of prose.
        return merged(found) if named or value in ([], {"pages": []}) else None
    # Of a page alone it says nothing, where it is an entry.
    said = (element for element in found if named or not _is_silent(element))
    return merged(item for element in said for item in _items(element, name))


def _is_silent(element: Any) -> bool:
    return element is None or (isinstance(element, dict) and {*element} == {"page"})


def _items(element: Any, name: str) -> Iterator[Any]:
    """An item is one of itself; an entry has some, or none."""
    if not isinstance(element, dict):
        yield element
    elif name not in element:
        yield with_page(element, element.get("page"))
    else:
        held = element[name]
        for item in held if isinstance(held, list) else [held] if isinstance(held, dict) else []:
            yield with_page(item, element.get("page"))


def with_page(item: Any, page: Any) -> Any:
    """The item with one page more, if that is a number."""
    if not isinstance(item, dict) or not _NUMBER.fullmatch(f"{page}"):
        return item
    return {**item, "pages": [*_listed(item.get("pages")), int(page)]}


def merged(items: Iterable[Any]) -> list[Any]:
    """The items, each once: what is said alike of several pages has all of them."""
    kept: dict[str, Any] = {}
    for item in items:
        if not isinstance(item, dict):
            kept.setdefault(_key(item), item)
            continue
        key = _key({field: of for field, of in item.items() if field not in ("page", "pages")})
        said = [*_listed(kept.get(key, {}).get("pages")), *_listed(item.get("pages"))]
        pages = [number for place, number in enumerate(said) if number not in said[:place]]
        kept[key] = {**item, "pages": pages} if pages else item
    return list(kept.values())


def _listed(pages: Any) -> list[Any]:
    return pages if isinstance(pages, list) else [] if pages is None else [pages]


def _key(item: Any) -> str:
    try:
        return json.dumps(item, sort_keys=True)
    except RecursionError:
        return f"{id(item)}"  # no type of ours is nested so deeply: it is refused as it is
