"""Long-term memory decides: what a digest may write, and in what words a profile is read."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from memory_core.backends.embedder import Vectors
from memory_core.prompts.profile import shown_length
from memory_core.records import Fact, FactDraft, Page

AT_ONCE = frozenset({"identity", "work", "health", "standing instructions"})
"""Sections that a memory must not be without, not even until a segment is hot."""

KNOWN_SHOWN = 30
# A profile is short and asked about many pages at once, as long as they fit a small model.
PROFILE_BATCHES = 4
PROFILE_CHARACTERS = 16_000


def is_news(
    plain: Iterable[FactDraft], known: Iterable[Fact], foreseen: Iterable[FactDraft] = ()
) -> bool:
    """Whether plainly stated facts tell what long-term memory must know at once.

    That is: who the user is, their work and health, their standing instructions, and whatever has
    one value only and is held otherwise.

    Args:
        known: current facts; foreseen: plainly stated by earlier pages that are not digested yet.
    """
    facts: list[Fact | FactDraft] = [*known, *foreseen]
    said = {fact.text for fact in facts}
    held = {(fact.about, fact.attribute) for fact in facts if fact.attribute}
    return any(
        draft.section in AT_ONCE or (draft.about, draft.attribute) in held
        for draft in plain
        if draft.text not in said
    )


def profile_batches(pages: Sequence[Page], most: int) -> list[tuple[Page, ...]]:
    """Pages in runs for one question about the profile each: at most so many, and not too long."""
    runs: list[list[Page]] = []
    room = 0
    for page in pages:
        length = shown_length(page)
        if not runs or len(runs[-1]) == most or length > room:
            runs.append([])
            room = PROFILE_CHARACTERS
        runs[-1].append(page)
        room -= length
    return [tuple(run) for run in runs]


def known_nearby(
    facts: Sequence[Fact],
    fact_vectors: Mapping[int, Vectors],
    page_vectors: Mapping[int, Vectors],
    limit: int = KNOWN_SHOWN,
) -> tuple[Fact, ...]:
    """The known facts that these pages are most likely to repeat or change.

    Those nearest to any of the pages; without vectors the newest.
    """
    if len(facts) <= limit:
        return tuple(facts)
    if not page_vectors:
        return tuple(facts[-limit:])
    pages = np.stack(list(page_vectors.values()))

    def nearness(fact: Fact) -> float:
        vector = fact_vectors.get(fact.key)
        return -1.0 if vector is None else float(np.max(pages @ vector))

    return tuple(sorted(facts, key=nearness, reverse=True)[:limit])
