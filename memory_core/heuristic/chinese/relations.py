"""Whose name it is: "旺财去世了" is news of the user's dog where 旺财 is known as that dog."""

import re
from collections.abc import Mapping
from functools import cache

from memory_core.heuristic.chinese import words
from memory_core.heuristic.chinese.forms import MEASURE

WHEN = r"(?:昨天|今天|昨晚|前天|上周|上个?月|去年|今年|前几天|刚刚?|已经|不幸|突然)*"

MARKED = r"「(?P<x>[^「」]{1,20})」"
"""A name that is known: in Chinese nothing else tells it from the words around it."""


def names_in(text: str) -> dict[str, str]:
    """From names to who they are ("旺财": "狗"), as messages and facts word it."""
    return {match["name"]: match["who"] for match in _named().finditer(text)}


def with_relations(text: str, known: Mapping[str, str]) -> str:
    """The text with 我的狗「旺财」去世了 for 旺财去世了, for names that are known or that it says.

    Only where a death or the end of a relationship is told. 我有一只猫。它叫咪咪。 becomes one
    clause.
    """
    text = _next_sentence().sub(r"\g<said>叫", text)
    for name, who in {**known, **names_in(text)}.items():
        if name in text and who:
            text = _died(name).sub(rf"\g<begin>我的{who}「{name}」", text)
            if re.fullmatch(words.PARTNERS, who):
                text = _parted(name).sub(rf"我和{who}「{name}」\g<how>了", text)
    return text


@cache
def _next_sentence() -> re.Pattern[str]:
    """Somebody whom the user has, and in the next sentence their name."""
    who = rf"(?:{words.COUNTS})?{MEASURE}[\u3400-\u9fff]{{0,4}}?(?:{words.PETS}|{words.RELATIVES})"
    said = rf"(?P<said>(?:^|[。！!；;，,\s])我(?:家)?(?:有|[领收]?养).{{0,2}}?{who})"
    return re.compile(
        rf"{said}[。！!；;]\s*(?:(?:它|他|她)(?:的)?(?:名字)?(?:叫|是叫)|名字(?:是|叫))"
    )


@cache
def _named() -> re.Pattern[str]:
    name = r"(?P<name>[\u3400-\u9fff]{2,4}|[A-Z][A-Za-z'-]{1,30})"
    who = rf"(?P<who>{words.RELATIVES}|{words.PETS})"
    some = rf"(?:{words.COUNTS})?{MEASURE}[\u3400-\u9fff]{{0,4}}?"
    called = r"(?:的名字)?(?:就)?[，,]?(?:它|他|她)?(?:的)?(?:名字)?(?:叫|名叫|是叫)(?:做)?"
    end = r"(?=$|[。，,！!；;了啊\s])"
    whose = rf"(?:用户|我)(?:家)?(?:的|(?:有|[领收]?养).{{0,2}}{some})?"
    return re.compile(rf"{whose}{who}{called}{name}{end}")


def _died(name: str) -> re.Pattern[str]:
    begin = r"(?P<begin>^|[。！!；;\s])(?:昨天|今天|昨晚|上周)?(?:我家)?(?:的)?"
    return re.compile(
        rf"{begin}{re.escape(name)}(?={WHEN}(?:去世|过世|死|走丢)了(?=$|[。！!，,；;\s]))"
    )


def _parted(name: str) -> re.Pattern[str]:
    known = re.escape(name)
    return re.compile(
        rf"(?:我{WHEN}[和跟与]{known}|(?:(?<=[。！!；;，,\s])|^){known}[和跟与]我)"
        rf"{WHEN}(?P<how>分手|离婚)了"
    )
