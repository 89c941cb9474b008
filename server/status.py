"""The status as data, for clients and for the command line.

It needs none of the protocol's libraries: `memstrata status` has to be quick.
"""

import os
from pathlib import Path
from typing import Any

from pydantic import BaseModel, ConfigDict, Field

from memory_core import (
    Job,
    JobState,
    ProcessStatus,
    Status,
    TierCounts,
    __version__,
)
from server.timestamps import format_timestamp

MOST_JOBS = 20
LONGEST_NAME = 60
LONGEST_CAUSE = 300


class StatusReply(BaseModel):
    """How the memory is. Parts that are not known are left out."""

    model_config = ConfigDict(frozen=True)

    version: str
    data_directory: str
    problem: str = Field(description="Why nothing more is known; else empty.")
    process: dict[str, Any]
    database: dict[str, Any] = {}
    counts: dict[str, Any] = {}
    scope: dict[str, Any] = {}
    queue: dict[str, Any] = {}
    index: dict[str, Any] = {}
    refused: list[dict[str, Any]] = []
    embedder: dict[str, Any] = {}
    language_model: dict[str, Any] = {}
    warnings: list[str] = []


def status_reply(status: Status) -> StatusReply:
    asked: dict[str, Any] = {}
    if status.asked is not None and status.scope_counts is not None:
        asked["scope"] = {
            "user_id": cut(status.asked.user_id, LONGEST_NAME),
            "assistant_id": cut(status.asked.assistant_id, LONGEST_NAME),
            **_counts(status.scope_counts),
        }
    return StatusReply(
        version=status.version,
        data_directory=_shown_path(status.data_directory),
        problem="",
        process=_process(status.process),
        database={
            "bytes": status.database.size,
            "sqlite_version": status.database.sqlite_version,
            "journal_mode": status.database.journal_mode,
        },
        counts={"users": status.users, "scopes": status.scopes, **_counts(status.counts)},
        queue=_queue(status),
        index=_known(
            state=status.index.state,
            owner_pid=status.index.owner_pid,
            owned_here=status.index.mine,
            rows=status.index.rows,
            rows_taken_in=status.index.taken_in,
        ),
        refused=[
            {
                "side": one.side,
                "reason": one.reason,
                "count": one.count,
                "characters": one.characters,
            }
            for one in status.refused
        ],
        embedder={
            "configured": status.embedder.configured,
            "in_use": status.embedder.in_use,
            "state": status.embedder.state,
            "memories_with_vectors": dict(status.embedder.memories),
        },
        language_model=_language_model(status),
        warnings=list(status.warnings),
        **asked,
    )


def unopened_reply(data_directory: Path, process: ProcessStatus, problem: str) -> StatusReply:
    """What can be told of a memory that cannot be read."""
    return StatusReply(
        version=__version__,
        data_directory=_shown_path(str(data_directory)),
        problem=problem,
        process=_process(process),
    )


def _known(**values: Any) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value is not None}


def _process(process: ProcessStatus) -> dict[str, Any]:
    return {"pid": process.pid, "age_seconds": round(process.age, 1), "rss_bytes": process.rss}


def _counts(counts: TierCounts) -> dict[str, int]:
    return {
        "short_term_pages": counts.short_term_pages,
        "waiting_pages": counts.waiting_pages,
        "topics": counts.segments,
        "topics_retired": counts.retired_segments,
        "topic_pages": counts.segment_pages,
        "user_facts": counts.user_facts.current,
        "user_facts_superseded": counts.user_facts.superseded,
        "user_facts_retired": counts.user_facts.retired,
        "assistant_facts": counts.assistant_facts.current,
        "assistant_facts_superseded": counts.assistant_facts.superseded,
        "assistant_facts_retired": counts.assistant_facts.retired,
        "profiles": counts.profiles,
        "profile_versions": counts.profile_versions,
    }


def _queue(status: Status) -> dict[str, Any]:
    jobs = status.queue.jobs
    # What failed is what somebody looks for here, and the rest comes and goes.
    shown = sorted(jobs, key=lambda job: not job.attempts)[:MOST_JOBS]
    return {
        **{state.value: status.queue.count(state) for state in JobState},
        "without_vectors": status.queue.unembedded,
        "jobs": [_job(job) for job in shown],
        "jobs_left_out": len(jobs) - len(shown),
    }


def _job(job: Job) -> dict[str, Any]:
    return _known(
        kind=job.kind,
        state=job.state.value,
        user_id=cut(job.user_id, LONGEST_NAME),
        assistant_id=cut(job.assistant_id, LONGEST_NAME),
        failed_attempts=job.attempts,
        last_error=cut(job.last_error, LONGEST_CAUSE),
        not_before=None if job.not_before is None else format_timestamp(job.not_before),
        holder_pid=job.holder_pid,
    )


def _language_model(status: Status) -> dict[str, Any]:
    today = status.model.today
    return {
        "name": status.model.name or "",
        "state": status.model.state,
        "calls_today": sum(usage.calls for usage in today),
        "prompt_tokens_today": sum(usage.prompt_tokens for usage in today),
        "completion_tokens_today": sum(usage.completion_tokens for usage in today),
        "today_by_kind": {
            usage.kind: {
                "calls": usage.calls,
                "prompt_tokens": usage.prompt_tokens,
                "completion_tokens": usage.completion_tokens,
            }
            for usage in today
        },
    }


def _shown_path(path: str) -> str:
    """A path that JSON can carry: file names are bytes."""
    return os.fsencode(path).decode("utf-8", "replace")


def cut(text: str, limit: int) -> str:
    return text if len(text) <= limit else text[: limit - 1] + "…"
