"""English rules for what somebody owns and uses, and for what they gave away or changed."""

from memory_core.heuristic import rules
from memory_core.heuristic.english import words
from memory_core.heuristic.english.forms import X, a_rule, word
from memory_core.heuristic.rules import Rule
from memory_core.heuristic.tools import TOOLS


def belongings() -> list[Rule]:
    """Things that are worth keeping in mind."""
    model = r"(?: (?-i:[A-Z\d])[\w-]*){0,3}"
    kind = rf"(?:[\w'&.-]+ ){{0,4}}?(?:{words.POSSESSIONS}|(?:{words.CARS}){model})"
    noun = rf"(?P<x>(?:an?|my own|two|three) {kind})"
    end = (
        "(?=$|[.!,;]| (?:and|but|so|because|from|for|in|with|last|this|yesterday|today|that|to|"
        r"which)\b)"
    )
    tool = rf"(?:{TOOLS})"
    # Of what was sold long ago it is not known whether it is what one has.
    lately = r"(?!.*\b(?:(?:19|20)\d\d$|in (?:19|20)\d\d|years ago|old car)\b)"
    sold = rf"{lately}(?:i|we) (?:have )?(?:just )?sold (?:my|our|the) (?:\d{{4}} )?"
    lasting = r"(?=$|[.!,]| (?:last|this|yesterday|recently|because|at work|on my|and love)\b)"
    return [
        a_rule(
            rules.OTHER,
            rf"i (?:have )?(?:just )?(?:switched|migrated|changed|moved) from (?P<a>{tool}) to "
            rf"(?P<x>{tool}){lasting}",
            "The user switched from {a} to {x}.",
            word,
            "use:{a}",
            besides=("The user uses {x}.", "use:{key}"),
        ),
        a_rule(
            rules.OTHER,
            rf"i (?:have )?(?:stopped|quit) using (?P<x>{tool}){lasting}",
            "The user stopped using {x}.",
            word,
            "use:{key}",
        ),
        a_rule(
            rules.OTHER,
            rf"(?:{sold}car{end}"
            "|i (?:no longer|do not) (?:have|own) a car(?: any ?more)?(?=$|[.!,]))",
            "The user no longer has a car.",
            attribute="car",
        ),
        a_rule(
            rules.OTHER,
            rf"{sold}(?P<x>(?:{words.CARS}){model}){end}",
            "The user sold their {x}.",
            word,
            "car",
            ends=True,
        ),
        a_rule(
            rules.OTHER,
            rf"{sold}(?P<x>(?:[\w-]+ ){{0,2}}?(?:{words.POSSESSIONS})){end}",
            "The user sold their {x}.",
            word,
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
            rf"i (?:now )?drive (?P<x>an? (?:\d{{4}} )?(?:{words.CARS}){model})"
            r"(?=$|[.!,]| (?:now|and)\b)",
            "The user drives {x}.",
            attribute="car",
        ),
        a_rule(rules.OTHER, r"i (?:now )?drive (?P<x>an? (?-i:[A-Z]).*)", "The user drives {x}."),
        a_rule(
            rules.OTHER,
            rf"i (?:am using|use|mainly use) (?P<x>{tool})(?=$|[.!,]| (?:now|for|as|on my|daily|"
            r"every day|at work|and)\b)",
            "The user uses {x}.",
            word,
            "use:{key}",
        ),
    ]
