"""All English rules. Clauses come to them normalised (see clauses.py)."""

import re
from functools import cache

from memory_core.heuristic import rules
from memory_core.heuristic.english import (
    belongings,
    cuts,
    identity,
    leaving,
    life,
    objects,
    relationships,
    wishes,
    work,
)
from memory_core.heuristic.english.forms import END, X
from memory_core.heuristic.rules import Rule, Shape
from memory_core.records import About


@cache
def user_rules() -> tuple[Rule, ...]:
    """Rules for what the user says of themselves, the more particular ones first."""
    groups = (
        wishes.standing,
        identity.identity,
        life.changes,
        leaving.leaving,
        life.health,
        work.work,
        relationships.relationships,
        wishes.preferences,
        wishes.goals,
        belongings.belongings,
    )
    return tuple(rule for group in groups for rule in group())


@cache
def assistant_rules() -> tuple[Rule, ...]:
    """Rules for what the assistant says of itself: its name, its promises, its advice."""

    def rule(form: str, text: str, shape: Shape, attribute: str = "") -> Rule:
        return Rule(
            re.compile(form, re.IGNORECASE),
            text,
            rules.OTHER,
            shape,
            attribute,
            about=About.ASSISTANT,
            confidence=rules.LOW_CONFIDENCE,
        )

    return (
        rule(rf"my name is {X}", "The assistant's name is {x}.", objects.name, "name"),
        rule(
            rf"(?:i am|you can call me) (?P<x>{objects.CAPITAL})(?=$|[.!,])",
            "The assistant is called {x}.",
            objects.name,
            "name",
        ),
        rule(
            r"i am your (?P<x>[\w' -]{3,40})" + END,
            "The assistant is the user's {x}.",
            _assistant_thing,
            "role",
        ),
        rule(
            rf"i will (?P<v>remind|remember|keep|send|check|notify|alert|update) {X}",
            "The assistant promised to {v} {x}.",
            _assistant_thing,
        ),
        rule(
            rf"i (?:would )?(?:highly |strongly |also )?(?:recommend|suggest) (?:that )?you {X}",
            "The assistant suggested that the user {x}.",
            _assistant_thing,
        ),
        rule(
            rf"i (?:would )?(?:highly |strongly |also )?(?P<v>recommend|suggest) {X}",
            "The assistant suggested {x}.",
            _assistant_thing,
        ),
    )


def _assistant_thing(raw: str) -> list[str]:
    found = re.sub(r"\byour\b", "the user's", cuts.cut(raw, at_comma=False), flags=re.IGNORECASE)
    found = re.sub(r"\byou\b", "the user", found, flags=re.IGNORECASE)
    return [] if len(found) < 3 or cuts.is_pointer(found) else [cuts.third_person(found)]
