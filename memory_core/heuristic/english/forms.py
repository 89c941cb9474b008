"""What the English rules are written with."""

import re
from collections.abc import Callable

from memory_core.heuristic.english import objects
from memory_core.heuristic.rules import Besides, Rule, Shape

X = r"(?P<x>.+)"
END = (
    "(?=$|[.!,;]| (?:and|but|so|because|now|too|last|this|for|since|in|with|when|who|which|at|"
    "again|completely"
    r"|a (?:year|month|week|while|few|long)|\w+ (?:years?|months?|weeks?|days?) ago)\b)"
)


def a_rule(
    section: str,
    form: str,
    text: str,
    shape: Shape = objects.thing,
    attribute: str = "",
    key: Callable[[str], str] = str.casefold,
    *,
    ends: bool = False,
    besides: Besides | None = None,
) -> Rule:
    pattern = re.compile(form, re.IGNORECASE)
    return Rule(pattern, text, section, shape, attribute, key, ends=ends, besides=besides)


def word(raw: str) -> list[str]:
    found = raw.strip(" .,!")
    return [found.lower() if found in ("Today", "Tomorrow") else found]
