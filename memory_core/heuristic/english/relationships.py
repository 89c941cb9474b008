"""English rules for family, pets and the household."""

import re
from functools import cache

from memory_core.heuristic import rules
from memory_core.heuristic.english import objects, words
from memory_core.heuristic.english.forms import END, X, a_rule, word
from memory_core.heuristic.rules import Rule, Shape


def with_relations(text: str) -> str:
    """The text with "Emma is allergic" as "my daughter Emma is allergic", if it says who she is."""
    known = {match["name"]: match["who"] for match in _named_relation().finditer(text)}
    return _allergic().sub(
        lambda match: (
            f"my {known[match['name']]} {match[0]}" if match["name"] in known else match[0]
        ),
        text,
    )


@cache
def _named_relation() -> re.Pattern[str]:
    return re.compile(
        rf"\b[Mm]y (?P<who>{words.RELATIVES}|{words.PETS})"
        r"(?: is called| is named|'s name is|,)? (?P<name>[A-Z][\w-]+)\b"
    )


@cache
def _allergic() -> re.Pattern[str]:
    return re.compile(
        r"(?:(?<=[.!?\n] )|(?<=\n)|(?<=, and )|(?<= and ))"
        r"(?P<name>[A-Z][\w-]+)(?= is (?:severely |very |also )?allergic to )"
    )


def relationships() -> list[Rule]:
    """Family, pets, household."""

    def rule(form: str, text: str, shape: Shape = objects.thing, attribute: str = "") -> Rule:
        return a_rule(rules.RELATIONSHIPS, form, text, shape, attribute)

    who = (
        "(?:(?:older|younger|elder|little|big|twin|eldest|youngest|late|new) "
        f")?(?:{words.RELATIVES}|{words.PETS})"
    )
    kin = rf"(?!(?:best )?friend|boss|manager|co|neighb|room|flat|house|doctor|teacher|therap){who}"
    age = r"(?: is| just| has)? (?:turned )?(?P<x>\d{1,2})(?: years? old)?(?=$|[.!,])"
    pet = rf"(?P<k>(?:(?!and |an? )[\w-]+ ){{0,3}}?(?:{words.PETS})s?)"
    count = rf"(?P<n>{words.COUNTS})"
    return [
        rule(
            rf"my (?P<k>{who})(?P<n>,? (?-i:[A-Z][\w-]+),?|) is (?:severely |very |also )?allergic "
            rf"to {X}",
            "The user's {k}{n} is allergic to {x}.",
            objects.thing,
        ),
        rule(
            rf"my (?P<k>{words.ONLY_ONE})(?:'s name is| is called| is named) {X}",
            "The user's {k} is called {x}.",
            objects.name,
            "{k}'s name",
        ),
        # One may have two sons.
        rule(
            rf"my (?P<k>{who})(?:'s name is| is called| is named) {X}",
            "The user's {k} is called {x}.",
            objects.name,
        ),
        rule(
            rf"my (?P<k>{who}),? (?P<x>(?-i:[A-Z][\w-]+)),? (?:is|was|has|works|lives|likes|"
            "loves|and|who|just|"
            r"got|started|studies|will|does|wants|said|says|told|also)\b",
            "The user's {k} is called {x}.",
            objects.name,
        ),
        rule(
            rf"(?:(?:my|our) (?P<k>{who})|the (?P<pet>{words.PETS}))(?P<n>,? (?-i:[A-Z][\w-]+),?|)"
            r"(?: has| have|) (?P<v>died|passed away|was put (?:down|to sleep))(?=[.!,]*$"
            r"| (?:last|this|yesterday|today|in (?:19|20)\d\d|in [A-Z]\w+$|on [A-Z]|of|from|"
            r"peacefully|suddenly|\w+ (?:days?|weeks?|months?|years?) ago|when i was)\b)",
            "The user's {k}{pet}{n} {v}.",
        ),
        rule(
            rf"(?:i|we) (?:have )?(?:broke|broken|split) up with {X}",
            "The user broke up with {x}.",
            objects.thing,
            "relationship status",
        ),
        rule(
            rf"i am (?:now )?dating {X}",
            "The user is dating {x}.",
            objects.name,
            "relationship status",
        ),
        rule(rf"my (?P<k>{who}){age}", "The user's {k} is {x} years old.", word, "{k}'s age"),
        rule(
            rf"my (?P<k>{kin}) lives in {X}",
            "The user's {k} lives in {x}.",
            objects.place,
            "{k}'s home",
        ),
        rule(rf"my (?P<k>{kin}) works (?P<v>as|for|at) {X}", "The user's {k} works {v} {x}."),
        rule(
            f"i (?:have|got|have got|adopted|own) {count} {pet}(?:,? (?:named|called)|,? "
            "(?:whose|his|"
            f"her|its|their) names? (?:is|are)) {X}",
            "The user has {n} {k} called {x}.",
            objects.names,
        ),
        rule(rf"i (?:have|own|got|have got) {count} {pet}" + END, "The user has {n} {k}."),
        rule(rf"i adopted {count} {pet}" + END, "The user adopted {n} {k}."),
        rule(
            f"i have {count} (?P<k>(?:older |younger |little |big |grown-up |adult |young "
            f")?(?:{words.CHILDREN}))"
            rf",? (?:named|called) {X}",
            "The user has {n} {k} called {x}.",
            objects.names,
        ),
        rule(
            f"i have {count} (?P<k>(?:older |younger |little |big |grown-up |adult |young "
            f")?(?:{words.CHILDREN}))" + END,
            "The user has {n} {k}.",
        ),
        rule(
            rf"i (?:am|got) (?P<k>married|engaged) to {X}",
            "The user is {k} to {x}.",
            objects.name,
            "relationship status",
        ),
        rule(
            r"i (?:am|got) (?P<x>married|divorced|engaged|single|widowed)" + END,
            "The user is {x}.",
            word,
            "relationship status",
        ),
        rule(rf"i live with {X}", "The user lives with {x}.", objects.thing, "household"),
        rule(r"i live alone" + END, "The user lives alone.", attribute="household"),
    ]
