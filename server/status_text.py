"""The status as lines, for a person at a terminal and for a model."""

from collections.abc import Iterator
from typing import Any

from memory_core import JobState
from server.status import StatusReply

MEGABYTE = 1_000_000
# Emoji and some scripts are written with them.
JOINERS = "\N{ZERO WIDTH JOINER}\N{ZERO WIDTH NON-JOINER}"
REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
UNITS = ((86_400, "d"), (3_600, "h"), (60, "min"))


def status_text(reply: StatusReply) -> str:
    """The same in some lines for a person, or a model."""
    return "\n".join(_lines(reply))


def _lines(reply: StatusReply) -> Iterator[str]:
    process = reply.process
    yield f"Memstrata {reply.version}, data in {one_line(reply.data_directory)}"
    yield (
        f"Process {process['pid']}, {_age(process['age_seconds'])} old, "
        f"{_megabytes(process['rss_bytes'])} resident"
    )
    if reply.problem:
        yield one_line(reply.problem)
        return
    database = reply.database
    yield (
        f"Database: {_megabytes(database['bytes'])}, SQLite {database['sqlite_version']}, "
        f"journal {database['journal_mode']}"
    )
    everybody = reply.counts
    yield f"Users: {everybody['users']}, with {everybody['scopes']} scopes"
    yield f"Memory: {_counts_line(everybody)}"
    if reply.scope:
        yield f"{_whose(reply.scope)}: {_counts_line(reply.scope)}"
    yield from _queue_lines(reply.queue)
    yield from _refused_lines(reply.refused)
    yield f"Vector index: {_index_line(reply.index)}"
    yield f"Embedding model: {_embedder_line(reply.embedder)}"
    yield f"Language model: {_model_line(reply.language_model)}"
    for warning in reply.warnings:
        yield f"Warning: {one_line(warning)}"


def _counts_line(counts: dict[str, Any]) -> str:
    turns = counts["short_term_pages"] + counts["waiting_pages"] + counts["topic_pages"]
    return (
        f"{turns} turns: {counts['short_term_pages']} short-term, {counts['waiting_pages']} "
        f"waiting, {counts['topic_pages']} in {counts['topics']} topics (and "
        f"{counts['topics_retired']} retired); facts: {counts['user_facts']} about users (and "
        f"{counts['user_facts_superseded']} superseded), {counts['assistant_facts']} about "
        f"assistants (and {counts['assistant_facts_superseded']} superseded); "
        f"{counts['profiles']} profiles"
    )


def _queue_lines(queue: dict[str, Any]) -> Iterator[str]:
    states = ", ".join(f"{queue[state]} {state}" for state in JobState)
    yield f"Jobs: {states}; {queue['without_vectors']} memories without a vector"
    for job in queue["jobs"]:
        parts = [f"- {job['kind']} {job['state']}: {_whose(job)}"]
        if "holder_pid" in job:
            parts.append(f"process {job['holder_pid']}")
        if "not_before" in job:
            parts.append(f"not before {job['not_before'][:19]}Z")
        if job["failed_attempts"]:
            parts.append(f"failed {job['failed_attempts']} times: {one_line(job['last_error'])}")
        yield ", ".join(parts)
    if queue["jobs_left_out"]:
        yield f"- and {queue['jobs_left_out']} more"


def _refused_lines(refused: list[dict[str, Any]]) -> Iterator[str]:
    turns = [one for one in refused if one["side"] != "model"]
    items = [one for one in refused if one["side"] == "model"]
    if turns:
        yield f"Not read of turns, as no news of anybody: {_reasons(turns)}"
    if items:
        yield f"Not taken of the model's answers: {_reasons(items)}"


def _reasons(refused: list[dict[str, Any]]) -> str:
    return ", ".join(f"{one['reason']} {one['count']} times" for one in refused)


def _index_line(index: dict[str, Any]) -> str:
    parts = [one_line(index["state"])]
    if "owner_pid" in index:
        whose = "of this server" if index["owned_here"] else "of another server"
        parts.append(f"held by process {index['owner_pid']} {whose}")
    if "rows" in index:
        parts.append(f"{index['rows_taken_in']} of {index['rows']} vectors taken in")
    return ", ".join(parts)


def _embedder_line(embedder: dict[str, Any]) -> str:
    parts = [f"{one_line(embedder['configured'])}, {one_line(embedder['state'])}"]
    for name, memories in embedder["memories_with_vectors"].items():
        in_use = " (in use)" if name == embedder["in_use"] else ""
        parts.append(f"{one_line(name)}{in_use}: {memories} memories")
    return "; ".join(parts)


def _model_line(model: dict[str, Any]) -> str:
    name = f"{one_line(model['name'])}, {one_line(model['state'])}" if model["name"] else "none"
    kinds = ", ".join(f"{kind} {of['calls']}" for kind, of in model["today_by_kind"].items())
    calls = f"{model['calls_today']} calls" + (f" ({kinds})" if kinds else "")
    return (
        f"{name}; today {calls}, {model['prompt_tokens_today']} + "
        f"{model['completion_tokens_today']} tokens"
    )


def _whose(names: dict[str, Any]) -> str:
    return f'user "{one_line(names["user_id"])}" with "{one_line(names["assistant_id"])}"'


def _age(seconds: float) -> str:
    for length, unit in UNITS:
        if seconds >= length:
            return f"{seconds / length:.0f} {unit}"
    return f"{seconds:.0f} s"


def _megabytes(size: int) -> str:
    return f"{size / MEGABYTE:.1f} MB"


def one_line(text: str) -> str:
    """What a user or an error says cannot look like a line of ours, or move a terminal's cursor."""
    plain = " ".join(text.split())
    return "".join(c if c.isprintable() or c in JOINERS else REPLACEMENT for c in plain)
