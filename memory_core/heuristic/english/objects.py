"""What an English object may be, as shapes: each cuts, refuses and turns to the third person."""

import re
from itertools import takewhile

from memory_core.heuristic.english import refusals, words
from memory_core.heuristic.english.cuts import LONGEST_OBJECT, cut, is_pointer, third_person

MOST_LIST_ITEMS = 8


def thing(raw: str) -> list[str]:
    """A general object: up to the end of its clause, neither a pointer nor about the reader."""
    found = cut(raw)
    return [] if is_pointer(found) else [third_person(found)]


def tastes(raw: str) -> list[str]:
    """Things somebody likes or not: "hiking, jazz and tea" are three."""
    found = cut(raw, at_comma=False)
    if is_pointer(found) or refusals.pointing_taste().match(found):
        return thing_before_comma(raw)
    if re.search(r"\b(?:it|there|this|these|those|to that)\b|(?<!of )\bthem\b$", found):
        return []
    items = _items(found)
    return [third_person(item) for item in items if not is_pointer(item)]


def thing_before_comma(raw: str) -> list[str]:
    """As `thing`, for what `tastes` refuses as a list."""
    found = cut(raw)
    if (
        is_pointer(found)
        or refusals.pointing_taste().match(found)
        or found == cut(raw, at_comma=False)
    ):
        return []
    return [third_person(found)]


def listed(raw: str) -> list[str]:
    """Each item of a list of plain things, such as what somebody is allergic to."""
    found = cut(raw, at_comma=False)
    if is_pointer(found):
        return []
    parts = takewhile(refusals.no_clause, re.split(r",? (?:and|or) |, ", found))
    things = (part.removeprefix("even ") for part in parts if not refusals.is_aside(part))
    return [third_person(item) for item in things if item and not is_pointer(item)][
        :MOST_LIST_ITEMS
    ]


def place(raw: str) -> list[str]:
    """A place by name, with a "small town near" before it and its country after it."""
    match = refusals.place_form().match(raw)
    if match is None:
        return []
    found = re.sub(r"(?: (?:of|the|de|la|le|del|di|da|do|am|sur|upon))+$", "", match[0])
    found = re.sub(r", (?:I|My|Please|And|But|So|Which|Where|We)\b.*", "", found).strip(" ,.")
    return [] if not found or refusals.month_or_day().fullmatch(found) else [found]


def place_or_lower_case(raw: str) -> list[str]:
    """As `place`; one word in lower case is taken too: people type so."""
    found = place(raw)
    if found:
        return found
    lower = cut(raw)
    return (
        [lower]
        if re.fullmatch(r"[a-z]{4,}", lower) and not refusals.no_place().match(lower)
        else []
    )


def name(raw: str) -> list[str]:
    """A person's or animal's name: one to four capitalised words."""
    found = re.split(
        r" (?:and|but|from|or|by|because|for|if|in|as|please|instead|when|not)\b|,", raw
    )[0]
    found = found.strip(" .!?\"'“”‘’")
    if not re.fullmatch(rf"{CAPITAL}(?: (?:{CAPITAL}|de|van|von|der|da|la|bin|al)){{0,3}}", found):
        return []
    return [] if refusals.no_name().fullmatch(found) else [found]


def name_or_lower_case(raw: str) -> list[str]:
    """As `name`; one word in lower case that ends the clause is taken too."""
    found = name(raw)
    lower = raw.strip(" .!?\"'")
    if (
        not found
        and re.fullmatch(r"[a-z]{2,15}", lower)
        and not refusals.no_name().fullmatch(lower)
    ):
        return [lower]
    return found


def names(raw: str) -> list[str]:
    """Names joined as they are: "Max and Moritz" stays one statement."""
    found = cut(raw)
    parts = re.split(r",? and |, ", found)
    return [found] if parts and all(name(part) for part in parts) else []


def occupation(raw: str) -> list[str]:
    """An occupation with what follows it: "nurse at a hospital in Porto"."""
    found = cut(re.sub(r"^(?:an?|the) ", "", raw))
    if is_pointer(found) or re.match(rf"(?:{words.NOT_JOB_WORDS})\b", found, re.I):
        return []
    return [third_person(found)]


def with_article(raw: str) -> list[str]:
    """An occupation as it stands: "a nurse at a hospital in Porto"."""
    found = cut(raw)
    return [] if is_pointer(found) else [third_person(found)]


def employer(raw: str) -> list[str]:
    """Whom somebody works for, when it says more than "a company" or "night"."""
    found = cut(raw)
    return [] if is_pointer(found) or refusals.no_employer().match(found) else [third_person(found)]


def plan(raw: str) -> list[str]:
    """What somebody wants to do with their life, not with this conversation."""
    found = cut(raw, at_comma=False)
    if (
        is_pointer(found)
        or refusals.no_plan().match(found)
        or refusals.pointing_end().search(found)
        or re.search(r"\bit\b", found)
    ):
        return []
    return [third_person(found)]


def project(raw: str) -> list[str]:
    """As `plan`, only with a verb of undertakings."""
    return plan(raw) if re.match(rf"(?:{words.PROJECT_VERBS})\b", raw, re.I) else []


def wish(raw: str) -> list[str]:
    """As `project`, for "would like to", which is mostly manners."""
    verbs = (
        "learn|visit|travel|become|move|live|study|write|build|run an?|open|start|speak|play|"
        "improve|"
        r"lose|buy|go to (?:university|college|grad)"
    )
    return project(raw) if re.match(rf"(?:{verbs})\b", raw, re.IGNORECASE) else []


def as_said(raw: str) -> list[str]:
    """The object whole, turned to the third person: an instruction or a thing to remember."""
    found = " ".join(raw.split()).strip(" .!,;")
    return [third_person(found)] if 2 < len(found) <= 2 * LONGEST_OBJECT else []


def instruction(raw: str) -> list[str]:
    """What the assistant is asked to do, as it reads after "asks the assistant to"."""
    found = re.sub(r",? please$", "", re.sub(r"\byour\b", "its", raw.strip(" .!,;")))
    found = re.sub(rf"\b(whenever|(?:every|each|any) time) you ({words.SPEAKING})\b", _it, found)
    return as_said(found[:1].lower() + found[1:])


def _it(match: re.Match[str]) -> str:
    verb = re.sub("y$", "ie", match[2])
    return f"{match[1]} it {verb}s"


def taste_key(text: str) -> str:
    """What a taste is about, so that "watching movies" and "movies" supersede each other."""
    key = re.sub(
        r"^(?:to )?(?:(?:drink|eat|watch|read|play)(?:ing)?|(?:listen|go)(?:ing)? to) "
        r"|^to |^(?:a|an|the|some|all kinds of|any kind of) ",
        "",
        text.casefold(),
    )
    return key.strip()


CAPITAL = r"[^\W\d_a-z][\w'.-]*"


def _items(found: str) -> list[str]:
    parts = [part for part in re.split(r",? and |, ", found) if part]
    *front, last = parts
    lone = all(" " not in part for part in front)
    # "sunny and warm weather", "mac and cheese", "books on art and history" are one thing.
    if not front or (lone and " " in last) or refusals.one_thing().search(found):
        return [found]
    return parts[:MOST_LIST_ITEMS] if all(len(part.split()) <= 5 for part in parts) else [found]
