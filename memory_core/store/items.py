"""Reading single pages and facts by their public ids."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import apsw

from memory_core.records import Fact, Page, Scope
from memory_core.store import facts, pages
from memory_core.store.rows import find_scopes, marks


@dataclass(frozen=True, slots=True, kw_only=True)
class Items:
    """Pages and facts by id; newer: what is true now instead of what a page says, by its key."""

    pages: Mapping[str, Page]
    facts: Mapping[str, Fact]
    newer: Mapping[int, tuple[str, ...]]


def read_items(connection: apsw.Connection, scope: Scope, ids: Sequence[str]) -> Items:
    """Those of the items that this scope has.

    Facts that are superseded or have retired are among them: who asks by id has seen them.
    """
    keys = find_scopes(connection, [scope])
    where = f"memory.id IN ({marks(ids)}) AND memory.scope IN ({marks(keys)})"
    of_pages = f"SELECT {pages.COLUMNS} {pages.FROM} WHERE {where}"
    of_facts = f"SELECT {facts.COLUMNS} FROM fact JOIN memory USING (key) WHERE {where}"
    found = [pages.page_from(row) for row in connection.execute(of_pages, (*ids, *keys))]
    known = [facts.fact_from(row) for row in connection.execute(of_facts, (*ids, *keys))]
    return Items(
        pages={page.id: page for page in found},
        facts={fact.id: fact for fact in known},
        newer=facts.replaced_since(connection, [page.key for page in found]),
    )
