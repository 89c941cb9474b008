"""Whose name it is: "Rex died" is news of the user's dog where Rex is known as that dog."""

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from memory_core.heuristic.english import words

PARTNERS = "wife|husband|spouse|partner|girlfriend|boyfriend|fianc[ée]e?"


class _Form(NamedTuple):
    """What is said of a name: where it stands, whose name it must be, and how it reads then.

    Of whoever it is said where `who` is empty.
    """

    said: re.Pattern[str]
    who: str
    text: str


def names_in(text: str) -> dict[str, str]:
    """From names to who they are ("Rex": "dog"), as messages and facts word it."""
    return {match["name"]: match["who"].casefold() for match in _named().finditer(text)}


def with_relations(text: str, known: Mapping[str, str]) -> str:
    """The text with "my dog Rex died" for "Rex died", for each name that is known or that it says.

    Only where something is said that is worth knowing of those near to one: a death, an allergy,
    the end of a relationship. "I have a dog. His name is Rex." becomes one about the dog as well.
    """
    text = _next_sentence().sub(r"\g<said>. My \g<who>'s name is \g<name>", text)
    names = {**known, **names_in(text)}
    for form in _forms():

        def with_relation(match: re.Match[str], form: _Form = form) -> str:
            who = names.get(match["name"], "")
            fits = not form.who or re.fullmatch(form.who, who)
            return form.text.format(who=who, **match.groupdict()) if fits else match[0]

        text = form.said.sub(with_relation, text)
    return text


@cache
def _named() -> re.Pattern[str]:
    who = f"(?P<who>{words.RELATIVES}|{words.PETS})"
    before = r"(?:[Mm]y|[Tt]he user's|an?|one) (?:[\w-]+ ){0,2}?"
    between = r"(?: is called| is named|,? called|,? named|'s name is|,)?"
    return re.compile(rf"\b{before}{who}{between} (?P<name>[A-Z][\w-]+)\b(?!')")


@cache
def _next_sentence() -> re.Pattern[str]:
    """Somebody who is spoken of, and in the next sentence their name."""
    who = rf"(?P<who>{words.RELATIVES}|{words.PETS})"
    said = rf"(?P<said>\b(?:[Mm]y|an?|one|got|adopted) (?:[\w-]+ ){{0,2}}?{who})"
    name = r"(?:[Hh]is|[Hh]er|[Ii]ts) name(?: is|'s)"
    called = r"(?:[Hh]e|[Ss]he|[Ii]t)(?: is|'s) (?:called|named)"
    return re.compile(rf"{said}[.,;!:]+ (?:and )?(?:{name}|{called}) (?P<name>[A-Z][\w-]+)")


@cache
def _forms() -> tuple[_Form, ...]:
    name = r"(?P<name>[A-Z][\w-]+)"
    begin = r"(?:^|(?<=[.!?\n,;:] )|(?<=\n)|(?<=\band ))"
    anybody = f"{words.RELATIVES}|{words.PETS}"
    up = "(?:broke|broken|split) up"
    parted = "I broke up with my {who} {name}"
    forms = (
        (
            rf"{begin}{name} (?P<rest>is (?:severely |very |also )?allergic to "
            r"|(?:has |just |sadly |suddenly )*(?:died|passed away)\b|was put (?:down|to sleep)\b)",
            anybody,
            "my {who} {name} {rest}",
        ),
        (
            rf"\b(?:[Ww]e|I) (?:had to |have |had )?put {name} (?P<rest>down|to sleep)\b",
            anybody,
            "my {who} {name} was put {rest}",
        ),
        (rf"{begin}{name} and I (?:have )?(?:just )?{up}\b", "", "I broke up with {name}"),
        (rf"\bI (?:have )?(?:just )?{up} with {name}\b", PARTNERS, parted),
        (rf"{begin}{name} (?:has )?(?:just )?(?:left|dumped) me\b", PARTNERS, parted),
        (
            rf"{begin}{name} and I (?:have |are |got )*(?:just )?divorced\b",
            PARTNERS,
            "I divorced my {who} {name}",
        ),
    )
    return tuple(_Form(re.compile(said), who, text) for said, who, text in forms)
