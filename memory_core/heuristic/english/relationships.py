"""English rules for family, pets and the household."""

from memory_core.heuristic import rules
from memory_core.heuristic.english import objects, words
from memory_core.heuristic.english.forms import END, X, a_rule, word
from memory_core.heuristic.rules import Rule, Shape


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
            rf"my (?P<k>{who})(?:'s name is| is called| is named) {X}",
            "The user's {k} is called {x}.",
            objects.name,
            "{k}'s name",
        ),
        rule(
            rf"my (?P<k>{who}),? (?P<x>(?-i:[A-Z][\w-]+)),? (?:is|was|has|works|lives|likes|"
            "loves|and|who|just|"
            r"got|started|studies|will|does|wants|said|says|told|also)\b",
            "The user's {k} is called {x}.",
            objects.name,
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
