"""What a rule is: a form of clause, and the statement that it makes.

A rule reads one clause from its beginning, so "my friend says I live in ..." never looks like
"I live in ...". A clause that fits no rule says nothing: a missing fact is better than a wrong one.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from memory_core.records import About

CONFIDENCE = 0.6
"""Confidence in a plainly stated fact that a rule has read."""

LOW_CONFIDENCE = 0.5

IDENTITY = "identity"
PREFERENCES = "preferences"
GOALS = "goals"
RELATIONSHIPS = "relationships"
WORK = "work"
HEALTH = "health"
STYLE = "communication style"
STANDING = "standing instructions"
OTHER = "other"

STATUS = "relationship status"
"""The attribute of being single, married, parted and the like."""

Shape = Callable[[str], Sequence[str]]
"""From the raw object of a clause to what may be said of it: each a statement; none: refused."""

Besides = tuple[str, str] | tuple[str, str, str]


@dataclass(frozen=True, slots=True)
class Finding:
    """A statement that one clause makes, before it has a time and a source."""

    text: str
    section: str
    attribute: str = ""
    about: About = About.USER
    confidence: float = CONFIDENCE
    ended: str = ""
    """What is over, when that is all that is said: what came before it about others stands."""


@dataclass(frozen=True, slots=True)
class Rule:
    """A form of clause.

    pattern: matched at the beginning; its group "x" is the object, other groups are taken as said.
    text, attribute: templates with the groups in braces, and {key}, the object as `key` makes it.
    ends: the clause says that something is over, but not what is so now.
    besides: templates of a text and its attribute, which the clause states as well, and what of
        that attribute is over, where that is all it says.
    """

    pattern: re.Pattern[str]
    text: str
    section: str
    shape: Shape
    attribute: str = ""
    key: Callable[[str], str] = str.casefold
    about: About = About.USER
    confidence: float = CONFIDENCE
    ends: bool = False
    besides: Besides | None = None


def findings(clause: str, rules: Iterable[Rule]) -> Iterator[Finding]:
    """What the first rule that fits and does not refuse its object reads in a clause."""
    for rule in rules:
        match = rule.pattern.match(clause)
        if match is None:
            continue
        things = _things(rule, match)
        found = [_finding(rule, match, thing) for thing in things]
        if found:
            yield from found
            if rule.besides:
                text, attribute, *ended = rule.besides
                also = _finding(replace(rule, text=text, attribute=attribute), match, things[0])
                yield replace(also, ended=ended[0]) if ended else also
            return


def _things(rule: Rule, match: re.Match[str]) -> Sequence[str]:
    return rule.shape(match["x"] or "") if "x" in rule.pattern.groupindex else ("",)


def _finding(rule: Rule, match: re.Match[str], thing: str) -> Finding:
    said = {name: value or "" for name, value in match.groupdict().items()}
    said |= {"x": thing, "key": rule.key(thing)}
    return Finding(
        text=rule.text.format_map(said),
        section=rule.section,
        attribute=rule.attribute.format_map(said).casefold(),
        about=rule.about,
        confidence=rule.confidence,
        ended=thing if rule.ends else "",
    )
