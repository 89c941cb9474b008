"""What the tests of the store put into it: pages, segments and facts in one line each."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta
from typing import Any

import apsw

from memory_core.records import About, FactDraft, PageDraft, Scope
from memory_core.store import facts, pages, segments
from memory_core.store.rows import scope_key
from memory_core.store.segments import Placement

NOW = datetime(2026, 5, 1, 12, tzinfo=UTC)
LATER = NOW + timedelta(days=100)
"""When things are recorded, so that `day(1)` is not in the future."""
SCOPE = Scope(user_id="u", assistant_id="a")


def day(number: int) -> datetime:
    """So many days from `NOW`; negative: ago."""
    return NOW + timedelta(days=number)


def add_page(
    connection: apsw.Connection,
    /,
    text: str = "hello",
    *,
    answer: str = "",
    at: datetime = NOW,
    scope: Scope = SCOPE,
    now: datetime = LATER,
) -> int:
    """Add a page; its key."""
    draft = PageDraft(user_input=text, agent_response=answer, at=at)
    id = pages.add_page(connection, scope, draft, now, 7).id
    ((key,),) = connection.execute("SELECT key FROM memory WHERE id = ?", (id,))
    return int(key)


def placement(*page_keys: int, into: int | None = None, **says: Any) -> Placement:
    plain = Placement(
        segment_key=into,
        page_keys=page_keys,
        title="dogs",
        summary="Toby is a dog.",
        keywords=("dog", "toby"),
        at=NOW,
        news=False,
    )
    return replace(plain, **says)


def place(
    connection: apsw.Connection, /, *page_keys: int, into: int | None = None, **says: Any
) -> int:
    """Place pages of the first scope; the key of their segment."""
    plan = placement(*page_keys, into=into, **says)
    return segments.apply_placement(connection, 1, plan, "heuristic", LATER)


def statement(text: str, at: datetime = NOW, **more: Any) -> FactDraft:
    """A draft about the user, without a source."""
    plain = FactDraft(about=About.USER, text=text, at=at, source_keys=())
    return replace(plain, **more)


def state(
    connection: apsw.Connection,
    /,
    text: str,
    at: datetime = NOW,
    *,
    now: datetime = LATER,
    **more: Any,
) -> int:
    """Store a new fact of `SCOPE`; its key."""
    owner = scope_key(connection, SCOPE)
    key = facts.add_fact(connection, owner, statement(text, at, **more), "heuristic", now)
    assert key is not None
    return key


def current(connection: apsw.Connection, about: About = About.USER) -> list[str]:
    """What is true now of the first scope, oldest first."""
    return [fact.text for fact in facts.current_facts(connection, (1,), about)]


UNBOUNDED: Any = {"capacity": 1_000, "coldest": lambda _: ()}
"""Of `write_placement`: nothing leaves."""
