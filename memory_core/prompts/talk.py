"""Talk: what people say to each other in passing, which says nothing that lasts.

Small models copy it with the rest, since each page is to have its say.
"""

import re
from collections.abc import Sequence
from functools import cache

from memory_core.junk import Reason
from memory_core.prompts.sources import first_person, is_copy, names_assistant
from memory_core.records import Page
from memory_core.text import content_terms, normalised

SAYS_MUCH = 4
"""Content words from which a sentence of the assistant says something by itself."""


def talk_in(text: str, pages: Sequence[Page]) -> Reason | None:
    """Why a text is talk and no statement, or None.

    Talk are requests, what is of the moment, and copies of what the user only supposes or wishes.
    """
    if _is_request(text):
        return Reason.QUESTION
    if _is_of_the_moment(text):
        return Reason.SMALL_TALK
    supposed = _irreal().match(text) and is_copy(text, (page.user_input for page in pages))
    return Reason.SUPPOSED if supposed else None


def is_small_talk(text: str, pages: Sequence[Page]) -> bool:
    """Whether a statement "about the assistant" is a copy of some words of its answer ("Many
    would.") that say neither who it is nor much of anything.
    """
    if names_assistant().search(text) or first_person().search(text):
        return False
    few = len([*content_terms(text)]) < SAYS_MUCH
    return few and is_copy(text, (page.agent_response for page in pages))


def _is_of_the_moment(text: str) -> bool:
    """Whether a text is nothing but "good morning :)", "ok thanks", "I'm a bit tired"."""
    said = normalised(text)
    return any(kind.fullmatch(said) for kind in (_greeting(), _passing_state()))


def _is_request(text: str) -> bool:
    """Whether a text asks for something once ("Tell me a joke"), and not for good."""
    return _request().match(text) is not None and not _lasting().search(text)


@cache
def _greeting() -> re.Pattern[str]:
    said = (
        "hi|hello|hey|yo|good (?:morning|night|evening|afternoon)|morning|night|thanks?(?: you)?"
        "|cheers|ok|okay|lol|haha|yeah|yes|no|sure|bye|goodbye|see you|what a (?:day|night)"
        "|i m back|welcome back|there|again|then|a lot|so much|你好|您好|早|早上好|早安|晚上好|晚安"
        "|谢谢|謝謝|好的|好|哈哈|嗯|再见|再見|拜拜|おはよう(?:ございます)?|こんにちは|こんばんは"
        "|おやすみ(?:なさい)?|ありがとう(?:ございます)?|はい|ただいま"
    )
    named = "(?:good (?:morning|night|evening|afternoon)|welcome back) "
    return re.compile(rf"(?:(?:{said})(?: |$))+|{named}\w+")


@cache
def _request() -> re.Pattern[str]:
    return re.compile(
        r"\W*(?:please |can you |could you )?(?:tell|show|sing|read) (?:me|us) "
        r"(?:an?|some|another|about|more about|something)\b"
        r"|\W*(?:请|麻烦)?(?:你|您)?(?:给我|跟我|帮我)?(?:讲|说)一?个?(?:笑话|故事)"
        r"|\W*(?:请|麻烦)?(?:你|您)?(?:给我|帮我)?推荐一?[部本首个家](?!.*(?:是|了))",
        re.I,
    )


@cache
def _lasting() -> re.Pattern[str]:
    return re.compile(
        r"\b(?:always|never|every|each|whenever|when|if|first|by default|from now on|all)\b"
        "|以后|今后|每次|总是|永远|一律|先|都",
        re.I,
    )


@cache
def _passing_state() -> re.Pattern[str]:
    much = "a bit|a little|so|really|very|just|too|quite|still|pretty|kind of|now|feeling"
    state = (
        "tired|exhausted|hungry|starving|thirsty|sleepy|bored|cold|hot|busy|late|stuck|full|ready"
        "|done|fine|good|ok|okay|in a hurry|on my way"
    )
    when = "today|tonight|now|right now|again|already|at the moment|this morning"
    return re.compile(
        rf"(?:the user is|i m|i am)(?: (?:{much}))*(?: (?:and )?(?:{state}))+(?: (?:{when}))*"
        "|(?:用户|我)?(?:今天|现在|現在|有点|有點|好|很|太|真|快|都|又)*"
        "(?:累|困|饿|餓|渴|无聊|無聊|忙|冷|热|熱)(?:死|坏|壞)?(?:了|啊|呀|哦)*"
        "|(?:ユーザーは|私は)?(?:今日は|今|ちょっと|少し|とても|すごく)*"
        "(?:疲れた|疲れました|眠い|お腹すいた|暑い|寒い|忙しい)(?:です)?"
    )


@cache
def _irreal() -> re.Pattern[str]:
    return re.compile(
        r"\W*(?:(?:even )?if\b.*\b(?:would|could|might)\b|suppos(?:e|ing)\b|imagine\b|what if\b"
        r"|maybe\b|perhaps\b|i(?:['’]d| would)? wish\b|i could (?:eat|kill|murder) )"
        "|(?:如果|要是|假如|假设|假設|倘若|万一|萬一|也许|也許|说不定|說不定|真希望|要不然我)"
        r"|もし(?:も|か)?|.*(?:\b(?:just kidding|jk)\b|开玩笑|開玩笑|冗談)",
        re.I,
    )
