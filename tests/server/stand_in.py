"""A memory that keeps turns in a list and recalls what it is told to."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, tzinfo
from pathlib import Path
from typing import Any

import anyio

from memory_core import (
    Added,
    Fact,
    FactCounts,
    FactHit,
    InvalidInput,
    Job,
    JobState,
    MemoryCore,
    Page,
    PageHit,
    ProcessStatus,
    Profile,
    ProfileLine,
    ProfileView,
    Recollection,
    Settings,
    Status,
    TierCounts,
)
from memory_core.records import About, Scope
from memory_core.status_records import (
    DatabaseStatus,
    EmbedderStatus,
    IndexStatus,
    ModelStatus,
    Queue,
    RefusedCount,
    Usage,
)

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


def counts(turns: int = 5) -> TierCounts:
    return TierCounts(
        short_term_pages=turns,
        waiting_pages=1,
        segments=2,
        retired_segments=0,
        segment_pages=9,
        user_facts=FactCounts(current=4, superseded=1, retired=0),
        assistant_facts=FactCounts(current=0, superseded=0, retired=0),
        profiles=1,
        profile_versions=3,
    )


def job(**changes: Any) -> Job:
    made = Job(
        kind="place",
        user_id="ana",
        assistant_id="ada",
        state=JobState.PARKED,
        attempts=8,
        last_error="The endpoint answered 401.",
        not_before=None,
        holder_pid=None,
    )
    return replace(made, **changes)


def status(*jobs: Job, **changes: Any) -> Status:
    made = Status(
        version="1.2.3",
        at=NOON,
        data_directory="/data/of/ana",
        process=ProcessStatus(pid=11, age=7_300.0, rss=98_700_000),
        database=DatabaseStatus(size=1_234_567, sqlite_version="3.60.1", journal_mode="wal"),
        users=2,
        scopes=3,
        counts=counts(),
        asked=None,
        scope_counts=None,
        queue=Queue(jobs=jobs, unembedded=6),
        index=IndexStatus(state="open", owner_pid=12, mine=True, rows=100, taken_in=40),
        refused=(
            RefusedCount(side="user", reason="code", count=3, characters=900),
            RefusedCount(side="model", reason="no source", count=2, characters=80),
        ),
        embedder=EmbedderStatus(
            configured="bundled", in_use="b/1", state="ready", memories={"b/1": 20, "模型": 3}
        ),
        model=ModelStatus(
            name="gpt",
            state="answered",
            today=(
                Usage(kind="facts", calls=2, prompt_tokens=30, completion_tokens=4),
                Usage(kind="topics", calls=1, prompt_tokens=10, completion_tokens=1),
            ),
        ),
        warnings=(),
    )
    return replace(made, **changes)


class StandInMemory(MemoryCore):
    """Attributes: `calls` made, by name; `found`, `view` and `state` to give back; `failure` to
    raise; `finished`: set when a consolidation is done.
    """

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
        self.state = status()
        self.failure: Exception | None = None
        self.finished = anyio.Event()

    @property
    def zone(self) -> tzinfo:
        return UTC

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
        max_tokens: int | None = None,
        user_id: str = "",
        assistant_id: str = "",
    ) -> Recollection:
        self._called(
            query=query,
            max_results=max_results,
            max_tokens=max_tokens,
            user_id=user_id,
            assistant_id=assistant_id,
        )
        return replace(self.found, query=query)

    async def read_memory(
        self,
        ids: Sequence[str],
        *,
        query: str = "",
        max_tokens: int | None = None,
        user_id: str = "",
        assistant_id: str = "",
    ) -> Recollection:
        self._called(
            ids=ids,
            query=query,
            max_tokens=max_tokens,
            user_id=user_id,
            assistant_id=assistant_id,
        )
        return replace(self.found, query=query)

    async def get_user_profile(self, *, user_id: str = "", assistant_id: str = "") -> ProfileView:
        self._called(user_id=user_id, assistant_id=assistant_id)
        return self.view

    def begin_consolidation(self) -> anyio.Event:
        self._called()
        return self.finished

    async def status(self, *, user_id: str = "", assistant_id: str = "") -> Status:
        self._called(user_id=user_id, assistant_id=assistant_id)
        if not user_id:
            return self.state
        asked = Scope(user_id=user_id, assistant_id=assistant_id or "default")
        return replace(self.state, asked=asked, scope_counts=counts(turns=1))

    def _called(self, **arguments: Any) -> None:
        self.calls.append(arguments)
        if self.failure is not None:
            raise self.failure


def settings(path: Path) -> Settings:
    """Settings without a model and without an embedder."""
    given = {"data_storage_path": str(path), "embedding_model_name": "none"}
    return Settings.load(given, environ={})
