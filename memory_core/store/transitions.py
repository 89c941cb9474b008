"""The two steps of the walk short -> mid -> long, each one transaction."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import datetime

import apsw
import numpy as np

from memory_core.backends.embedder import Vectors
from memory_core.heuristic import profile_lines
from memory_core.junk import Refusal
from memory_core.records import About, FactDraft, Kind, Profile, ProfileLine, Segment
from memory_core.store import facts, profiles, refused, segments
from memory_core.store.segments import Placement, StalePlan
from memory_core.store.vectors import drop_vectors, set_vectors


@dataclass(frozen=True, slots=True, kw_only=True)
class Digest:
    """What was distilled from undigested pages of hot segments.

    segment_keys: segments that have nothing undigested left.
    profile: the revised lines, or None to arrange the current facts instead; based_on: the
    version that was revised; refused: what was not read of the pages, or not taken of an answer.
    """

    segment_keys: tuple[int, ...]
    page_keys: tuple[int, ...]
    facts: tuple[FactDraft, ...]
    profile: tuple[ProfileLine, ...] | None
    based_on: Profile | None
    refused: tuple[Refusal, ...] = ()


def write_placement(
    connection: apsw.Connection,
    scope: int,
    plan: Placement,
    made_by: str,
    now: datetime,
    model: str | None,
    vector: Vectors | None,
    *,
    capacity: int,
    coldest: Callable[[Sequence[Segment]], Sequence[int]],
) -> int:
    """Move pages into a segment together with the segment's new vector; return its key.

    Args:
        coldest: of the live segments those that leave when there are more than `capacity`.
    """
    key = segments.apply_placement(connection, scope, plan, made_by, now)
    if segments.count_live(connection, scope) > capacity:
        live = segments.live_segments(connection, (scope,))
        segments.retire_segments(connection, coldest(live), now)
    # Those of other models say what the segment was before.
    drop_vectors(connection, key)
    if model is not None and vector is not None:
        set_vectors(connection, key, Kind.SEGMENT, scope, model, vector[np.newaxis])
    return key


def write_digest(
    connection: apsw.Connection,
    scope: int,
    digest: Digest,
    made_by: str,
    now: datetime,
    capacity: int,
) -> None:
    """Store facts and the next profile, and mark their pages done.

    Raises:
        StalePlan: the pages or the profile were digested by another process meanwhile.
    """
    if profiles.latest_profile(connection, (scope,)) != digest.based_on:
        raise StalePlan
    segments.mark_digested(connection, digest.segment_keys, digest.page_keys, made_by)
    refused.record(connection, scope, digest.page_keys, digest.refused)
    for draft in digest.facts:
        facts.add_fact(connection, scope, draft, made_by, now)
    for about in About:
        facts.retire_facts(connection, scope, about, capacity, now)
    lines: Sequence[ProfileLine] | None = digest.profile
    if lines is None:
        lines = profile_lines(facts.current_facts(connection, (scope,), About.USER))
    if lines:
        profiles.add_profile(connection, scope, lines, made_by, now)
