"""The status of a memory, from an open database and from outside."""

import json
import os
from datetime import timedelta
from pathlib import Path
from typing import Any

import apsw
import pytest
from filelock import FileLock

from memory_core import (
    EmbedderError,
    InvalidInput,
    JobState,
    Settings,
    Status,
    StorageError,
    inspect_memory,
)
from memory_core.backends.chroma_owner import lock_path, owner_path
from memory_core.backends.llm import Spent
from memory_core.records import Scope
from memory_core.status import process_status, read_status
from memory_core.status_records import Running, Usage
from memory_core.store import jobs, usage
from memory_core.store.database import Database
from memory_core.testing import Clock, WordsEmbedder
from tests.conftest import OpenMemory
from tests.store.filled import LATER, SCOPE, add_page, state
from tests.stub_llm import StubLLM

ODD = Scope(user_id="../李雷\n'--", assistant_id="👩‍👩‍👧")
CAUSE = "模型没有回答。"
RUNNING = Running(index_state="closed", index_position=0, embedder_state="ready")


def settings_of(directory: Path, **more: Any) -> Settings:
    given = {"data_storage_path": str(directory), "short_term_capacity": 2}
    return Settings.load(given | more, environ={})


def fill(connection: apsw.Connection) -> None:
    """Three pages of the first user, one of another with odd ids, a fact, a parked job."""
    for scope in (SCOPE, SCOPE, SCOPE, ODD):
        add_page(connection, scope=scope)
    state(connection, "lives in Lisbon")
    jobs.claim(connection, "place", 1, "7-x", LATER)
    jobs.record_failure(connection, "place", 1, "7-x", CAUSE, None)
    spent = Spent(kind="topics", prompt_tokens=10, completion_tokens=2)
    usage.record(connection, LATER.date(), "a-model", spent)


async def filled(directory: Path) -> Database:
    database = await Database.open(directory / "memory.db")
    await database.write(fill)
    return database


async def seen(directory: Path, running: Running | None = RUNNING, **more: Any) -> Status:
    """The status of a filled memory as the process sees it that has it open."""
    database = await filled(directory)
    try:
        return await read_status(
            database, settings_of(directory, **more), LATER, asked=SCOPE, running=running
        )
    finally:
        await database.close()


def note_models(connection: apsw.Connection, /, **ready: bool) -> None:
    """Embedding models by name, and whether each has all vectors."""
    for model, is_ready in ready.items():
        connection.execute(
            "INSERT INTO embedder VALUES (?, '{}', 2, 0.5, ?, '2026-01-01')",
            (model, "2026-01-01" if is_ready else None),
        )


async def test_it_counts_everybody_and_the_scope_that_is_asked_for(tmp_path: Path) -> None:
    status = await seen(tmp_path)
    assert (status.users, status.scopes, status.at) == (2, 2, LATER)
    assert (status.counts.short_term_pages, status.counts.waiting_pages) == (3, 1)
    assert status.asked == SCOPE
    assert status.scope_counts is not None
    assert (status.scope_counts.short_term_pages, status.scope_counts.waiting_pages) == (2, 1)
    assert status.scope_counts.user_facts.current == 1


async def test_a_parked_job_is_shown_with_its_cause_and_warned_of(tmp_path: Path) -> None:
    status = await seen(tmp_path)
    (job,) = status.queue.jobs
    assert (job.state, job.last_error, job.user_id) == (JobState.PARKED, CAUSE, SCOPE.user_id)
    assert status.queue.count(JobState.PARKED) == 1
    assert any("1 jobs failed too often" in warning for warning in status.warnings)


async def test_the_database_and_the_process_are_described(tmp_path: Path) -> None:
    status = await seen(tmp_path)
    assert status.data_directory == str(tmp_path)
    assert status.database.journal_mode == "wal"
    assert status.database.size >= (tmp_path / "memory.db").stat().st_size > 0
    assert status.database.sqlite_version == apsw.sqlite_lib_version()
    assert status.process.pid == os.getpid()
    assert 0 < status.process.age < 100_000
    assert status.process.rss > 10_000_000


