"""The event by which a question bounds its time: "before I moved", 我搬家之前."""

import re
from dataclasses import dataclass

LOOKED_AT = 800
"""Characters of a question that are looked at."""

_AFTER = re.compile("after|since|后|後|あと", re.IGNORECASE)
_ENGLISH = re.compile(
    r"\b(?P<side>before|after|since|until|till) (?P<what>(?:i|we|my|our)\b[^,.;:?!]{3,80})",
    re.IGNORECASE,
)
_CHINESE = re.compile("(?P<what>我[^，。？！；,.?!;]{1,20}?)(?:[之以](?P<side>[前后後]))")
_JAPANESE = re.compile(
    "(?P<what>[^、。？！,.?!\\s]{1,20}(?:[るすくぐむぶつう]|[たんい]だ|た))(?P<side>前|後|あと)(?=[にはの、]|$)"
)


@dataclass(frozen=True, slots=True)
class Event:
    """what: the words that tell of it; after: whether the time behind it is meant."""

    what: str
    after: bool


def event_in(question: str) -> Event | None:
    """What a question names a time by, in English, Chinese or Japanese; None: nothing."""
    asked = question[:LOOKED_AT]
    for pattern in (_ENGLISH, _CHINESE, _JAPANESE):
        if found := pattern.search(asked):
            return Event(found["what"].strip(), _AFTER.fullmatch(found["side"]) is not None)
    return None
