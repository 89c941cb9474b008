"""English sentences: which clauses of them state something, and what."""

import re
from collections.abc import Iterator
from functools import cache

from memory_core.heuristic import rules
from memory_core.heuristic.english import words
from memory_core.heuristic.english.objects import as_said
from memory_core.heuristic.english.rules import assistant_rules, user_rules
from memory_core.heuristic.english.wishes import EACH_TIME
from memory_core.heuristic.rules import Finding


def is_written_in(sentence: str) -> bool:
    """Whether the sentence has an English word that a rule could begin with."""
    return _opening().search(sentence) is not None


def user_findings(sentence: str) -> Iterator[Finding]:
    """What the user states of themselves in one sentence."""
    for clause in _clauses(sentence):
        found = list(rules.findings(clause, user_rules()))
        yield from found or _to_remember(sentence, clause)


def assistant_findings(sentence: str) -> Iterator[Finding]:
    """What the assistant states of itself, promises or advises in one sentence."""
    for clause in _clauses(sentence):
        yield from rules.findings(clause, assistant_rules())


def _to_remember(sentence: str, clause: str) -> Iterator[Finding]:
    """A thing that the user asks to be remembered, when no rule understands it better."""
    asked = _remember().match(sentence)
    if asked is None or not clause.lower().startswith(("my ", "i ")):
        return
    for said in as_said(clause):
        if clause.lower().startswith("my "):
            yield Finding(text=f"The user's {said.removeprefix('their ')}.", section=rules.OTHER)
        else:
            yield Finding(text=f"The user asked to remember that {said}.", section=rules.OTHER)
        return


def _clauses(sentence: str) -> Iterator[str]:
    sentence = _statement(" ".join(sentence.split()))
    if not sentence or _reported().search(sentence):
        return
    if _each_time().match(sentence):
        yield _bare(sentence)
        return
    if _not_meant().search(sentence):
        return
    sentence = re.sub(r"\([^()]*\)", " ", _bare(sentence))
    if re.match(r"i\b", sentence, re.IGNORECASE):
        same = _same_subject_after_taste() if _taste().match(sentence) else _same_subject()
        sentence = same.sub("; I ", sentence)
    if re.match(r"i (?:have )?(?:just )?(?:sold|bought)\b", sentence, re.IGNORECASE):
        sentence = re.sub(",? and (?=(?:sold|bought|got) (?:an?|my) )", "; I ", sentence)
    if re.match(r"i (?:have|own|also have)\b", sentence, re.IGNORECASE):
        sentence = _another_pet().sub("; I have ", sentence)
    introduces = True
    for part in _borders().split(sentence):
        clause = _normal(_filler().sub("", _bare(part)))
        if clause and not _unsure().search(clause) and (introduces or not _names().match(clause)):
            yield clause
        introduces = _introduction().search(part) is not None


def _statement(sentence: str) -> str:
    """The sentence without the question at its end; "" when all of it is one."""
    asked = _request().match(sentence)
    if asked:
        return sentence[asked.end() :].rstrip("? ")
    if not sentence.rstrip("\"' )").endswith("?"):
        return sentence
    borders = [*_question().finditer(sentence)]
    return sentence[: borders[0].start()] if borders else ""


def _bare(text: str) -> str:
    """The text without list marks, greetings and the like before what it says."""
    return _lead_in().sub("", re.sub(r"^\W+", "", text), count=1).strip(" ,;:-–—\"'")


def _normal(clause: str) -> str:
    for pattern, full in _contractions():
        clause = pattern.sub(full, clause)
    return _adverbs().sub(r"\1 ", clause)


@cache
def _names() -> re.Pattern[str]:
    """ "I am Dan", which states a name at the beginning of a sentence or after a greeting."""
    return re.compile(r"I am [A-Z][a-z]+(?: [A-Z][a-z]+)?\W*$")


@cache
def _introduction() -> re.Pattern[str]:
    return re.compile(r"\b(?:intro\w*|hi|hello|hey|greetings|meet you|about me)\W*$", re.I)


@cache
def _filler() -> re.Pattern[str]:
    """What hangs on to the end of a statement without meaning anything."""
    return re.compile(
        r"(?:,? (?:by the way|btw|fyi|lol|haha+|tbh|just so you know|in case you (?:wondered|were "
        r"wondering|forgot|care)|as it happens|you know|to be honest|just saying|if you must know"
        r"|for your information)|, (?:actually|though|honestly|really|too|i guess|of course|ok|okay"
        r"|thanks|thank you|man|mate|dude|please remember|remember))+\W*$",
        re.IGNORECASE,
    )


@cache
def _opening() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:i|i'm|i've|i'd|i'll|my|we|we've|our|call|always|never|please|remember|from now|"
        rf"in future|today|the (?:{words.PETS}))\b"
        r"|favou?rite|\b(?:your|answers|every|don't|stop|emojis?|whenever)\b",
        re.IGNORECASE,
    )


@cache
def _remember() -> re.Pattern[str]:
    return re.compile(
        r"\W*(?:please )?(?:remember|note|keep in mind|don't forget|be aware)(?: that|:|,)? "
        r"(?:i|my)\b",
        re.IGNORECASE,
    )


