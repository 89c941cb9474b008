"""The form of a turn: what can be seen without knowing what it is about."""

import re
from dataclasses import dataclass

from memory_core.records import Page
from memory_core.text import parted

LOOKED_AT = 800
"""Characters of each side that are looked at."""

MOST = 4.0
"""Of words about oneself, beyond which more of them say nothing more."""

LETTERS_OF_A_TERM = 1.6
"""Of unspaced scripts: characters that say as much as a word does."""

# These three are looked for in casefolded text: ignoring case in the pattern takes twice as long.
_OWN = re.compile(r"\b(?:i|my|we|our|me|i['’]\w+|we['’]\w+)\b|[我俺咱私僕]")
_OTHER = re.compile(r"\b(?:you|your|you['’]re)\b|[你您]|あなた")
_QUESTION = re.compile("[?？]|[吗嗎呢][。！!]?$|ですか|ますか")
_DIGIT = re.compile(r"\d")
_QUOTED = re.compile('["“”«»「『《]')
# "Mary Ann Smith: hi", and not "The plan: ...".
_SPEAKER = re.compile(r"\s*([^\W\d_][\w.'’-]*(?: [^\W\d_a-z][\w.'’-]*){0,2})(?:: |：)\S")
# A capital inside a sentence: a name, of whatever.
_NAME = re.compile(r"(?<=[\w,;:] )[A-Z][a-z]+")
_TIME = re.compile(
    r"\b(?:yesterday|today|tonight|tomorrow|weeks?|weekend|months?|years?|ago|last|next|since"
    r"|recently|just|mornings?|evenings?|nights?|(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    r"|january|february|march|april|may|june|july|august|september|october|november|december"
    r"|\d{4})\b"
    "|昨天|昨晚|前天|今天|今晚|今早|明天|后天|上周|下周|这周|周末|星期|礼拜|上个月|下个月|这个月"
    "|去年|今年|明年|前年|刚刚|最近|以前|之前|[年月日号]前?|昨日|今日|明日|先週|来週|今週|先月|来月"
    "|今月|来年|週間",
)
_WORD = re.compile(r"\w+")


@dataclass(frozen=True, slots=True)
class Form:
    """Numbers about the form of a turn.

    question: 1 when it asks and nobody answers in it; own, other: words for "I" and "you"; time,
    digits, quoted: 1 when there is any; names: capitalised words; length: words; speaker: who says
    it, casefolded, when its meta_data says so or the turn begins with "Name: ", else "".
    """

    question: float
    own: float
    other: float
    time: float
    digits: float
    names: float
    quoted: float
    length: float
    speaker: str


def form_of(page: Page) -> Form:
    """The form of a page: of what the user said, or of the only side there is."""
    text = (page.user_input or page.agent_response)[:LOOKED_AT]
    answered = bool(page.user_input and page.agent_response)
    whole = f"{text}\n{page.agent_response[:LOOKED_AT]}" if answered else text
    folded = text.casefold()
    return Form(
        question=float(not answered and _QUESTION.search(text) is not None),
        own=min(MOST, len(_OWN.findall(folded))),
        other=min(MOST - 1, len(_OTHER.findall(folded))),
        time=float(_TIME.search(whole.casefold()) is not None),
        digits=float(_DIGIT.search(whole) is not None),
        names=float(len(_NAME.findall(whole))),
        quoted=float(_QUOTED.search(whole) is not None),
        length=_length(whole),
        speaker=_speaker(page, text),
    )


def _speaker(page: Page, text: str) -> str:
    """Of "Note: this" it is "note", which does no harm: it counts where a question names it."""
    said = _SPEAKER.match(text)
    told = page.meta_data.get("speaker")
    name = told if isinstance(told, str) and told.strip() else said[1] if said else ""
    return name[:LOOKED_AT].strip().casefold()


def _length(text: str) -> float:
    """In words, or what says as much in scripts without spaces."""
    spaced, unspaced = (text, 0) if text.isascii() else parted(text)
    return len(_WORD.findall(spaced)) + unspaced / LETTERS_OF_A_TERM
