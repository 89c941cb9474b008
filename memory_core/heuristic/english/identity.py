"""English rules for who the user is."""

import re

from memory_core.heuristic import rules
from memory_core.heuristic.english import objects, proper, words
from memory_core.heuristic.english.forms import END, X, a_rule, word
from memory_core.heuristic.rules import Rule, Shape


def identity() -> list[Rule]:
    """Who the user is: name, home, origin, age, languages."""

    def rule(form: str, text: str, shape: Shape = objects.thing, attribute: str = "") -> Rule:
        return a_rule(rules.IDENTITY, form, text, shape, attribute)

    years = r"(?P<x>\d{1,3})(?: ?years? old| ?yo| ?y/o)"
    return [
        rule(
            rf"my name is not .{{1,40}}?(?:,? but (?:it is |it's )?|[,;]? (?:it is|it's) ){X}",
            "The user's name is {x}.",
            objects.name,
            "name",
        ),
        a_rule(
            rules.IDENTITY,
            rf"my name is not {X}",
            "The user's name is not {x}.",
            objects.name,
            "name",
            ends=True,
        ),
        rule(
            rf"my (?:full |real |first )?name is {X}",
            "The user's name is {x}.",
            objects.name_or_lower_case,
            "name",
        ),
        rule(rf"my last name is {X}", "The user's last name is {x}.", objects.name, "last name"),
        rule(rf"i am called {X}", "The user's name is {x}.", objects.name, "name"),
        rule(
            r"i am (?P<x>(?-i:[A-Z][a-z]+(?: [A-Z][a-z]+)?))"
            r"(?=[.!,]*$|, (?:\d|an? |from |nice|pleased|glad|happy to|the |your )"
            r"| from (?-i:[A-Z]))",
            "The user's name is {x}.",
            _introduced,
            "name",
        ),
        rule(
            "my (?:new |current )?(?P<k>e-?mail(?: address)?|phone number|time ?zone|shoe size|"
            "ring size|height|weight|"
            rf"blood type|zip code) is {X}",
            "The user's {k} is {x}.",
            _datum,
            "{k}",
        ),
        rule(r"i am (?P<x>\d[\w.' ]{0,12}?) tall" + END, "The user is {x} tall.", word, "height"),
        rule(
            r"i am an? (?:proud |single )?(?P<x>(?:mother|father|mom|mum|dad|parent|grandmother"
            r"|grandfather|grandma|grandpa) (?:of|to) .+)",
            "The user is a {x}.",
        ),
        rule(
            rf"(?:(?:please|you can|just|everyone|people|my friends) )*calls? me {X}",
            "The user wants to be called {x}.",
            _whole_name,
            "form of address",
        ),
        rule(
            rf"(?:i go by|my nickname is) {X}",
            "The user wants to be called {x}.",
            _whole_name,
            "form of address",
        ),
        rule(rf"my pronouns are {X}", "The user's pronouns are {x}.", word, "pronouns"),
        rule(
            "(?:i|we) (?:live|am living|are living|have been living|am based|reside|have "
            f"lived) in {X}",
            "The user lives in {x}.",
            objects.place_or_lower_case,
            "home",
        ),
        rule(
            rf"my home (?:is|town is|city is) (?:in )?{X}",
            "The user's home is {x}.",
            objects.place,
            "home",
        ),
        rule(
            "(?:i|we) (?:have )?(?:just )?(?:moved|relocated) (?:back |over |out |house )?"
            rf"(?:from .{{2,40}}? )?to {X}",
            "The user lives in {x}.",
            _new_home,
            "home",
        ),
        rule(
            rf"i (?:am|will be) (?:moving|relocating) (?:back )?(?:from .{{2,40}}? )?to {X}",
            "The user is moving to {x}.",
            _place_and_time,
            "planned home",
        ),
        rule(rf"i used to live in {X}", "The user used to live in {x}.", objects.place),
        rule(rf"i (?:am|come) from {X}", "The user is from {x}.", objects.place, "origin"),
        rule(
            rf"i (?P<v>grew up|was raised) in {X}",
            "The user {v} in {x}.",
            objects.place,
            "place of childhood",
        ),
        rule(rf"i was born in {X}", "The user was born in {x}.", objects.place, "birthplace"),
        rule(
            r"i was born in (?P<x>(?:19|20)\d\d)\b", "The user was born in {x}.", word, "birth year"
        ),
        rule(
            r"i was born on (?P<x>[\w ,./-]*\d[\w ,./-]*)",
            "The user was born on {x}.",
            _date,
            "birthday",
        ),
        rule(
            r"my birthday is (?:on )?(?:the )?(?P<x>[\w ,./-]*\d[\w ,./-]*)",
            "The user's birthday is {x}.",
            _date,
            "birthday",
        ),
        rule(
            r"my birthday is (?P<x>today|tomorrow)" + END,
            "The user's birthday is {x}.",
            word,
            "birthday",
        ),
        rule(
            r"(?P<x>today|tomorrow) is my birthday" + END,
            "The user's birthday is {x}.",
            word,
            "birthday",
        ),
        rule(rf"i am {years}", "The user is {x} years old.", word, "age"),
        rule(
            r"i am (?P<x>\d\d)(?=$|[.!]$|,? and (?:i|live|work|a))",
            "The user is {x} years old.",
            word,
            "age",
        ),
        rule(
            r"i (?:have )?turned (?P<x>\d{1,3})(?=$|[.!, ])(?! (?:minutes|pages))",
            "The user turned {x}.",
            word,
            "age",
        ),
        rule(
            rf"i am (?:an? )?(?P<x>{words.DEMONYMS})" + END, "The user is {x}.", word, "nationality"
        ),
        rule(rf"i am (?P<x>{words.TRAITS})" + END, "The user is {x}.", word),
        rule(
            "my (?P<k>native language|mother tongue|first language) is "
            rf"(?P<x>{words.LANGUAGES}|(?-i:[A-Z][a-z]+))\b",
            "The user's native language is {x}.",
            word,
            "native language",
        ),
        rule(
            "i (?:can )?speak (?P<x>(?:fluent |some |a little |a bit of |basic "
            rf")?(?:{words.LANGUAGES})\b"
            "(?:(?:,| and|, and|,? as well as) (?:fluent |some |a little |a bit of "
            rf")?(?:{words.LANGUAGES})\b)*)",
            "The user speaks {x}.",
            word,
        ),
        rule(
            rf"i am (?:fluent|a native speaker) (?:in|of) (?P<x>(?:{words.LANGUAGES})\b"
            rf"(?:(?:,| and|, and) (?:{words.LANGUAGES})\b)*)",
            "The user is fluent in {x}.",
            word,
        ),
        rule(
            "i (?:can |know how to |have been )?play(?:ing)? (?:the "
            rf")?(?P<x>{words.INSTRUMENTS})\b",
            "The user plays the {x}.",
            word,
        ),
    ]


