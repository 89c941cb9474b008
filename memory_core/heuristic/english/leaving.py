"""English rules for a change of employer.

Who leaves an employer leaves the job there too; who only joins one may keep their occupation.
"""

import re
from functools import cache

from memory_core.heuristic import rules
from memory_core.heuristic.english import objects, proper, refusals
from memory_core.heuristic.english.forms import END, X, a_rule
from memory_core.heuristic.rules import Rule

NO_JOB = ("The user left their previous job.", "job")
NO_EMPLOYER = ("The user left their previous employer.", "employer")


def leaving() -> list[Rule]:
    """Employers left and joined, each as the attribute "employer"."""
    job = r"(?:an? |my )?(?:new |great |first )*(?:job|position|role)(?: offer)? (?:at|with)"
    lost = r"(?:laid off|fired|let go|made redundant)"
    return [
        a_rule(
            rules.WORK,
            rf"i (?:have )?(?:left|quit|resigned from|(?:was|got) {lost} (?:by|from)) "
            rf"(?:my (?:old )?job (?:at|with) )?{X}",
            "The user left {x}.",
            organisation,
            "employer",
            ends=True,
            besides=NO_JOB,
        ),
        a_rule(
            rules.WORK,
            r"i (?:have )?(?:quit|left|lost|resigned from|gave up) my (?:old )?job" + END,
            "The user left their job.",
            attribute="job",
            besides=NO_EMPLOYER,
        ),
        a_rule(
            rules.WORK,
            rf"i (?:was|got|have been) (?P<v>{lost})(?! (?:by|from) )" + END,
            "The user was {v}.",
            attribute="job",
            besides=NO_EMPLOYER,
        ),
        a_rule(
            rules.WORK,
            r"i (?:have )?(?P<v>resigned|retired)" + END,
            "The user {v}.",
            attribute="job",
            besides=NO_EMPLOYER,
        ),
        a_rule(
            rules.WORK,
            rf"i (?:have )?(?:joined|started (?:working )?(?:at|with|for)|(?:got|started|landed|"
            rf"found|accepted|took|have|have got) {job}) {X}",
            "The user joined {x}.",
            organisation,
            "employer",
        ),
    ]


def organisation(raw: str) -> list[str]:
    """An employer by name with at most a time after it; no person, place or network."""
    match = _organisation().fullmatch(raw.strip(" .!,"))
    if match is None:
        return []
    found = match["name"]
    others = f"{proper.PLACES}|{proper.GIVEN_NAMES}|{proper.CLUBS}"
    refused = re.fullmatch(others, found, re.IGNORECASE) or refusals.no_employer().match(found)
    return [] if refused else [found]


@cache
def _organisation() -> re.Pattern[str]:
    capital = r"(?!(?:I|My|We)\b)" + objects.CAPITAL
    when = (
        r"(?:last|this) (?:week|month|year|spring|summer|autumn|fall|winter|[A-Z]\w+day)|recently|"
        r"yesterday|today|already|in (?:19|20)\d\d|(?:in|on) [A-Z]\w+(?: \d+)?|now|after .{1,30}|"
        r"(?:an?|\w+|a few|a couple of) (?:days|weeks?|months?|years?) ago|since .{1,20}"
    )
    return re.compile(
        rf"(?P<name>(?:the )?{capital}(?: (?:{capital}|(?:of|and|&|the|de)(?= )))*?)"
        rf"(?:,? (?:{when}))?"
    )
