"""Long-term memory decides: what a digest may write, and in what words a profile is read."""

from collections.abc import Iterable, Mapping, Sequence

import numpy as np

from memory_core.backends.embedder import Vectors
from memory_core.records import Fact, FactDraft, Page

AT_ONCE = frozenset({"identity", "work", "health", "standing instructions"})
"""Sections that a memory must not be without, not even until a segment is hot."""

KNOWN_SHOWN = 30
PAGES_PER_DIGEST = 20
PAGES_PER_QUESTION = 10


def is_news(plain: Iterable[FactDraft], known: Iterable[Fact]) -> bool:
    """Whether plainly stated facts tell what long-term memory must know at once.

    That is: who the user is, their work and health, their standing instructions, and whatever has
    one value only and is held otherwise.
    """
    facts = list(known)
    said = {fact.text for fact in facts}
    held = {(fact.about, fact.attribute) for fact in facts if fact.attribute}
    return any(
        draft.section in AT_ONCE or (draft.about, draft.attribute) in held
        for draft in plain
        if draft.text not in said
    )


def batches(pages: Sequence[Page], size: int = PAGES_PER_QUESTION) -> list[tuple[Page, ...]]:
    """Pages in runs for one question each."""
    return [tuple(pages[start : start + size]) for start in range(0, len(pages), size)]


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
