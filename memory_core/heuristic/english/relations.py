"""Whose name it is: "Rex died" is news of the user's dog where Rex is known as that dog."""

import re
from collections.abc import Mapping
from functools import cache
from typing import NamedTuple

from memory_core.heuristic.english import words

WHEN = (
    "(?:,? (?:(?:this|last) (?:morning|night|evening|week|weekend|month|year|spring|summer|autumn|"
    r"fall|winter)|yesterday|today|recently|peacefully|suddenly|in (?:19|20)\d\d|"
    r"in (?:January|February|March|April|May|June|July|August|September|October|November|December)|"
    r"on (?-i:[A-Z])\w*day|on (?:the )?\d+\w*(?: of)?(?: (?-i:[A-Z])\w+)?|on (?-i:[A-Z])\w+ \d+|"
    r"(?:an?|\w+|a few|a couple of) (?:days?|weeks?|months?|years?) ago))*"
)
OVER = rf"{WHEN}(?=\W*$|[.!;]|,? (?:and (?:[Ii]|[Ww]e|now)|so|because|[Ii])\b|\s+[^\w\s,'\"(])"
"""After what is over there comes when it was, and the end: not "broke up the fight", "left me a
note", "died in Titanic", "broke up in 2015 but got back together"."""

_NAME = r"(?P<name>[A-Z][\w-]+)"
_HAVE = (
    r"(?:(?:I|[Ww]e)(?: have|'ve| have got|'ve got| got| own| adopted)"
    "|[Tt]he user (?:has|adopted|owns))"
)


class _Form(NamedTuple):
    """What is said of a name: where it stands, whose name it must be, and how it reads then.

    Where `who` is empty it is read of names that are nobody's.
    """

    said: re.Pattern[str]
    who: str
    text: str


def names_in(text: str) -> dict[str, str]:
    """From names to who they are ("Rex": "dog"), as messages and facts word it."""
    return {
        name: match["who"].casefold()
        for match in _named().finditer(text)
        for name in match.group("name", "other")
        if name
    }


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
            fits = re.fullmatch(form.who, who)
            return form.text.format(who=who, **match.groupdict()) if fits else match[0]

        text = form.said.sub(with_relation, text)
    return _my_partner_and_i().sub(r"I broke up with my \g<who>", text)


@cache
def _named() -> re.Pattern[str]:
    who = f"(?P<who>{words.RELATIVES}|{words.PETS})"
    near = r"(?:[Mm]y|[Oo]ur|[Tt]he user's) (?:[\w-]+ )?"
    whose = rf"(?:{near}|{_HAVE} (?:an?|one|two|\d+) (?:[\w-]+ ){{0,2}}?)"
    between = r"(?: is called| is named|,? called|,? named|'s name is|,)?"
    return re.compile(
        rf"\b{whose}{who}s?{between} {_NAME}\b(?!')(?: and (?P<other>[A-Z][\w-]+)\b)?"
    )


@cache
def _next_sentence() -> re.Pattern[str]:
    """Somebody whom the user has, and in the next sentence their name."""
    who = rf"(?P<who>{words.RELATIVES}|{words.PETS})"
    begin = r"(?:^|(?<=[.!?\n,–—-] )|(?<=\n)|(?<=and ))"
    said = rf"(?P<said>{begin}{_HAVE} (?:an?|one) (?:[\w-]+ ){{0,2}}?{who})"
    name = r"(?:[Hh]is|[Hh]er|[Ii]ts) name(?: is|'s)"
    called = r"(?:[Hh]e|[Ss]he|[Ii]t)(?: is|'s) (?:called|named)"
    ago = r"\w+ (?:days?|weeks?|months?|years?) ago"
    since = rf"(?: (?:today|yesterday|recently|now|too|last \w+|{ago}))?"
    return re.compile(rf"{said}{since}[.,;!:]+ (?:and )?(?:{name}|{called}) {_NAME}")


@cache
def _my_partner_and_i() -> re.Pattern[str]:
    up = "and I (?:have )?(?:just )?(?:broke|broken|split) up"
    left = "(?:has )?(?:just )?(?:left|dumped|broke up with) me"
    return re.compile(rf"\b[Mm]y (?P<who>{words.PARTNERS}) (?:{up}|{left}){OVER}")


@cache
def _forms() -> tuple[_Form, ...]:
    adverb = "[Uu]nfortunately|[Ss]adly|[Yy]esterday|[Tt]oday|[Ll]ast night|[Tt]his morning"
    lead = rf"(?:(?:{adverb}),? |[^\w\s\"'“(]+ )*"
    begin = rf"(?:^|(?<=[.!?\n] )|(?<=\n)|(?<=\band )){lead}"
    anybody = f"{words.RELATIVES}|{words.PETS}"
    parted = "I broke up with my {who} {name}"
    up = "(?:have )?(?:just )?(?:broke|broken|split) up"
    forms = (
        (
            rf"{begin}{_NAME} (?P<rest>is (?:severely |very |also )?allergic to "
            rf"|(?:has |just |sadly |suddenly )*(?:died|passed away|is dead){OVER})",
            anybody,
            "my {who} {name} {rest}",
        ),
        (
            rf"{begin}{_NAME} (?P<rest>was put (?:down|to sleep){OVER})",
            words.PETS,
            "my {who} {name} {rest}",
        ),
        (
            rf"\b(?:[Ww]e|I) (?:had to |have |had )?put {_NAME} (?P<rest>down|to sleep){OVER}",
            words.PETS,
            "my {who} {name} was put {rest}",
        ),
        (rf"{begin}{_NAME} and I {up}{OVER}", words.PARTNERS, parted),
        (rf"{begin}[Mm]e and {_NAME} {up}{OVER}", words.PARTNERS, parted),
        (rf"{begin}{_NAME} and I {up}{OVER}", "", "I broke up with {name}"),
        (rf"\bI {up} with {_NAME}\b", words.PARTNERS, parted),
        (
            rf"{begin}{_NAME} (?:has )?(?:just )?(?:left me|dumped me|broke up with me){OVER}",
            words.PARTNERS,
            parted,
        ),
        (rf"\bI (?:have )?(?:just )?(?:left|dumped) {_NAME}{OVER}", words.PARTNERS, parted),
        (
            rf"{begin}{_NAME} and I (?:have |are |got )*(?:just )?divorced{OVER}",
            words.PARTNERS,
            "I divorced my {who} {name}",
        ),
    )
    return tuple(_Form(re.compile(said), who, text) for said, who, text in forms)