def _new_home(raw: str) -> list[str]:
    """A place, where one may also have moved to a network or a programming language."""
    return [
        found
        for found in objects.place(raw)
        if not re.fullmatch(rf"{proper.CLUBS}|{proper.SOFTWARE}", found, re.IGNORECASE)
    ]


def _introduced(raw: str) -> list[str]:
    """A name after "I'm", where most capitalised words are none."""
    words_of = raw.casefold().split()
    plain = re.compile(
        rf"(?:{proper.NOT_NAMES})|(?!(?:{proper.LIKE_PARTICIPLES})$)"
        r"\w+(?:ed|ing|less|ful|able|ous|ly?est)"
    )
    common = [word for word in words_of if plain.fullmatch(word)]
    return [] if common else objects.name(raw)


def _datum(raw: str) -> list[str]:
    """A number or address with its dots, which end no clause."""
    found = raw.strip(" .!,;")
    return [found] if re.search(r"\d|@|UTC|GMT|[A-Z]", found) and len(found) <= 40 else []


def _date(raw: str) -> list[str]:
    found = re.split(r",? (?:and|but|so|which|in [A-Z])\b", raw)[0].strip(" ,.")
    return [found] if len(found) <= 30 else []


def _whole_name(raw: str) -> list[str]:
    """A name that is all there is: not "call me Friday morning"."""
    found = objects.name(raw)
    return found if found and found[0] == raw.strip(" .!\"'“”") else []


def _place_and_time(raw: str) -> list[str]:
    found = objects.place(raw)
    time = re.search(
        r" (?:next (?:week|month|year)|tomorrow|in (?:\w+ )?(?:days|weeks|months|[A-Z][a-z]+))\b",
        raw,
    )
    return (
        [f"{found[0]}{time[0]}" if time and time[0] not in found[0] else found[0]] if found else []
    )
