"""Whose name it is: "ポチが死にました" is news of the user's dog where ポチ is known as a dog."""

import re
from collections.abc import Mapping
from functools import cache

from memory_core.heuristic.japanese import words

_NAME = r"(?P<name>[\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fffA-Za-z]{1,10}?)"


def names_in(text: str) -> dict[str, str]:
    """From names to who they are ("ポチ": "犬"), as messages and facts word it."""
    return {match["name"]: match["who"] for match in _named().finditer(_whose(text))}


def with_relations(text: str, known: Mapping[str, str]) -> str:
    """The text with 犬のポチが死にました for ポチが死にました, where the name is known or said,
    and with 犬の名前は where 名前は comes after 犬を飼っています.

    Only where a death or the end of a relationship is told.
    """
    text = _whose(text)
    for name, who in {**known, **names_in(text)}.items():
        if name in text:
            text = _died(name).sub(f"{who}の{name}", text)
            if re.fullmatch(words.PARTNERS, who):
                text = _parted(name).sub(f"{who}の{name}", text)
    return text


def _whose(text: str) -> str:
    return _somebody().sub(r"\g<said>\g<who>の名前は", text)


@cache
def _somebody() -> re.Pattern[str]:
    """Somebody who is spoken of, and their name in the next clause: it is not that of the user."""
    who = rf"(?P<who>{words.RELATIVES}|{words.PETS})"
    count = r"[をが]?[一二三四五\d]?[匹人頭羽]?[をが]?"
    has = rf"(?:{count}(?:飼って(?:いて|います|いる|ます|る)|い(?:て|ます|る))|です)"
    return re.compile(rf"(?P<said>{who}{has}[、。！!\s]*)(?:その)?(?:その子の)?名前は")


@cache
def _named() -> re.Pattern[str]:
    who = rf"(?P<who>{words.RELATIVES}|{words.PETS})"
    ends = r"(?=です|だ|。|、|と(?:言|い)います|$)"
    return re.compile(rf"{who}の名前は{_NAME}{ends}")


def _died(name: str) -> re.Pattern[str]:
    when = r"(?:昨日|今日|先週|先月|今朝)?"
    return re.compile(rf"(?<!の){re.escape(name)}(?=[がは]{when}(?:死|亡くな))")


def _parted(name: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!の){re.escape(name)}(?=と(?:昨日|先週|先月)?(?:別れ|離婚))")
