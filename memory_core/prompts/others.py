"""Whether a statement takes somebody else for the user: "my teacher moved" makes nobody a teacher.

Small models do that. Only plain statements of what somebody is are looked at, in three languages,
and a noun that stands anywhere without an owner or another subject passes.
"""

import re
from collections.abc import Sequence
from functools import cache

from memory_core.heuristic.chinese.words import RELATIVES
from memory_core.text import HAN, KATAKANA


def is_of_others(text: str, said: Sequence[str]) -> bool:
    """Whether a statement says that the user is what was said of others only.

    Args:
        said: what users said, and what is known of them.
    """
    for claim, theirs in _languages():
        if found := claim.match(text):
            noun = re.escape(found["x"].casefold())
            whole = "\n".join(said).casefold()
            spoken = len(re.findall(_bounded(noun), whole))
            return 0 < spoken <= len(re.findall(theirs + _bounded(noun), whole))
    return False


def _bounded(noun: str) -> str:
    return rf"\b{noun}\b" if noun.isascii() else noun


@cache
def _languages() -> tuple[tuple[re.Pattern[str], str], ...]:
    """How a statement says what the user is, and how users say it of others."""
    english = re.compile(
        r"(?:(?:the user )?(?:is|was|works as|is working as)|(?:job|occupation|profession):) "
        r"(?:an? |the )(?:[\w-]+ ){0,3}?(?P<x>[\w-]+)\W*$",
        re.I,
    )
    chinese = re.compile(
        rf"用户的?(?:职业|工作)?(?:是|当)(?:一?[名位个])?(?P<x>[{HAN}]{{2,8}})[。.]?$"
    )
    japanese = re.compile(
        rf"ユーザー(?:の(?:職業|仕事))?は(?P<x>[{HAN}{KATAKANA}]{{2,10}})(?:です|だ|である)?。?$"
    )
    owner = r"(?:my|our|his|her|their|your|\w+['’]s)"
    own_work = "job|work|trade|profession|occupation|role|title"
    few = r"(?:(?!(?:is|was|as|an?|the|i)\b)[\w-]+ ){0,2}"
    subject = rf"(?:he|she|{owner} (?!(?:{own_work})\b)[\w-]+(?: [\w-]+)?)"
    copula = r"(?:['’]s|,| is| was| became| works as| worked as| used to be)(?: now| also| still)?"
    relatives = f"{RELATIVES}|老师|老板|邻居"
    person = f"(?:他们?|她们?|(?:{relatives}))"
    kin = "彼女?|母|父|兄|姉|弟|妹|妻|夫|息子|娘|祖父|祖母|友人|友達|先生|上司"
    return (
        (english, rf"(?:\b{owner} {few}|\b{subject}{copula} (?:an?|the) (?:[\w-]+ ){{0,2}})"),
        (
            chinese,
            rf"(?:(?:我们?|你们?|{person})的?|{person}(?:现在|以前|也|就|曾经?)?(?:是|当)(?:一?[名位个])?)",
        ),
        (japanese, rf"(?:(?:私|僕|俺|{kin})の|(?:{kin})[はもが](?:[{HAN}]{{1,4}}の)?)"),
    )
