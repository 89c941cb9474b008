"""English rules for what somebody owns and uses, and for what they gave away or changed."""

from memory_core.heuristic import rules
from memory_core.heuristic.english import objects, words
from memory_core.heuristic.english.forms import END, X, a_rule, word
from memory_core.heuristic.rules import Rule


def belongings() -> list[Rule]:
    """Things that are worth keeping in mind."""
    car = rf"(?:{words.CARS})(?: (?-i:[A-Z\d])[\w-]*){{0,3}}"
    kind = rf"(?:[\w'&.-]+ ){{0,4}}?(?:{words.POSSESSIONS}|{car})"
    noun = rf"(?P<x>(?:an?|my own|two|three) {kind})"
    end = (
        "(?=$|[.!,;]| (?:and|but|so|because|from|for|in|with|last|this|yesterday|today|that|"
        r"which)\b)"
    )
    return [
        a_rule(
            rules.OTHER,
            rf"i (?:have )?(?:switched|migrated|changed) from (?P<a>{objects.NAMED}) to "
            rf"(?P<x>{objects.NAMED})",
            "The user switched from {a} to {x}.",
            word,
            "use:{a}",
            besides=("The user uses {x}.", "use:{key}"),
        ),
        a_rule(
            rules.OTHER,
            r"i (?:have )?(?:just )?sold my (?:old )?car" + END,
            "The user sold their car.",
            attribute="car",
        ),
        a_rule(
            rules.OTHER,
            rf"i (?:have )?(?:just )?sold my (?:old )?{X}",
            "The user sold their {x}.",
            objects.thing,
            "car",
            ends=True,
        ),
        a_rule(rules.OTHER, rf"i (?:have|own|have got) {noun}{end}", "The user has {x}."),
        a_rule(
            rules.OTHER,
            rf"i (?:have )?(?:just )?(?P<v>bought|got|built|inherited) {noun}{end}",
            "The user {v} {x}.",
        ),
        a_rule(rules.PREFERENCES, rf"i collect {X}", "The user collects {x}."),
        a_rule(
            rules.OTHER,
            r"i (?:now )?drive (?P<x>an? (?-i:[A-Z]).*)",
            "The user drives {x}.",
            attribute="car",
        ),
        a_rule(
            rules.OTHER,
            rf"i (?:am using|use|mainly use) (?P<x>{objects.NAMED})(?=$|[.!,]| (?:now|for|as|on my|"
            r"daily|every day|at work|and)\b)",
            "The user uses {x}.",
            word,
            "use:{key}",
        ),
    ]