@cache
def _each_time() -> re.Pattern[str]:
    """An instruction for each time, and no case that is only supposed."""
    return re.compile(rf"\W*(?:please,? )?{EACH_TIME}", re.IGNORECASE)


@cache
def _not_meant() -> re.Pattern[str]:
    return re.compile(
        r"^\W*(?:if|suppose|supposing|imagine|assuming|when|whenever|unless|once|should i|were "
        "i|had i|as if"
        r"|let's say|say|what if|pretend)\b|\b(?:wish|hypothetically|pretend|imagine|suppose|"
        "just kidding"
        r"|kidding|jk|joking|sarcasm|would have|as if i|even if|/s)(?:\b|$)",
        re.IGNORECASE,
    )


@cache
def _reported() -> re.Pattern[str]:
    return re.compile(
        r"\b(?!i )[\w']+ (?:said|says|say|told|tells|asked|replied|wrote|claimed|thinks|"
        r"claims(?= (?:that|to|it|he|she|they|i|the)\b)|"
        "believes"
        r"|insists|joked)\b(?! (?:to )?my)|\b(?:according to|quote|in the (?:song|book|film|"
        r"movie|story|novel)|the character)\b",
        re.IGNORECASE,
    )


@cache
def _request() -> re.Pattern[str]:
    """A wish for memory in the form of a question."""
    return re.compile(
        r"\W*(?:can|could|will|would) you (?:please )?(?:remember|note|keep in mind) that ", re.I
    )


@cache
def _unsure() -> re.Pattern[str]:
    return re.compile(r"\b(?:maybe|perhaps|might|probably|possibly)\b|^i (?:think|guess)", re.I)


@cache
def _lead_in() -> re.Pattern[str]:
    return re.compile(rf"^(?:(?:{words.LEAD_INS})(?:[\s,:;!.…–—-]+|$))+(?=\S)", re.IGNORECASE)


@cache
def _borders() -> re.Pattern[str]:
    mine = r"(?:i|i'm|i've|i'd|i'll|my|please|call me)\b"
    return re.compile(
        rf";|\s[–—-]\s|—|: (?={mine})|,? (?:but|because|although|though|whereas|while|since|so)"
        f"(?:,| )(?={mine})"
        rf"|,? and (?:also )?(?={mine}|today is my)|, (?={mine})|\.{{2,}}\s|…",
        re.IGNORECASE,
    )


@cache
def _same_subject() -> re.Pattern[str]:
    verbs = (
        r"live|work|love|like(?! i\b| it\b| a\b)|enjoy|hate|prefer|study|speak|play|have|am|was "
        "born|come from|own|drive|left|joined|quit|started at|resigned|"
        "want to|plan to|moved to|grew up|don't|do not|can't|hope to|adore|dislike"
    )
    return re.compile(
        rf",? (?:and|but) (?:(?:also|now|currently|really) )?(?=(?:{verbs})\b)", re.IGNORECASE
    )


@cache
def _taste() -> re.Pattern[str]:
    return re.compile(
        r"i (?:[a-z]+ )?(?:like|love|enjoy|prefer|hate|adore|am into)\b", re.IGNORECASE
    )


@cache
def _same_subject_after_taste() -> re.Pattern[str]:
    """After "I like", "and love" or "and play" may be nouns: "I like the peace and love theme"."""
    states = "live|have|am|was born|hate|don't|do not|can't|speak|own|come from"
    verbs = f"{states}|want to|plan to|sold|bought"
    return re.compile(rf",? (?:and|but) (?:also )?(?=(?:{verbs})\b)", re.IGNORECASE)


@cache
def _another_pet() -> re.Pattern[str]:
    return re.compile(
        rf",? and (?=(?:an?|one|two|three) (?:\w+ )?(?:{words.PETS})s?\b)", re.IGNORECASE
    )


@cache
def _question() -> re.Pattern[str]:
    return re.compile(
        r"[,;:.!–—-]+\s*(?:(?:and|but|so|then)\s+)?(?=(?:what|which|who|how|where|when|why|can|"
        "could|do|"
        r"does|did|is there|are there|should|would|will|any|have you|what's|is it|are you)\b)"
        r"|\s(?:and|but|so)\s+(?=(?:what|which|how|where|can you|could you|do you|should i|"
        r"would you)\b)",
        re.IGNORECASE,
    )


@cache
def _contractions() -> tuple[tuple[re.Pattern[str], str], ...]:
    forms = (
        (r"^i'?m\b", "I am"),
        (r"^i've\b", "I have"),
        (r"^i'll\b", "I will"),
        (r"^i'd\b", "I would"),
        (r"\bdon'?t\b", "do not"),
        (r"\bdoesn't\b", "does not"),
        (r"\bcan't\b", "can not"),
        (r"\bcannot\b", "can not"),
        (r"\bcouldn't\b", "could not"),
        (r"^we've\b", "we have"),
        (r"\bisn't\b", "is not"),
        (r"\b(today|tomorrow|name|birthday)'s\b(?! (?:name|party))", r"\1 is"),
    )
    return tuple((re.compile(form, re.IGNORECASE), full) for form, full in forms)


@cache
def _adverbs() -> re.Pattern[str]:
    return re.compile(
        r"^(i(?: am| have| do not| would| will| can)?(?: not)?(?: been)?) "
        rf"(?:(?:{words.ADVERBS}) )+",
        re.IGNORECASE,
    )