async def test_what_models_cost_today_is_shown_with_their_state(tmp_path: Path) -> None:
    running = Running(
        index_state="closed",
        index_position=0,
        embedder_state="off",
        model_name="a-model",
        model_state="answered",
        warnings=("A network drive.",),
    )
    status = await seen(tmp_path, running)
    assert (status.model.name, status.model.state) == ("a-model", "answered")
    assert status.model.today == (
        Usage(kind="topics", calls=1, prompt_tokens=10, completion_tokens=2),
    )
    assert status.warnings[0] == "A network drive."


async def test_without_a_language_model_no_batch_waits(tmp_path: Path) -> None:
    async def of_fresh(model_name: str | None) -> JobState:
        running = Running(
            index_state="closed", index_position=0, embedder_state="off", model_name=model_name
        )
        status = await read_status(database, settings_of(tmp_path), LATER, running=running)
        (job,) = status.queue.jobs
        return job.state

    database = await filled(tmp_path)
    await database.write(lambda connection: connection.execute("DELETE FROM job"))
    assert await of_fresh(None) is JobState.DUE
    assert await of_fresh("a-model") is JobState.WAITING
    await database.close()


async def test_the_making_of_vectors_shows_how_far_it_has_come(tmp_path: Path) -> None:
    database = await filled(tmp_path)
    await database.write(note_models, old=True, new=False)
    running = Running(
        index_state="closed",
        index_position=0,
        embedder_state="ready",
        embedder_in_use="old",
        embedder_making="new",
    )
    status = await read_status(database, settings_of(tmp_path), LATER, running=running)
    await database.close()
    assert status.embedder.state == "making vectors: 0 of 5"
    assert (status.embedder.in_use, status.queue.unembedded) == ("old", 5)
    assert dict(status.embedder.memories) == {"old": 0, "new": 0}


async def test_the_owner_of_the_index_is_named_and_whether_it_is_ours(tmp_path: Path) -> None:
    directory = tmp_path / "chroma"
    note = {"pid": 4711, "parent": os.getpid(), "since": LATER.isoformat()}
    owner_path(directory).write_text(json.dumps(note), encoding="utf-8")
    with FileLock(lock_path(directory), is_singleton=False):
        status = await seen(tmp_path, Running(**as_open(position=0)))
    assert (status.index.owner_pid, status.index.mine) == (4711, True)
    assert (status.index.state, status.index.rows, status.index.taken_in) == ("open", 0, 0)


def as_open(position: int) -> dict[str, Any]:
    return {
        "index_state": "open",
        "index_position": position,
        "embedder_state": "ready",
        "embedder_in_use": "m",
    }


async def test_nobody_owns_an_index_that_is_not_locked(tmp_path: Path) -> None:
    status = await seen(tmp_path)
    assert (status.index.owner_pid, status.index.mine) == (None, False)
    assert (status.index.rows, status.index.taken_in) == (None, None)


# --- from outside


async def test_a_memory_is_inspected_while_others_have_it_open(tmp_path: Path) -> None:
    database = await filled(tmp_path)
    await database.write(note_models, m=True)
    found = await inspect_memory(settings_of(tmp_path), LATER)
    await database.close()
    assert found is not None
    assert (found.scopes, found.asked, found.scope_counts) == (2, None, None)
    assert found.index.state == found.embedder.state == "not running here"
    assert (found.embedder.in_use, found.queue.unembedded) == ("m", 5)
    assert (found.model.name, found.model.state) == (None, "off")


async def test_inspecting_finds_odd_ids_and_unknown_ones(tmp_path: Path) -> None:
    await (await filled(tmp_path)).close()
    settings = settings_of(tmp_path, assistant_id=ODD.assistant_id, openai_base_url="http://x/v1")
    odd = await inspect_memory(settings, LATER, user_id=ODD.user_id)
    nobody = await inspect_memory(settings, LATER, user_id="nobody")
    assert odd and odd.scope_counts and odd.scope_counts.short_term_pages == 1
    assert nobody and nobody.scope_counts and nobody.scope_counts.short_term_pages == 0
    assert (odd.asked, odd.model.state) == (ODD, "not running here")
    with pytest.raises(InvalidInput):
        await inspect_memory(settings, LATER, user_id="\ud800")


