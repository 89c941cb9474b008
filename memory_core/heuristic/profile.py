"""The profile as an arrangement of the current facts about the user."""

from collections.abc import Sequence

from memory_core.heuristic import rules
from memory_core.records import About, Fact, ProfileLine

SECTIONS = (
    *(rules.STANDING, rules.IDENTITY, rules.STYLE, rules.PREFERENCES, rules.GOALS),
    *(rules.RELATIONSHIPS, rules.WORK, rules.HEALTH, rules.OTHER),
)
KEPT_FIRST = frozenset((rules.STANDING, rules.IDENTITY, rules.HEALTH))
"""Sections whose facts stay when there are too many lines."""

MOST_LINES = 40


def profile_lines(facts: Sequence[Fact], most: int = MOST_LINES) -> tuple[ProfileLine, ...]:
    """One line for each current fact about the user, by section, newest first within a section.

    Standing instructions come first, unknown sections are "other". Of more than `most` facts the
    pinned ones stay, then instructions, identity and health, then the newest.
    """
    current = [fact for fact in facts if fact.about is About.USER and fact.superseded_by is None]
    current.sort(key=lambda fact: (fact.at, fact.key), reverse=True)
    current.sort(key=lambda fact: (not fact.pinned, _section(fact) not in KEPT_FIRST))
    kept = sorted(current[:most], key=lambda fact: (fact.at, fact.key), reverse=True)
    kept.sort(key=lambda fact: SECTIONS.index(_section(fact)))
    return tuple(
        ProfileLine(
            section=_section(fact),
            text=fact.text,
            at=fact.at,
            confidence=fact.confidence,
            source_ids=fact.source_ids,
        )
        for fact in kept
    )


def _section(fact: Fact) -> str:
    return fact.section if fact.section in SECTIONS else rules.OTHER
