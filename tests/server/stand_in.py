"""A memory that keeps turns in a list and recalls what it is told to."""

from collections.abc import Mapping
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from memory_core import (
    Added,
    Fact,
    FactHit,
    InvalidInput,
    MemoryCore,
    Page,
    PageHit,
    Profile,
    ProfileLine,
    ProfileView,
    Recollection,
    Settings,
)
from memory_core.records import About

NOON = datetime(2024, 5, 31, 12, tzinfo=UTC)


def page(key: int = 1, user_input: str = "I live in Lisbon.", **changes: Any) -> Page:
    made = Page(
        key=key,
        id=f"p{key}",
        user_input=user_input,
        agent_response="Noted.",
        at=NOON,
        meta_data={},
        segment_key=None,
    )
    return replace(made, **changes)


def fact(key: int = 1, text: str = "The user lives in Lisbon.", **changes: Any) -> Fact:
    made = Fact(
        key=key,
        id=f"f{key}",
        about=About.USER,
        text=text,
        at=NOON,
        recorded_at=NOON,
        confidence=0.9,
        attribute="home",
        section="Life",
        made_by="a-model",
        pinned=False,
        superseded_by=None,
        source_ids=("p1",),
    )
    return replace(made, **changes)


def profile(*texts: str, made_by: str = "a-model") -> Profile:
    lines = tuple(
        ProfileLine(section="Life", text=text, at=NOON, confidence=1.0, source_ids=())
        for text in texts
    )
    return Profile(id="v1", version=1, lines=lines, at=NOON, made_by=made_by)


def page_hit(made: Page, score: float = 0.5) -> PageHit:
    return PageHit(page=made, score=score, why={"words": score})


def fact_hit(made: Fact, score: float = 0.5) -> FactHit:
    return FactHit(fact=made, score=score, why={"meaning": score})


def recollection(**changes: Any) -> Recollection:
    made = Recollection(
        query="Where?",
        at=NOON,
        profile=None,
        short_term=(),
        pages=(),
        user_facts=(),
        assistant_facts=(),
        pending=0,
        notes=(),
    )
    return replace(made, **changes)


class StandInMemory(MemoryCore):
    """Attributes: `calls` made, by name; `found` and `view` to give back; `failure` to raise."""

    def __init__(self) -> None:
        self.calls: list[dict[str, Any]] = []
        self.found = recollection()
        self.view = ProfileView(
            profile=profile("Lives in Lisbon."),
            user_facts=(fact(),),
            assistant_facts=(fact(2, "The assistant is called Ada."),),
            pending=0,
            notes=(),
        )
        self.failure: Exception | None = None

    async def add_memory(
        self,
        user_input: str = "",
        agent_response: str = "",
        *,
        at: datetime | None = None,
        meta_data: Mapping[str, Any] | None = None,
        user_id: str = "",
        assistant_id: str = "",
    ) -> Added:
        self._called(
            user_input=user_input,
            agent_response=agent_response,
            at=at,
            meta_data=meta_data,
            user_id=user_id,
            assistant_id=assistant_id,
        )
        if not (user_input or agent_response):
            raise InvalidInput("Both sides are empty.")
        return Added(id=f"p{len(self.calls)}", at=at or NOON, short_term_count=1, pending=0)

    async def retrieve_memory(
        self,
        query: str,
        *,
        max_results: int | None = None,
        user_id: str = "",
        assistant_id: str = "",
    ) -> Recollection:
        self._called(
            query=query, max_results=max_results, user_id=user_id, assistant_id=assistant_id
        )
        return replace(self.found, query=query)

    async def get_user_profile(self, *, user_id: str = "", assistant_id: str = "") -> ProfileView:
        self._called(user_id=user_id, assistant_id=assistant_id)
        return self.view

    def _called(self, **arguments: Any) -> None:
        self.calls.append(arguments)
        if self.failure is not None:
            raise self.failure


def settings(path: Path) -> Settings:
    """Settings without a model and without an embedder."""
    given = {"data_storage_path": str(path), "embedding_model_name": "none"}
    return Settings.load(given, environ={})
