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

# Words are looked up in sets and signs are sought only where there are any: one pattern that knows
# all of them takes three times as long.
_OWN = frozenset(("i", "my", "we", "our", "me"))
_OTHER = frozenset(("you", "your"))
_TIMES = frozenset(
    "yesterday today tonight tomorrow week weeks weekend month months year years ago last next"
    " since recently just morning mornings evening evenings night nights"
    " monday tuesday wednesday thursday friday saturday sunday"
    " january february march april may june july august september october november december".split()
)
_OWN_SIGNS = re.compile("[我俺咱私僕]")
_OTHER_SIGNS = re.compile("[你您]|あなた")
_TIME_SIGNS = re.compile(
    "昨天|昨晚|前天|今天|今晚|今早|明天|后天|上周|下周|这周|周末|星期|礼拜|上个月|下个月|这个月"
    "|去年|今年|明年|前年|刚刚|最近|以前|之前|[年月日号]|昨日|今日|明日|先週|来週|今週|先月|来月"
    "|今月|来年|週間",
)
_QUESTION = re.compile("[?？]|[吗嗎呢][。！!]?$|ですか|ますか")
_DIGIT = re.compile(r"\d")
_QUOTED = re.compile('["“”«»「『《]')
# "Mary Ann Smith: hi", and not "The plan: ...".
_SPEAKER = re.compile(r"\s*([^\W\d_][\w.'’-]*(?: [^\W\d_a-z][\w.'’-]*){0,2})(?:: |：)\S")
# A capital inside a sentence: a name, of whatever. The capital is sought first, which is faster.
_NAME = re.compile(r"[A-Z](?<=[\w,;:] [A-Z])[a-z]+")
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
    answer = page.agent_response[:LOOKED_AT] if page.user_input else ""
    whole = f"{text}\n{answer}"
    said, signs = _words(text)
    answered, answered_signs = _words(answer) if answer else ([], 0)
    digits = _DIGIT.search(whole) is not None
    own, other = sum(map(_OWN.__contains__, said)), sum(map(_OTHER.__contains__, said))
    if signs:
        own += len(_OWN_SIGNS.findall(text))
        other += len(_OTHER_SIGNS.findall(text))
    return Form(
        question=float(not answer and _QUESTION.search(text) is not None),
        own=min(MOST, own),
        other=min(MOST - 1, other),
        time=float(
            not _TIMES.isdisjoint(said)
            or not _TIMES.isdisjoint(answered)
            or (digits and any(map(_is_a_year, (*said, *answered))))
            or (signs + answered_signs > 0 and _TIME_SIGNS.search(whole) is not None)
        ),
        digits=float(digits),
        names=float(len(_NAME.findall(whole))),
        quoted=float(_QUOTED.search(whole) is not None),
        length=len(said) + len(answered) + (signs + answered_signs) / LETTERS_OF_A_TERM,
        speaker=_speaker(page, text),
    )


def _words(text: str) -> tuple[list[str], int]:
    """Its words, casefolded, and how many signs of scripts without spaces it has."""
    spaced, signs = (text, 0) if text.isascii() else parted(text)
    return _WORD.findall(spaced.casefold()), signs


def _is_a_year(word: str) -> bool:
    return len(word) == len("2024") and word.isdecimal()


def _speaker(page: Page, text: str) -> str:
    """Of "Note: this" it is "note", which does no harm: it counts where a question names it."""
    said = _SPEAKER.match(text)
    told = page.meta_data.get("speaker")
    name = told if isinstance(told, str) and told.strip() else said[1] if said else ""
    return name[:LOOKED_AT].strip().casefold()
