"""English rules for family, pets and the household."""

from memory_core.heuristic import rules
from memory_core.heuristic.english import objects, words
from memory_core.heuristic.english.forms import END, X, a_rule, word
from memory_core.heuristic.english.relations import OVER
from memory_core.heuristic.rules import Besides, Rule, Shape


def relationships() -> list[Rule]:
    """Family, pets, household."""

    def rule(
        form: str,
        text: str,
        shape: Shape = objects.thing,
        attribute: str = "",
        besides: Besides | None = None,
    ) -> Rule:
        return a_rule(rules.RELATIONSHIPS, form, text, shape, attribute, besides=besides)

    which = "(?:(?:older|younger|elder|little|big|twin|eldest|youngest|late|new) )?"
    who = f"{which}(?:{words.RELATIVES}|{words.PETS})"
    kin = rf"(?!(?:best )?friend|boss|manager|co|neighb|room|flat|house|doctor|teacher|therap){who}"
    age = r"(?: is| just| has)? (?:turned )?(?P<x>\d{1,2})(?: years? old)?(?=$|[.!,])"
    pet = rf"(?P<k>(?:(?!and |an? )[\w-]+ ){{0,3}}?(?:{words.PETS})s?)"
    count = rf"(?P<n>{words.COUNTS})"
    of = r"of (?!boredom|laughter|shame|embarrassment|laughing|cringe)\w+|from \w+|when i was"
    when = rf"(?:{OVER}|(?=,? (?:{of})\b)|,? in (?-i:[A-Z])\w+(?=\W*$))"
    passed = r"(?: has| have|) (?:just |sadly |suddenly )?"
    died = rf"{passed}(?P<v>died|passed away|is dead){when}"
    gone = rf"{passed}(?P<v>died|passed away|is dead|was put (?:down|to sleep)){when}"

    def named(kin: str, attribute: str, dead: str = died) -> list[Rule]:
        """What is said of a name: that somebody has it, and that they died."""
        called = "The user's {k} is called {x}."
        name = r"(?P<x>(?-i:[A-Z][\w-]+))"
        goes_on = (
            "(?:is|was|has|works|lives|likes|loves|and|who|just|got|started|studies|will|does|wants|"
            "said|says|told|also)"
        )
        return [
            rule(
                rf"(?:my|our) (?P<k>{kin})(?:'s name is| is called| is named) {X}",
                called,
                objects.name,
                attribute,
            ),
            rule(
                rf"(?:my|our) (?P<k>{kin}),? {name},?{dead}",
                "The user's {k} {x} {v}.",
                word,
                attribute,
            ),
            # Of the dead one speaks on: this takes no place of what was said of them.
            rule(rf"(?:my|our) (?P<k>{kin}),? {name},? {goes_on}\b", called, objects.name),
        ]

    return [
        rule(
            rf"my (?P<k>{who})(?P<n>,? (?-i:[A-Z][\w-]+),?|) is (?:severely |very |also )?allergic "
            rf"to {X}",
            "The user's {k}{n} is allergic to {x}.",
            objects.thing,
        ),
        *named(words.ONLY_ONE, "{k}'s name"),
        rule(
            rf"i have an? (?:new )?(?P<k>{words.PARTNERS}),? (?:named|called) {X}",
            "The user's {k} is called {x}.",
            objects.name,
            "{k}'s name",
        ),
        # One may have two sons.
        *named(f"{which}(?:{words.RELATIVES})", "{k} {x}"),
        *named(f"{which}(?:{words.PETS})", "pet {x}", gone),
        rule(rf"(?:my|our) (?P<k>{which}(?:{words.RELATIVES})){died}", "The user's {k} {v}."),
        rule(
            rf"(?:(?:my|our) (?P<k>{which}(?:{words.PETS}))|the (?P<pet>{words.PETS})){gone}",
            "The user's {k}{pet} {v}.",
        ),
        *_partings(),
        rule(
            rf"i am (?:now )?dating {X}",
            "The user is dating {x}.",
            objects.name,
            rules.STATUS,
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
            "pet {x}",
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
            rules.STATUS,
        ),
        rule(
            r"i (?:am|got) (?P<x>married|divorced|engaged|single|widowed)" + END,
            "The user is {x}.",
            word,
            rules.STATUS,
        ),
        rule(rf"i live with {X}", "The user lives with {x}.", objects.thing, "household"),
        rule(r"i live alone" + END, "The user lives alone.", attribute="household"),
    ]


def _partings() -> list[Rule]:
    """The end of a relationship, and with it of a partner's name."""

    def rule(form: str, text: str, attribute: str, besides: Besides | None = None) -> Rule:
        shape = objects.thing
        return a_rule(rules.RELATIONSHIPS, form, text, shape, attribute, besides=besides)

    mended = (
        r"(?!.*\b(?:back together|remarried|got married|in high school|in college|when i was)\b)"
    )
    ended = rf"{mended}(?:i|we) (?:have )?(?:just )?(?:broke|broken|split) up"
    partner = rf"my (?P<k>(?:{words.PARTNERS})),? (?P<x>(?-i:[A-Z][\w-]+))"
    return [
        rule(
            rf"{ended} with {partner}",
            "The user broke up with their {k} {x}.",
            "{k}'s name",
            ("The user's relationship with {x} ended.", rules.STATUS),
        ),
        rule(
            rf"i (?:have )?divorced {partner}",
            "The user divorced their {k} {x}.",
            "{k}'s name",
            ("The user is divorced.", rules.STATUS),
        ),
        rule(
            rf"{ended} with my (?P<k>{words.PARTNERS})" + OVER,
            "The user broke up with their {k}.",
            "{k}'s name",
            ("The user's relationship ended.", rules.STATUS),
        ),
        rule(rf"{ended} with {X}", "The user broke up with {x}.", rules.STATUS),
    ]
