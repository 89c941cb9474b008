"""Whose name it is: "旺财去世了" is news of the user's dog where 旺财 is known as that dog."""

import re
from collections.abc import Mapping
from functools import cache

from memory_core.heuristic.chinese import words
from memory_core.heuristic.chinese.forms import MEASURE

PARTNERS = "妻子|老婆|太太|爱人|丈夫|老公|先生|女朋友|男朋友|未婚妻|未婚夫|女友|男友|对象"

_NAME = r"(?P<name>[\u3400-\u9fff]{2,4}|[A-Z][A-Za-z'-]+)"


def names_in(text: str) -> dict[str, str]:
    """From names to who they are ("旺财": "狗"), as messages and facts word it."""
    return {match["name"]: match["who"] for match in _named().finditer(text)}


def with_relations(text: str, known: Mapping[str, str]) -> str:
    """The text with "我的狗旺财去世了" for "旺财去世了", for names that are known or that it says.

    Only where a death or the end of a relationship is told.
    """
    text = _next_sentence().sub(r"\g<said>叫", text)
    for name, who in {**known, **names_in(text)}.items():
        if name in text:
            text = _died(name).sub(rf"\g<begin>我的{who}{name}", text)
            if re.fullmatch(PARTNERS, who):
                text = _parted(name).sub(rf"我和{who}{name}\g<rest>", text)
    return text


@cache
def _next_sentence() -> re.Pattern[str]:
    """Somebody who is spoken of, and in the next sentence their name: 我有一只猫。它叫咪咪。"""
    who = rf"(?:{words.COUNTS})?{MEASURE}[\u3400-\u9fff]{{0,4}}?(?:{words.PETS}|{words.RELATIVES})"
    return re.compile(
        rf"(?P<said>{who})[。！!；;]\s*(?:(?:它|他|她)(?:的)?(?:名字)?(?:叫|是叫)|名字(?:是|叫))"
    )


@cache
def _named() -> re.Pattern[str]:
    who = rf"(?P<who>{words.RELATIVES}|{words.PETS})"
    some = rf"(?:{words.COUNTS})?{MEASURE}[\u3400-\u9fff]{{0,4}}?"
    called = r"(?:的名字)?(?:就)?[，,]?(?:它|他|她)?(?:的)?(?:名字)?(?:叫|名叫|是叫)(?:做)?"
    end = r"(?=$|[。，,！!；;了啊\s])"
    return re.compile(
        rf"(?:用户|我)(?:家)?(?:的|(?:有|[领收]?养).{{0,2}}{some})?{who}{called}{_NAME}{end}"
    )


def _died(name: str) -> re.Pattern[str]:
    when = r"(?:昨天|今天|昨晚|上周|上个?月|去年|今年|前几天|刚刚?|已经|不幸|突然)*"
    return re.compile(
        rf"(?P<begin>^|[。！!；;，,\s]|昨天|今天|上周){re.escape(name)}"
        rf"(?={when}(?:去世|过世|死|走丢|离开我)了)"
    )


def _parted(name: str) -> re.Pattern[str]:
    when = r"(?:已经|刚刚?|上周|昨天|上个?月|今天)*"
    return re.compile(rf"我{when}[和跟与]{re.escape(name)}(?P<rest>{when}(?:分手|离婚|分开)了)")
