"""What a reader sees of a scope in one snapshot, so that no page is in two tiers or in none."""

import apsw

from memory_core.records import About, Fact, FailedJob, Page, Profile, Scope
from memory_core.store.facts import current_facts
from memory_core.store.jobs import failures
from memory_core.store.pages import count_unplaced, window
from memory_core.store.profiles import latest_profile
from memory_core.store.rows import find_scopes


def read_tiers(
    connection: apsw.Connection, scope: Scope, capacity: int
) -> tuple[tuple[Page, ...], Profile | None, int, tuple[FailedJob, ...]]:
    """The window, the profile, how many pages wait, and what failed."""
    keys = find_scopes(connection, [scope])
    waiting = count_unplaced(connection, keys)
    return (
        window(connection, keys, capacity),
        latest_profile(connection, keys),
        max(0, waiting - capacity),
        failures(connection, keys),
    )


def read_known(
    connection: apsw.Connection, scope: Scope, capacity: int
) -> tuple[Profile | None, dict[About, tuple[Fact, ...]], int, tuple[FailedJob, ...]]:
    """The profile, the current facts about each side, how many pages wait, and what failed."""
    _, profile, waiting, failed = read_tiers(connection, scope, capacity)
    keys = find_scopes(connection, [scope])
    facts = {about: current_facts(connection, keys, about) for about in About}
    return profile, facts, waiting, failed
