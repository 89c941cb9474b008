"""A memory with something of everything, and ways to damage it."""

import random
from datetime import timedelta
from pathlib import Path

import apsw
import numpy as np

from memory_core.records import About, Kind, PageDraft, ProfileLine, Scope
from memory_core.store import facts, pages, profiles
from memory_core.store.rows import scope_key, select
from memory_core.store.schema import migrate
from memory_core.store.segments import mark_digested
from memory_core.store.transactions import transaction
from memory_core.store.transitions import write_placement
from memory_core.store.vectors import set_vectors
from tests.store.filled import LATER, NOW, UNBOUNDED, placement, statement

PAGE_SIZE = 4096
OWNERS = (Scope(user_id="ana", assistant_id="a"), Scope(user_id="语", assistant_id="b"))
TOPIC = 6
"""Pages of one."""


def fill(path: Path, turns: int) -> None:
    """Make a file of so many turns, most of them placed and digested; some are long."""
    chance = random.Random(5)
    connection = apsw.Connection(str(path))
    connection.pragma("journal_mode", "wal")
    connection.pragma("foreign_keys", "ON")
    migrate(connection)
    with transaction(connection, "BEGIN IMMEDIATE"):
        keys = [_add(connection, number, chance) for number in range(turns)]
        for scope in (1, 2):
            own = [key for key, owner in keys if owner == scope]
            for start in range(0, len(own) - 2 * TOPIC, TOPIC):
                _consolidate(connection, scope, own[start : start + TOPIC])
    connection.close()


def _add(connection: apsw.Connection, number: int, chance: random.Random) -> tuple[int, int]:
    owner = OWNERS[number % 3 == 0]
    text = f"turn{number} 我喜欢爬山 😀 " + "word " * chance.choice([3, 30, 30, 200, 2000])
    at = NOW + timedelta(minutes=number)
    draft = PageDraft(user_input=text, agent_response=f"answer{number}", at=at)
    id = pages.add_page(connection, owner, draft, LATER, 7).id
    ((key,),) = select(connection, "SELECT key FROM memory WHERE id = ?", (id,))
    scope = scope_key(connection, owner)
    set_vectors(connection, key, Kind.PAGE, scope, "model", _vectors(number))
    return key, scope


def _consolidate(connection: apsw.Connection, scope: int, keys: list[int]) -> None:
    vector = _vectors(keys[0])[0]
    plan = placement(*keys, title=f"topic {keys[0]}")
    key = write_placement(connection, scope, plan, "heuristic", LATER, "model", vector, **UNBOUNDED)
    if keys[0] % 5 == 0:
        return
    mark_digested(connection, [key], keys, "heuristic")
    for page in keys[:2]:
        draft = statement(f"fact of {page}", NOW + timedelta(minutes=page), source_keys=(page,))
        home = statement(f"home {page}", NOW, attribute="home", source_keys=(page,))
        for each in (draft, home):
            facts.add_fact(connection, scope, each, "heuristic", LATER)
    line = ProfileLine(section="Life", text=f"line {key}", at=NOW, confidence=1.0, source_ids=())
    profiles.add_profile(connection, scope, (line,), "heuristic", LATER)
    facts.retire_facts(connection, scope, About.USER, 100, LATER)


def _vectors(number: int) -> np.ndarray[tuple[int, ...], np.dtype[np.float32]]:
    made = np.random.default_rng(number).normal(size=(1, 96)).astype(np.float32)
    return made / np.linalg.norm(made)


def turns_in(path: Path) -> dict[int, tuple[str, str, str]]:
    """Key, id and both sides of every turn that another program can still read, one by one."""
    connection = apsw.Connection(str(path), flags=apsw.SQLITE_OPEN_READONLY)
    found = {}
    try:
        newest = 5_000
        for key in range(1, newest):
            row = _turn(connection, key)
            if row is not None:
                found[key] = row
    finally:
        connection.close()
    return found


def _turn(connection: apsw.Connection, key: int) -> tuple[str, str, str] | None:
    sql = "SELECT coalesce((SELECT id FROM memory WHERE key = ?1), ''), user_input, agent_response"
    try:
        rows = select(connection, f"{sql} FROM page WHERE key = ?1", (key,))
    except (apsw.CorruptError, apsw.NotADBError, UnicodeDecodeError):
        return None
    return rows[0] if rows else None


def spoil(path: Path, page: int, noise: random.Random | None) -> None:
    """Overwrite a page, by its number from 0, with zeros or noise."""
    with path.open("r+b") as file:
        file.seek(page * PAGE_SIZE)
        file.write(noise.randbytes(PAGE_SIZE) if noise else bytes(PAGE_SIZE))
