"""Whether a statement takes somebody else for the user: "my teacher moved" makes nobody a teacher.

Small models do that. Only bare statements of what somebody is are looked at, in three languages.
A sentence in which the user speaks of themselves speaks for the statement, whatever else it says:
a doubtful one is better kept than a true one refused.
"""

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache

from memory_core.heuristic.chinese.words import RELATIVES
from memory_core.sentences import sentences
from memory_core.text import HAN, KATAKANA


@dataclass(frozen=True, slots=True)
class _Language:
    """claim: a statement of what the user is, group x; own: a sentence of the user about
    themselves; others: how a sentence says x of somebody else, up to x.
    """

    claim: re.Pattern[str]
    own: re.Pattern[str]
    others: str


def is_of_others(text: str, said: Sequence[str]) -> bool:
    """Whether a statement says that the user is what was said of others only.

    Args:
        said: what users said, and what is known of them.
    """
    for language in _languages():
        if found := language.claim.match(text):
            noun = re.escape(found["x"].casefold())
            noun = rf"\b{noun}\b" if noun.isascii() else noun
            told = _sentences(said)
            spoken = [one for one in told if re.search(noun, one)]
            if not spoken or any(_me_too().search(one) for one in told):
                return False
            return all(_tells_of_others(one, noun, language) for one in spoken)
    return False


def _sentences(said: Sequence[str]) -> list[str]:
    return [one for part in said for one in sentences(part.casefold())]


def _tells_of_others(sentence: str, noun: str, language: _Language) -> bool:
    if language.own.search(sentence):
        return False
    return len(re.findall(noun, sentence)) <= len(re.findall(language.others + noun, sentence))


@cache
def _me_too() -> re.Pattern[str]:
    """What may stand in another sentence than what it is about."""
    return re.compile(
        r"\b(?:so am|so do) i\b|\bme,? too\b|\bi(?:['’]m| am)(?: one)?,? (?:too|as well)\b"
        r"|我也|私も"
    )


@cache
def _languages() -> tuple[_Language, ...]:
    return _english(), _chinese(), _japanese()


def _english() -> _Language:
    owner = "(?:my|our|his|her|their)"
    few = r"(?:(?!(?:is|was|as|an?|the)\b)[\w-]+ ){0,2}"
    subject = rf"(?:he|she|{owner} [\w-]+(?: [\w-]+)?)"
    copula = r"(?:['’]s|,| is| was| became| works as| worked as| used to be)(?: now| also| still)?"
    is_one = r"(?:is|was)(?: currently| now)?|works as|is working as"
    being = rf"(?:(?:the )?user )?(?:{is_one}) (?:an? |the )"
    return _Language(
        claim=re.compile(
            rf"(?:{being}|(?:occupation|job|profession|role|work): )"
            r"(?:(?!(?:of|at|in|for|from|with|to)\b)[\w-]+ ){0,3}?(?P<x>[\w-]+)\W*$",
            re.I,
        ),
        own=re.compile(
            r"\bi\b(?:['’]m| am| was| work| have been| became| used to| do)\b|\b(?:am|do|was) i\b"
            r"|\bmyself\b|\bas an? \w+,? i\b|\bi['’](?:m|ve been)\b|\bmy name\b"
            r"|\bmy (?:[\w-]+ ){0,3}(?:job|work|trade|profession|occupation|role|title|career"
            r"|degree|shift|licen[cs]e)\b|\bwe\b"
        ),
        others=rf"(?:\b{owner} {few}|\b{subject}{copula} (?:an?|the) (?:[\w-]+ ){{0,2}})",
    )


def _chinese() -> _Language:
    person = f"(?:他们?|她们?|(?:{RELATIVES}|老师|老師|邻居|鄰居|媽媽|爸爸))"
    user = "(?:用户|用戶)的?(?:职业|職業|工作)?(?:是|当|當)(?:一?[名位个個])?"
    being = "(?:现在|現在|以前|也|就|曾经?)?(?:是|当|當)(?:一?[名位个個])?"
    return _Language(
        claim=re.compile(rf"(?:{user}|(?:职业|職業|工作)[:：] ?)(?P<x>[{HAN}]{{2,8}})[。.]?$"),
        own=re.compile(
            "我(?:们|們)?(?:也|是|当|當|做|在|从事|從事|和|跟|都|以前|现在|現在|曾|本人|自己|这|這|(?!的)一)"
            "|(?:我们|我們)(?!的)"
        ),
        others=rf"(?:(?:[我你]|[我你][们們]|{person})的|我(?=老师|老師)|{person}{being})",
    )


def _japanese() -> _Language:
    kin = "彼女?|母|父|兄|姉|弟|妹|妻|夫|息子|娘|祖父|祖母|友人|友達|先生|上司"
    return _Language(
        claim=re.compile(
            rf"ユーザー(?:の(?:職業|仕事))?は(?P<x>[{HAN}{KATAKANA}]{{2,10}})(?:です|だ|である)?。?$"
        ),
        own=re.compile("(?:私|僕|俺)(?:は|も|が)"),
        others=rf"(?:(?:私|僕|俺|{kin})の|(?:{kin})[はもが](?:[{HAN}]{{1,4}}の)?)",
    )
