"""English rules for occupation, employer and studies."""

import re

from memory_core.heuristic import rules
from memory_core.heuristic.english import cuts, objects, words
from memory_core.heuristic.english.forms import END, X, a_rule, word
from memory_core.heuristic.rules import Rule, Shape

_CAPITALS = r"(?-i:[A-Z])[\w.'-]*(?: (?:of |for )?(?-i:[A-Z])[\w.'-]*){0,4}"
_SCHOOL = (
    rf"(?:{_CAPITALS} )?(?:University|College|School|Institute|Academy|Uni)"
    rf"(?: (?:of|for) {_CAPITALS})?"
    r"|(?-i:[A-Z]{2,5})\b|Oxford|Cambridge|Harvard|Stanford|Yale|Princeton|Berkeley|Cornell|Columbia"
    "|Georgetown|Caltech|Imperial|Tsinghua|Peking University"
)


def work() -> list[Rule]:
    """Occupation, employer, studies."""

    def rule(form: str, text: str, shape: Shape = objects.thing, attribute: str = "") -> Rule:
        key = _school if attribute == "school:{key}" else str.casefold
        return a_rule(rules.WORK, form, text, shape, attribute, key)

    job = (
        rf"(?P<x>(?:[\w&/-]+ ){{0,3}}?(?:{words.OCCUPATIONS})\b"
        r"(?: (?:at|for|in|with|from|specializing in|specialising in) [^,.;!?]+)?)"
    )
    return [
        rule(
            rf"i (?:work|am working|have been working) as {X}",
            "The user works as {x}.",
            objects.with_article,
            "job",
        ),
        rule(
            r"my (?:job|profession|occupation) is (?:being )?(?P<x>an? .+)",
            "The user's job is {x}.",
            objects.with_article,
            "job",
        ),
        rule(
            rf"i (?:have )?(?:started|got|landed) (?:a|my) (?:new |first )?job as {X}",
            "The user has a job as {x}.",
            objects.with_article,
            "job",
        ),
        rule(
            rf"i (?:have )?(?:just )?graduated from {X}",
            "The user graduated from {x}.",
            objects.thing,
            "school:{key}",
        ),
        rule(
            r"i (?:study|am studying|go to (?:school|college|university)) at "
            rf"(?P<x>(?:the )?(?:{_SCHOOL}))(?=$|[.!,;]| (?:now|and|in|right|this|since|as))",
            "The user studies at {x}.",
            word,
            "school:{key}",
        ),
        rule(
            rf"i (?:have )?(?:became|become) an? {job}",
            "The user became a {x}.",
            objects.occupation,
            "job",
        ),
        rule(
            rf"i am (?P<a>an?) {job}(?=$|[.!,;]| )",
            "The user is {a} {x}.",
            objects.occupation,
            "job",
        ),
        rule(
            rf"i (?:work|am working|have been working) (?:at|for) {X}",
            "The user works for {x}.",
            objects.employer,
            "employer",
        ),
        rule(
            "i (?:started|joined|have joined|have started) (?:working )?(?:at|"
            r"with)? ?(?P<x>[A-Z]\S*.*? as .*)",
            "The user joined {x}.",
            _capitalised,
            "employer",
        ),
        rule(
            r"i (?:work|am working) in (?P<x>[a-z].+)",
            "The user works in {x}.",
            _field,
            "field of work",
        ),
        rule(
            r"i work (?P<x>from home|remotely|part[- ]time|full[- ]time|night shifts|shifts)" + END,
            "The user works {x}.",
            word,
        ),
        rule(
            r"i (?:am (?:studying|majoring in)|study|major in) (?P<x>.+? at [A-Z].*)",
            "The user studies {x}.",
            objects.thing,
            "studies",
        ),
        rule(
            rf"(?:i major in|my major is) {X}", "The user's major is {x}.", objects.thing, "studies"
        ),
        rule(
            r"i have (?P<n>\d+|\w+) years of (?P<x>experience (?:in|with|as) .+)",
            "The user has {n} years of {x}.",
            objects.thing,
        ),
        rule(
            "i (?:run|own) (?P<x>(?:an?|my own) .*(?:business|company|shop|store|bakery|"
            "restaurant|"
            r"startup|agency|studio|café|cafe|farm)\b.*)",
            "The user runs {x}.",
        ),
    ]


def _capitalised(raw: str) -> list[str]:
    return objects.thing(raw) if raw[:1].isupper() else []


def _field(raw: str) -> list[str]:
    found = cuts.cut(raw)
    refused = r"(?:an?|the|my|this|that|our|progress|groups?|pairs|silence|peace|person|shifts)\b"
    return [] if cuts.is_pointer(found) or re.match(refused, found) else [found]


def _school(text: str) -> str:
    """Which school it is, without when and in what."""
    found = re.match(rf"(?:the )?({_CAPITALS})", text)
    return (
        re.sub(r" (?:University|College)$", "", found[1]).casefold() if found else text.casefold()
    )
