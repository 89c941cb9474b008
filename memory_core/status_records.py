"""The nouns of a memory's status: counts, jobs, and the state of its parts. All are frozen."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import StrEnum

from memory_core.records import Scope


@dataclass(frozen=True, slots=True, kw_only=True)
class FactCounts:
    """Facts about one side: true now, replaced by newer ones, left out beyond the capacity."""

    current: int
    superseded: int
    retired: int


@dataclass(frozen=True, slots=True, kw_only=True)
class TierCounts:
    """What the tiers hold, of everybody or of one scope.

    short_term_pages: in the windows; waiting_pages: beyond them, not yet in a segment;
    profiles: scopes that have one.
    """

    short_term_pages: int
    waiting_pages: int
    segments: int
    retired_segments: int
    segment_pages: int
    user_facts: FactCounts
    assistant_facts: FactCounts
    profiles: int
    profile_versions: int


class JobState(StrEnum):
    """Where a job of consolidation is."""

    RUNNING = "running"
    DUE = "due"
    WAITING = "waiting"
    PARKED = "parked"


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """One kind of work for one scope.

    attempts: failed ones; last_error: why the last one failed, "" if none did; not_before: the
    next try, or when the batch is closed, of a job that waits; holder_pid: the process at work.
    """

    kind: str
    user_id: str
    assistant_id: str
    state: JobState
    attempts: int
    last_error: str
    not_before: datetime | None
    holder_pid: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Queue:
    """Jobs under way, due, waiting and parked; unembedded: memories that have no vector yet."""

    jobs: tuple[Job, ...]
    unembedded: int

    def count(self, state: JobState) -> int:
        return sum(job.state is state for job in self.jobs)


@dataclass(frozen=True, slots=True, kw_only=True)
class ProcessStatus:
    """This process: its age in seconds, and its resident memory in bytes."""

    pid: int
    age: float
    rss: int


@dataclass(frozen=True, slots=True, kw_only=True)
class DatabaseStatus:
    """The database. size: bytes of the file and its log."""

    size: int
    sqlite_version: str
    journal_mode: str


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexStatus:
    """The vector index. owner_pid: the process that holds it, None when nobody does; mine: that
    process belongs to this one. taken_in of rows: how far it is filled; None: not known here.
    """

    state: str
    owner_pid: int | None
    mine: bool
    rows: int | None
    taken_in: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderStatus:
    """The embedding model. configured: as the settings name it; in_use: the fingerprint of the one
    that recall asks, "" for none; memories: how many have a vector, by fingerprint.
    """

    configured: str
    in_use: str
    state: str
    memories: Mapping[str, int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What questions of one kind have cost."""

    kind: str
    calls: int
    prompt_tokens: int
    completion_tokens: int


@dataclass(frozen=True, slots=True, kw_only=True)
class RefusedCount:
    """How much was refused for one reason. side: "user" or "assistant", passages of their turns
    that are not read; "model", items it returned that are not taken.
    """

    side: str
    reason: str
    count: int
    characters: int


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelStatus:
    """The language model; name None: there is none. today: what it cost since midnight UTC, asked
    by any process.
    """

    name: str | None
    state: str
    today: tuple[Usage, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Status:
    """How a memory is. asked: the scope of `scope_counts`, None when none was asked for.

    refused: what digests did not read, or did not take of a model's answers, most first.

    warnings: sentences for a person about what needs attention.
    """

    version: str
    at: datetime
    data_directory: str
    process: ProcessStatus
    database: DatabaseStatus
    users: int
    scopes: int
    counts: TierCounts
    asked: Scope | None
    scope_counts: TierCounts | None
    queue: Queue
    index: IndexStatus
    refused: tuple[RefusedCount, ...]
    embedder: EmbedderStatus
    model: ModelStatus
    warnings: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Running:
    """What only a process with the memory open can say of it, for its `Status`.

    index_state, index_position: as in `VectorIndex`. embedder_state: "ready", "loading", "off" or
    "failed: ..."; embedder_in_use: the fingerprint that recall asks, "" for none;
    embedder_making: that of the model whose vectors are being made before recall switches to it.
    model_name, model_state: as in `LanguageModel`; None and "" without one.
    """

    index_state: str
    index_position: int
    embedder_state: str
    embedder_in_use: str = ""
    embedder_making: str = ""
    model_name: str | None = None
    model_state: str = ""
    warnings: tuple[str, ...] = ()
