"""What a status looks like, as data and as lines."""

import json
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest

from memory_core import JobState, ProcessStatus, Status
from memory_core.records import Scope
from memory_core.status_records import IndexStatus, ModelStatus
from server.status import MOST_JOBS, status_reply, unopened_reply
from server.status_text import status_text
from tests.server.stand_in import NOON, counts, job, status


def lines(made: Status) -> list[str]:
    return status_text(status_reply(made)).splitlines()


def line(made: Status, start: str) -> str:
    (found,) = [line for line in lines(made) if line.startswith(start)]
    return found


def data(made: Status) -> dict[str, Any]:
    """As a client gets it: what is not known is left out."""
    return status_reply(made).model_dump(mode="json", exclude_unset=True)


def test_everything_is_in_the_text() -> None:
    assert lines(status()) == [
        "Memstrata 1.2.3, data in /data/of/ana",
        "Process 11, 2 h old, 98.7 MB resident",
        "Database: 1.2 MB, SQLite 3.60.1, journal wal",
        "Users: 2, with 3 scopes",
        "Memory: 15 turns: 5 short-term, 1 waiting, 9 in 2 topics (and 0 retired); facts: 4 about "
        "users (and 1 superseded), 0 about assistants (and 0 superseded); 1 profiles",
        "Jobs: 0 running, 0 due, 0 waiting, 0 parked; 6 memories without a vector",
        "Not read of turns, as no news of anybody: code 3 times",
        "Not taken of the model's answers: no source 2 times",
        "Vector index: open, held by process 12 of this server, 40 of 100 vectors taken in",
        "Embedding model: bundled, ready; b/1 (in use): 20 memories; 模型: 3 memories",
        "Language model: gpt, answered; today 3 calls (facts 2, topics 1), 40 + 5 tokens",
    ]


def test_everything_is_in_the_data() -> None:
    told = data(status(warnings=("Make room.",)))
    assert told["process"] == {"pid": 11, "age_seconds": 7300.0, "rss_bytes": 98_700_000}
    assert told["counts"] == {
        "users": 2,
        "scopes": 3,
        "short_term_pages": 5,
        "waiting_pages": 1,
        "topics": 2,
        "topics_retired": 0,
        "topic_pages": 9,
        "user_facts": 4,
        "user_facts_superseded": 1,
        "user_facts_retired": 0,
        "assistant_facts": 0,
        "assistant_facts_superseded": 0,
        "assistant_facts_retired": 0,
        "profiles": 1,
        "profile_versions": 3,
    }
    assert told["index"] == {
        "state": "open",
        "owner_pid": 12,
        "owned_here": True,
        "rows": 100,
        "rows_taken_in": 40,
    }
    assert told["language_model"]["today_by_kind"]["facts"] == {
        "calls": 2,
        "prompt_tokens": 30,
        "completion_tokens": 4,
    }
    assert told["embedder"]["memories_with_vectors"] == {"b/1": 20, "模型": 3}
    assert told["warnings"] == ["Make room."]


def test_jobs_say_whose_they_are_who_is_at_them_and_when_they_are_tried() -> None:
    shown = status(
        job(state=JobState.RUNNING, attempts=0, last_error="", holder_pid=4711),
        job(
            state=JobState.WAITING,
            attempts=2,
            not_before=NOON + timedelta(seconds=90.5),
            user_id="李雷",
        ),
    )
    assert line(shown, "Jobs:").startswith("Jobs: 1 running, 0 due, 1 waiting, 0 parked")
    assert line(shown, "- place running") == (
        '- place running: user "ana" with "ada", process 4711'
    )
    assert line(shown, "- place waiting") == (
        '- place waiting: user "李雷" with "ada", not before 2024-05-31T12:01:30Z, failed 2 times: '
        "The endpoint answered 401."
    )


def test_failed_jobs_are_shown_before_the_many_that_are_only_due() -> None:
    due = [job(state=JobState.DUE, attempts=0, last_error="")] * (2 * MOST_JOBS)
    told = data(status(*due, job()))["queue"]
    assert (told["due"], told["parked"], len(told["jobs"])) == (2 * MOST_JOBS, 1, MOST_JOBS)
    assert told["jobs"][0]["state"] == "parked"
    assert told["jobs_left_out"] == MOST_JOBS + 1
    assert line(status(*due), "- and") == f"- and {MOST_JOBS} more"


@pytest.mark.parametrize(
    "odd",
    ["a\nWarning: all is lost", "\x1b[2J\x07", "李雷 👩‍👩‍👧", "x" * 10_000, "", "\u2028\u202e"],
)
def test_a_name_cannot_look_like_a_line_of_ours(odd: str) -> None:
    made = status(job(user_id=odd, last_error=odd), warnings=(odd,))
    made = replace(
        made, asked=Scope(user_id=odd, assistant_id=odd), scope_counts=counts(), data_directory=odd
    )
    assert len(lines(made)) == len(lines(status(job(), warnings=("x",)))) + 1
    assert all(each.replace("\u200d", "").isprintable() for each in lines(made))
    assert len(line(made, "- place")) < 600
    json.dumps(data(made), ensure_ascii=False).encode()


def test_a_name_in_any_script_is_shown_as_it_is() -> None:
    shown = line(status(job(user_id="李雷 👩‍👩‍👧 ひらがな عربي")), "- place")
    assert "李雷 👩‍👩‍👧 ひらがな عربي" in shown


def test_a_path_that_is_no_text_can_be_carried() -> None:
    reply = unopened_reply(Path("/data/\udcff"), ProcessStatus(pid=1, age=3.0, rss=5), "Why.")
    assert reply.data_directory == "/data/\ufffd"
    assert status_text(reply).splitlines()[1:] == ["Process 1, 3 s old, 0.0 MB resident", "Why."]
    assert reply.model_dump(exclude_unset=True).keys() == {
        "version",
        "data_directory",
        "problem",
        "process",
    }


def test_an_index_that_others_hold_says_so() -> None:
    index = IndexStatus(state="not owned", owner_pid=9, mine=False, rows=None, taken_in=None)
    shown = status(index=index)
    assert line(shown, "Vector index") == (
        "Vector index: not owned, held by process 9 of another server"
    )
    assert "rows" not in data(shown)["index"]


def test_without_a_language_model_the_text_says_none() -> None:
    shown = status(model=ModelStatus(name=None, state="off", today=()))
    assert line(shown, "Language model") == "Language model: none; today 0 calls, 0 + 0 tokens"


@pytest.mark.parametrize(
    ("seconds", "shown"), [(0.2, "0 s"), (59, "59 s"), (90, "2 min"), (7_000, "2 h"), (9e5, "10 d")]
)
def test_an_age_is_shown_in_one_unit(seconds: float, shown: str) -> None:
    made = status(process=ProcessStatus(pid=1, age=seconds, rss=1))
    assert f", {shown} old" in line(made, "Process")
