"""English objects cut at the end of their clause, in the third person; and pointers."""

import re
from functools import cache

LONGEST_OBJECT = 90
MOST_WORDS = 14
PUNCTUATION = " .!?,;:~-…“”"

_OWN = {
    "my": "their",
    "me": "them",
    "myself": "themselves",
    "mine": "theirs",
    "i": "they",
    "i am": "they are",
    "i'm": "they are",
    "i've": "they have",
    "i was": "they were",
    "our": "their",
    "we": "they",
    "us": "them",
    "i'll": "they will",
    "i'd": "they would",
}


def cut(raw: str, *, at_comma: bool = True) -> str:
    """The object up to the end of its clause, without what hangs on to it."""
    end = (_end_or_comma() if at_comma else _end()).search(raw)
    found = raw[: end.start()] if end else raw
    found = _tail().sub("", " ".join(found.split()).strip(PUNCTUATION)).strip(PUNCTUATION)
    if found.count('"') % 2:
        return found.replace('"', "")
    return found.strip('"') if found.count('"') == 2 and found[0] == found[-1] else found


def is_pointer(found: str) -> bool:
    """Whether the object is empty, too long, about the reader, or points elsewhere."""
    if not found or len(found) > LONGEST_OBJECT or len(found.split()) > MOST_WORDS:
        return True
    return _vague().search(found) is not None


def third_person(text: str) -> str:
    """The text with the user's own pronouns as those of somebody spoken about."""
    return _own().sub(lambda match: _OWN[match[0].lower()], text)


@cache
def _own() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:i am|i was|i'm|i've|i'll|i'd|myself|my|mine|me|i|our|we|us(?!\b[.A-Z]))\b(?!['.]\w)",
        re.IGNORECASE,
    )


@cache
def _end() -> re.Pattern[str]:
    return re.compile(
        r";|\s[-–—]\s|—|\(|\.\s|,? (?:because|'?cause|cuz|cos|but|so(?! far)|since (?:i|it|we|"
        "my|they|he|she)|when|whenever"
        "|while|which|where|who|although|though|whereas|unless|if|until i|as (?:i|it|they|well|"
        "much)"
        "|and (?:i|it|that|this|they|we|he|she|my|have|am|also|so|feeling|finding|thinking|"
        "wondering|having|was|is|are|would|can|can't)"
        "|(?<!and )then|please|lol|haha|by the way|however|especially|particularly|by (?:them|"
        "him|her)|now and then|"
        "from time to time|every now|like you|"
        "thanks|thank you"
        r"|would|can you|could you|do you|what|is there|any|not)\b|, (?:it|they|that|this|he|"
        "she|we|i|my"
        "|and it|or|too|right|you know|you|the|there|such as|like|a variety|among others|"
        "including|as|one of|"
        "especially|with"
        r"|is|are|all|these|how|for|to)\b",
        re.IGNORECASE,
    )


@cache
def _end_or_comma() -> re.Pattern[str]:
    return re.compile(rf",|{_end().pattern}", re.IGNORECASE)


@cache
def _tail() -> re.Pattern[str]:
    return re.compile(
        "(?: (?:too|as well|last (?:week|month|year)|now|anymore|any more|any longer|right now|"
        "these days|at the moment|"
        "though|"
        r"currently|actually|a lot|very much|so much|the most|lately|recently|again|for now|already"
        r"|either|at all|both of|all of|one of|and|or|the best|more than anything))+$",
        re.IGNORECASE,
    )


@cache
def _vague() -> re.Pattern[str]:
    return re.compile(
        "^(?:it|that|this|these|those|them|they|him|her|he|she|both|all|everything|anything|"
        "nothing"
        "|something|someone|one|ones|most|some|same|what|how|when|where|why|whatever|here|"
        "there|such"
        r"|like|more|another|others?|lots?|each|either|neither|not|no|yes|very|too|so|to be honest"
        "|everywhere|everyone|everybody|to$|a ton|a lot|so much|the same|the idea|the way|the "
        r"fact)\b|\b(?:you|your|yours|u|ur)\b|[?<>{}=]|https?:",
        re.IGNORECASE,
    )
