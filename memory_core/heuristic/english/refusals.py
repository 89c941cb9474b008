"""What English objects are not: a rule says nothing rather than a wrong thing."""

import re
from functools import cache

from memory_core.heuristic.english import words


@cache
def pointing_taste() -> re.Pattern[str]:
    """Tastes that point at the conversation: "the actors", "to think that", "learning more"."""
    known = (
        "sea|ocean|beach|mountains?|outdoors|theatre|theater|cinema|gym|piano|guitar|violin|"
        "countryside"
        r"|rain|snow|[A-Z]"
    )
    return re.compile(
        f"(?i:the )(?!{known})|(?i:to (?:think|say|know|believe|imagine|see|hear|thank|ask|add|"
        "share|be"
        r"|learn more|try|discuss|chat|talk)\b|(?:learning|knowing|hearing|finding|"
        "understanding|talking"
        r"|chatting|getting|trying|being|seeing|having) (?:more|about|how|out|to|with|able|the)\b"
        r"|chatting|talking|a lot|his|its|their|any|many)\b"
    )


@cache
def one_thing() -> re.Pattern[str]:
    """Objects whose "and" joins no list."""
    return re.compile(
        r"^to |\b(?:on|about|of|with|in|from|by|for|between|at|over|to|near|around|through|such "
        "as|like"
        r"|as|that|is|are|was|were)\b.*(?:,| and )| and .*\b(?:of|in|for|with|at|about|from)\b"
        r"|\b(?:mac|salt|fish|rock|drum|bed|bread|arts|rhythm|black|peanut butter|gin|cut|bits|ham|"
        r"bacon|sweet|hot|hide|trial|research|rest|peace|life|each) (?:and|&) ",
        re.IGNORECASE,
    )


@cache
def place_form() -> re.Pattern[str]:
    """A place by name, with what may stand around it."""
    area = (
        r"town|city|village|suburbs?|outskirts|north|south|east|west|centre|center|heart|middle|"
        r"countryside|area|district|neighbou?rhood|part|island|state|province|mountains|coast"
    )
    part = r"(?!(?:I|My|We|It|And|But)\b)[^\W\d_a-z][\w'-]*"
    joined = rf"{part}(?: (?:{part}|(?:of|the|de|la|le|del|di|da|do|am|sur|upon|St\.)(?= )))*"
    return re.compile(
        rf"(?:(?:an?|the) (?:[a-z-]+ ){{0,2}}(?:{area}) (?:of|in|near|outside|called|close to) )?"
        "(?:(?:near|outside|downtown|central|northern|southern|eastern|western|rural|north|"
        "south) )?"
        rf"(?:the )?{joined}(?:, {joined})?"
    )


@cache
def month_or_day() -> re.Pattern[str]:
    """Capitalised words that are no places."""
    return re.compile(
        r"(?:January|February|March|April|May|June|July|August|September|October|November|December"
        r"|Monday|Tuesday|Wednesday|Thursday|Friday|Saturday|Sunday|Spring|Summer|Autumn|Winter)"
    )


@cache
def no_place() -> re.Pattern[str]:
    """What one lives in without living there: "in fear"."""
    return re.compile(
        "(?:fear|hope|denial|peace|poverty|pain|here|there|town|harmony|luxury|constant|person|"
        "general"
        "|hell|heaven|style|exile|isolation|silence|darkness|misery|comfort|chaos|reality|"
        "abroad|alone"
        "|together|today|downtown|college|school|university|dorms?|apartments?|that|this|your|"
        "their"
        r"|between|different|another|with|near|terror|shame|anger|sadness|paradise|nature|squalor)"
    )


@cache
def no_name() -> re.Pattern[str]:
    """Words where a name is expected that are none."""
    days = "monday|tuesday|wednesday|thursday|friday|saturday|sunday"
    return re.compile(
        f"(?:(?:{days}|{words.DEMONYMS}|{words.BELIEFS})s?|{words.LANGUAGES}|not|on|the|an?|in|"
        "irrelevant|here|there|"
        "too|when"
        "|what|whatever|later|back|now|tomorrow|today|tonight|crazy|old|fashioned|sir|maybe|it|"
        "so|ok"
        "|okay|mum|mom|i|my|secret|hard|very|pretty|also|actually|always|never|at|if|is|was|"
        "has|will|back|done|home|sorry|fine|good|happy|sick|tired|sad|busy|batman|god|jealous|"
        "(?:gen|team|pro|anti|type) .*)",
        re.IGNORECASE,
    )


@cache
def no_employer() -> re.Pattern[str]:
    """What one works at or for that is no employer: "at night"."""
    return re.compile(
        r"(?:an?|the|my|this|that|our|one)(?: \w+)? (?:company|place|job|office|team|firm|boss|"
        r"employer)\b"
        "|(?:the )?(?:night|home|weekends?|moment|present|least|free|fun|hours|living|work|"
        r"noon|dawn)\b"
        r"|\d|(?:a |full |my )?(?:living|pace|desk|computer|best|free|own pace|improving|"
        r"getting)\b",
        re.IGNORECASE,
    )


@cache
def no_plan() -> re.Pattern[str]:
    """Plans for this conversation or this hour, not for a life."""
    return re.compile(
        "(?:know|ask|share|talk|thank|say|tell|hear|see|check|discuss|find out|do|try|make|"
        "understand"
        "|think|chat|express|apologi[sz]e|add|mention|point|confirm|clarify|have a (?:chat|"
        "look|try)"
        "|take a (?:look|break|nap|rest|shower|note|walk)|go (?:there|to bed|to sleep|now|home|"
        "back|out"
        "|for a|to the|and|take|with|see)|come|continue|keep|help|give|use|bed|sleep|rest|eat|"
        "relax|vent"
        r"|rant|be (?:able|honest|sure|clear|more|there|here|careful|late|happy|good|the|a bit)|pay"
        "|show|let|get (?:some|more|a sense|to know|your|it|back|started|better at)|look|"
        "explore|consider"
        "|cook (?:dinner|lunch)|watch|have (?:dinner|lunch|a)|meet|the|need|seem|feel|stay|set|"
        "put|call"
        "|incorporate|apply (?:these|this|what)|communicate|focus|consult|communicate|take "
        "(?:part|the|some"
        "|your|this|these|care)|learn from|learn (?:more|some|about|these|this|what|how to do|"
        r"your))\b",
        re.IGNORECASE,
    )


@cache
def pointing_end() -> re.Pattern[str]:
    """Plans that end in something said before."""
    return re.compile(
        r"\b(?:it|that|this|there|them|too|again|one|those|these|here|him|her|with you|some"
        r"|such (?:a|an)?.*|things?|like this|like that)$",
        re.IGNORECASE,
    )


def no_clause(item: str) -> bool:
    """Whether an item of a list is no clause: what follows "which makes me sick" is none either."""
    return _clause().search(item) is None


def is_aside(item: str) -> bool:
    """Whether it only says something of the item before it: "just a bit"."""
    return re.match(r"(?:not|just|only|mostly|especially)\b", item) is not None


@cache
def _clause() -> re.Pattern[str]:
    return re.compile(
        r"^(?:so(?!-)|which|that|but|because|though)\b"
        r"| (?:makes?|causes?|gives?|triggers?|sends?|means?|is|are|was|were|will|can|could|has|"
        r"have)\b"
    )
