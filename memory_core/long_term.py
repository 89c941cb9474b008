"""Long-term memory decides: what a digest may write, and in what words a profile is read."""

import re
from collections.abc import Iterable, Mapping, Sequence, Set

import numpy as np

from memory_core.backends.embedder import Vectors
from memory_core.prompts.profile import STANDING, shown_length
from memory_core.records import About, Fact, FactDraft, Page, ProfileLine
from memory_core.text import query_terms

AT_ONCE = frozenset({"identity", "work", "health", "standing instructions"})
"""Sections that a memory must not be without, not even until a segment is hot."""

# Of the words of the shorter statement, from which share two statements say the same.
SAME_WORDS = 0.6
FEWEST_WORDS = 2
# "Answer in English" and "answer in Chinese" share most of theirs.
SAME_INSTRUCTION = 0.9
ROLE_PLAY = re.compile(r"\brole[- ]?play|\bpretend\b|角色扮演|扮演|ロールプレイ", re.I)
ANSWER_LANGUAGE = re.compile(
    r"\b(?:answer|reply|respond|speak|write)\w*\b.*\bin\b|用\S{1,6}(?:回答|回复|交流)|語で", re.I
)
ENDING = re.compile(r"(?<=[a-z]{3})(?:ing|ed|es|s)$")

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


def with_standing(
    lines: Sequence[ProfileLine], plain: Iterable[FactDraft], pages: Sequence[Page]
) -> tuple[ProfileLine, ...]:
    """A profile with the standing instructions that are plainly stated, whatever a model forgot.

    Of two about the language of answers the newer one stands. What is said in role play is no
    instruction of the user's, which rules cannot tell.

    Args:
        plain: what rules read in these pages.
    """
    if any(ROLE_PLAY.search(page.user_input) for page in pages):
        return tuple(lines)
    ids = {page.key: page.id for page in pages}
    result = list(lines)
    for draft in plain:
        if draft.about is not About.USER or draft.section != STANDING:
            continue
        there = [line for line in result if line.section == STANDING]
        if any(say_the_same(draft.text, line.text, SAME_INSTRUCTION) for line in there):
            continue
        if ANSWER_LANGUAGE.search(draft.text):
            for line in there:
                if line.at <= draft.at and ANSWER_LANGUAGE.search(line.text):
                    result.remove(line)
        result.append(
            ProfileLine(
                section=STANDING,
                text=draft.text,
                at=draft.at,
                confidence=draft.confidence,
                source_ids=tuple(ids[key] for key in draft.source_keys if key in ids),
            )
        )
    return tuple(result)


def say_the_same(one: str, other: str, share: float = SAME_WORDS) -> bool:
    """Whether two statements share most of the words of the shorter one."""
    left, right = _words(one), _words(other)
    fewer = min(len(left), len(right))
    return fewer >= FEWEST_WORDS and len(left & right) >= share * fewer


def _words(text: str) -> Set[str]:
    # "lives" and "lived" are one word here; what else is cut off does no harm.
    return frozenset(ENDING.sub("", term) for term in query_terms(text))


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