async def test_where_there_is_no_memory_none_is_made(tmp_path: Path) -> None:
    assert await inspect_memory(settings_of(tmp_path / "not" / "there"), LATER) is None
    assert os.listdir(tmp_path) == []


async def test_inspecting_changes_nothing(tmp_path: Path) -> None:
    await (await filled(tmp_path)).close()
    before = (tmp_path / "memory.db").read_bytes()
    assert await inspect_memory(settings_of(tmp_path), LATER + timedelta(days=400))
    assert (tmp_path / "memory.db").read_bytes() == before


@pytest.mark.parametrize(
    "content", [b"this is no database " * 100, b"SQLite format 3\0" + b"x" * 99]
)
async def test_what_is_no_database_is_said_to_be_none(tmp_path: Path, content: bytes) -> None:
    (tmp_path / "memory.db").write_bytes(content)
    with pytest.raises(StorageError, match="damaged or no database"):
        await inspect_memory(settings_of(tmp_path), LATER)
    assert (tmp_path / "memory.db").read_bytes() == content


async def test_a_memory_of_an_older_version_is_left_for_a_server_to_bring_up_to_date(
    tmp_path: Path,
) -> None:
    await (await filled(tmp_path)).close()
    connection = apsw.Connection(str(tmp_path / "memory.db"))
    connection.pragma("user_version", 1)
    connection.close()
    with pytest.raises(StorageError, match="older version"):
        await inspect_memory(settings_of(tmp_path), LATER)


def test_the_age_of_a_process_grows() -> None:
    first = process_status()
    while process_status().age <= first.age:
        pass
    assert process_status().pid == os.getpid()


# --- of an open memory


async def test_an_open_memory_tells_what_it_asked_its_model_today(
    opened: OpenMemory, clock: Clock
) -> None:
    with StubLLM() as stub:
        async with opened(openai_base_url=stub.base_url, short_term_capacity=1) as memory:
            before = await memory.status()
            for number in range(3):
                await memory.add_memory(f"I moved to Lisbon {number}.", "Noted.")
            await memory.consolidate()
            after = await memory.status(user_id="default_user")
            clock.advance(timedelta(days=1))
            next_day = await memory.status()
    assert (before.model.state, before.model.today) == ("not asked yet", ())
    assert after.model.state == "answered"
    assert sum(spent.calls for spent in after.model.today) == len(stub.calls)
    assert sum(spent.prompt_tokens for spent in after.model.today) == stub.prompt_tokens
    assert after.embedder.state == "ready" and after.embedder.in_use
    assert (after.counts, after.queue.jobs) == (after.scope_counts, ())
    assert (after.counts.segment_pages, after.counts.short_term_pages) == (2, 1)
    assert next_day.model.today == ()


async def test_an_open_memory_tells_why_its_model_failed(opened: OpenMemory) -> None:
    with StubLLM(behaviour="unauthorized") as stub:
        async with opened(openai_base_url=stub.base_url, short_term_capacity=1) as memory:
            for number in range(3):
                await memory.add_memory(f"I moved to Lisbon {number}.", "Noted.")
            await memory.consolidate()
            status = await memory.status()
    (job,) = status.queue.jobs
    assert (job.kind, job.state, job.attempts) == ("place", JobState.WAITING, 1)
    assert "401" in job.last_error
    assert status.model.state == f"failed: {job.last_error}"


async def test_an_open_memory_without_an_embedding_model_says_so(opened: OpenMemory) -> None:
    failing = WordsEmbedder(failure=EmbedderError("模型在哪里？"))
    async with opened(embedder=failing) as memory:
        await memory.consolidate()
        status = await memory.status()
    assert status.embedder.state == "failed: 模型在哪里？"
