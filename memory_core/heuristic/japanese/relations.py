"""Whose name it is: "ポチが死にました" is news of the user's dog where ポチ is known as a dog."""

import re
from collections.abc import Mapping
from functools import cache

from memory_core.heuristic.japanese import words

_NAME = r"(?P<name>[\u3041-\u3096\u30a1-\u30fa\u30fc\u3400-\u9fffA-Za-z]{1,10}?)"
_WHO = rf"(?P<who>{words.RELATIVES}|{words.PETS})"
_COUNT = r"[をが]?[一二三四五\d]?[匹人頭羽]?[をが]?"
_HAS = rf"{_COUNT}(?:飼って(?:いて|います|いる|ます|る)|い(?:て|ます|る))"
_DAY = "(?:昨日|今日|昨夜|今朝|先週|先月)?"


def names_in(text: str) -> dict[str, str]:
    """From names to who or what they are ("ポチ": "犬"), as messages and facts word it.

    Employers too: グーグルを辞めました says nothing of a job unless it is known as one.
    """
    found = {match["name"]: match["who"] for match in _named().finditer(_whose(text))}
    return found | {match["name"]: words.EMPLOYER for match in _employed().finditer(text)}


def with_relations(text: str, known: Mapping[str, str]) -> str:
    """The text with 犬のポチが死にました for ポチが死にました, where the name is known or said,
    and with 犬の名前は where 名前は comes after 犬を飼っています.

    Only where a death, the end of a relationship or of a job is told.
    """
    text = _whose(text)
    for name, who in {**known, **names_in(text)}.items():
        if name not in text or not who:
            continue
        if re.fullmatch(words.PARTNERS, who):
            text = _over(name, "と", "別れ|離婚").sub(f"{who}の{name}", text)
        elif who == words.EMPLOYER:
            text = _over(name, "を", "辞め|退職|退社").sub(f"{who}の{name}", text)
        text = _over(name, "[がは]", "死|亡くな").sub(f"{who}の{name}", text)
    return text


def _whose(text: str) -> str:
    """The text with the name of somebody said of them: in the next clause it is not the user's."""
    text = _somebody().sub(r"\g<said>\g<who>の名前は", text)
    return _of_others().sub(r"\g<said>その名前は", text)


@cache
def _somebody() -> re.Pattern[str]:
    begin = r"(?:^|(?<=[。！!、\s]))(?:(?:私|僕|俺|うち)(?:は|には?)|家(?:で|に)は?)?"
    return re.compile(rf"(?P<said>{begin}{_WHO}{_HAS}[、。！!\s]*)(?:その)?(?:その子の)?名前は")


@cache
def _of_others() -> re.Pattern[str]:
    return re.compile(rf"(?P<said>{_WHO}{_HAS}[、。！!\s]*)名前は")


@cache
def _named() -> re.Pattern[str]:
    begin = r"(?:^|(?<=[。！!、\s]))(?:(?:私|僕|俺|うち|ユーザー)の)?"
    ends = r"(?=です|だ|。|、|と(?:言|い)います|$)"
    return re.compile(rf"{begin}{_WHO}の名前は{_NAME}{ends}")


@cache
def _employed() -> re.Pattern[str]:
    begin = r"(?:^|(?<=[。！!、\s]))(?:(?:私|僕|俺|ユーザー)は)?"
    return re.compile(rf"{begin}{_NAME}で働いてい(?:る|ます)")


def _over(name: str, particle: str, verbs: str) -> re.Pattern[str]:
    begin = rf"(?:(?<=[。！!\s])|^){_DAY}"
    return re.compile(rf"{begin}{re.escape(name)}(?={particle}{_DAY}(?:{verbs}))")
