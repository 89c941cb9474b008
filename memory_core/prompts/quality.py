"""Whether what a model returns is a statement, in the language of its sources."""

import re
import unicodedata
from collections.abc import Sequence
from functools import cache

from memory_core.junk import Reason, Refusal, Side, is_junk
from memory_core.records import Page
from memory_core.sentences import sentences
from memory_core.text import (
    HAN,
    HANGUL,
    HIRAGANA,
    KATAKANA,
    normalised,
    parted,
    without_function_words,
)

OWN_SHARE = 0.6
"""Share of a text that is in one script, from which it is in a language of that script."""

SOURCE_SHARE = 0.25
"""Share of that script in the sources that makes it one of theirs."""

CHINESE_FROM = 8
"""Characters of Han without kana from which a text is Chinese and not Japanese."""


LONGEST_READ = 8_000
"""Characters of each side of a page that are read, half from each end."""

ECHO_FROM = 5
"""Words from which a piece of the prompt is an echo of it, and not a statement in its words."""

UNHEARD_FROM = 6
"""Content words that a statement has at least, two characters of a script without spaces counting
as one, before it is held to the words of its sources."""

LABELLED_FROM = 3
"""The same after a label: small models fill in forms that nobody gave them ("Plans: hike more")."""

STEM = 3
"""Letters by which content words are compared: as many as "hike" and "hiking" share."""

_NO_NAMES = frozenset("the user users assistant they he she his her their i".split())


def unusable(
    text: str, longest: int, sources: Sequence[Page], confidence: float | None
) -> Reason | None:
    """Why an item cannot be stored whatever it says, or None."""
    if not text:
        return Reason.EMPTY
    if len(text) > longest:
        return Reason.TOO_LONG
    if not sources:
        return Reason.NO_SOURCE
    return Reason.BAD_CONFIDENCE if confidence is None else None


def refusal(reason: Reason, text: str, sources: Sequence[Page]) -> Refusal:
    """The record of an item that is not taken."""
    return Refusal(
        page_key=sources[0].key if sources else None,
        side=Side.MODEL,
        reason=reason,
        characters=len(text),
    )


def fault_of(text: str, said: Sequence[str], prompt: str, *example_names: str) -> Reason | None:
    """Why a returned statement is none, or None when nothing speaks against it.

    Args:
        said: what its sources say; prompt: what the model was told.
        example_names: names in the prompt's examples, which a small model may take for the user's.
    """
    if _question().search(text):
        return Reason.QUESTION
    invented = (name for name in example_names if name in text)
    if _is_echo(text, said, prompt) or _answers_nothing().match(text):
        return Reason.REPEATS_PROMPT
    if any(all(name not in source for source in said) for name in invented):
        return Reason.REPEATS_PROMPT
    if _mark().search(text) or is_junk(text):
        return Reason.JUNK
    return Reason.OTHER_LANGUAGE if is_in_other_language(text, said) else None


def _is_echo(text: str, said: Sequence[str], prompt: str) -> bool:
    """Whether a text is a sentence of the prompt, or a long piece of it that nobody said."""
    told = normalised(text)
    if told in _statements(prompt):
        return True
    long = len(told.split()) >= ECHO_FROM and f" {told} " in f" {normalised(prompt)} "
    return long and all(told not in normalised(part) for part in said)


def is_invented(text: str, said: Sequence[str]) -> bool:
    """Whether a text names somebody or something, and its sources know none of the names; or says
    much, and none of it in their words.

    A number alone counts only where no other word of the text is theirs either. Dates are
    resolved from "yesterday" and the like, and say nothing. Short statements may well be said in
    other words: "The user is vegetarian" of "I eat no meat".

    Args:
        said: all that was said in its sources, by both sides.
    """
    bare = _date().sub(" ", text)
    names = [name for name in _name().findall(bare) if name.casefold() not in _NO_NAMES]
    numbers = _number().findall(bare)
    theirs = unicodedata.normalize("NFKC", _read(said)).casefold()
    if any(_is_in(word, theirs) for word in (*names, *numbers)):
        return False
    if names:
        return True
    words = (word for word in _word().findall(bare) if word.casefold() not in _NO_NAMES)
    # Without words of a script with spaces there is nothing to compare.
    known = [_is_in(word, theirs) for word in words]
    if numbers and known and not any(known):
        return True
    least = LABELLED_FROM if _label().match(bare) else UNHEARD_FROM
    content = without_function_words(_label().sub("", bare))
    return _is_unheard(unicodedata.normalize("NFKC", content).casefold(), theirs, least)


def _is_unheard(content: str, theirs: str, least: int) -> bool:
    """Whether there are so many content words, and not even the beginning of one was said."""
    letters, _ = parted(content)
    words = set(_any_word().findall(letters)) - _NO_NAMES
    signs = set(_sign().findall(content)).difference("用户助手")
    if len(words) + len(signs) / 2 < least:
        return False
    if signs and len(_kana().findall(theirs)) > len(_sign().findall(theirs)):
        return False  # children and friends write in hiragana what a model writes in Han
    heard = any(re.search(rf"(?<![^\W\d_]){re.escape(word[:STEM])}", theirs) for word in words)
    return not heard and signs.isdisjoint(theirs)


def _read(said: Sequence[str]) -> str:
    half = LONGEST_READ // 2
    return "\n".join(
        part if len(part) <= LONGEST_READ else f"{part[:half]}\n{part[-half:]}" for part in said
    )


def _is_in(word: str, text: str) -> bool:
    """Whether a word, without its ending, begins a word of a text in lower case."""
    return re.search(rf"(?<![a-z0-9]){re.escape(_stem(word))}", text) is not None


def _stem(word: str) -> str:
    stem = re.sub(r"(?:['’]s|s)$", "", word.casefold())
    return re.sub(r"(?<=\w{3})(?:uguese|ese|ish|ian|an)$", "", stem)


def is_in_other_language(text: str, said: Sequence[str]) -> bool:
    """Whether a text is in another script than all it comes from; names do not count for much."""
    own, theirs = _scripts(text), _scripts(_read(said))
    whole, source = sum(own.values()), sum(theirs.values())
    if not whole or not source:
        return False
    script = max(own, key=own.__getitem__)
    if own[script] < OWN_SHARE * whole:
        return False
    if script == "cjk":
        kana, their_kana = len(_kana().findall(text)), len(_kana().findall("".join(said)))
        if kana > 1 and not their_kana and theirs["cjk"]:
            return True
        chinese = not kana and 2 * own[script] >= CHINESE_FROM
        if chinese and their_kana > theirs["cjk"]:  # of two characters a unit: half are kana
            return True
    return theirs.get(script, 0) < SOURCE_SHARE * source


def _scripts(text: str) -> dict[str, float]:
    """Words of each script; two characters of a script without spaces count as one."""
    counts = {name: float(len(words.findall(text))) for name, words in _words()}
    counts["cjk"] /= 2
    return counts


def is_one_word(text: str, shortest: int) -> bool:
    """Whether a text is a bare noun.

    Args:
        shortest: characters that a statement has at least in a script without spaces.
    """
    bare = text.strip(" .。!！\"'“”「」*-")
    if " " in bare:
        return False
    wide = len(re.findall(f"[{HAN}{HIRAGANA}{KATAKANA}]", bare))
    if not wide:  # a whole sentence of Thai has no space either
        return bare.isascii() or len(bare) < 12
    return len(bare) < shortest or re.fullmatch(f"[{KATAKANA}\\w・]+", bare, re.ASCII) is not None


@cache
def _statements(prompt: str) -> frozenset[str]:
    return frozenset(map(normalised, sentences(prompt)))


@cache
def _words() -> tuple[tuple[str, re.Pattern[str]], ...]:
    scripts = {
        "latin": "[A-Za-z\u00c0-\u024f\u1e00-\u1eff]+",
        "cjk": f"[{HAN}{HIRAGANA}{KATAKANA}]",
        "hangul": f"[{HANGUL}]+",
        "cyrillic": "[\u0400-\u052f]+",
        "greek": "[\u0370-\u03ff]+",
        "arabic": "[\u0600-\u06ff\u0750-\u077f]+",
        "hebrew": "[\u0590-\u05ff]+",
        "indic": "[\u0900-\u0dff]+",
        "thai": "[\u0e00-\u0eff]+",
    }
    return tuple((name, re.compile(words)) for name, words in scripts.items())


@cache
def _kana() -> re.Pattern[str]:
    return re.compile(f"[{HIRAGANA}{KATAKANA}]")


@cache
def _question() -> re.Pattern[str]:
    asking = "do|does|did|is|are|was|were|can|could|should|would|will|has|have"
    return re.compile(
        rf"[?？]\W*$|(?:[吗嗎]|でしょうか|ますか|ですか)\W*$"
        rf"|^(?:{asking}) (?:the (?:user|assistant)|they|he|she|it|i|you)\b",
        re.I,
    )


@cache
def _answers_nothing() -> re.Pattern[str]:
    return re.compile(
        r"(?:there (?:is|are) )?(?:no|none|nothing)\b.{0,40}\b(?:facts?|information|found|"
        r"mentioned|changes?|provided)\b|</?(?:pages|known|profile)>|\[\d+\] \d{4}-\d\d|"
        r"(?:one|a) sentence\W*$|没有(?:新的?|任何|可)?(?:事实|信息|记录)",
        re.I,
    )


@cache
def _mark() -> re.Pattern[str]:
    return re.compile(r"\[[a-z ]{3,11}, [\d,]{1,9} (?:lines|characters)\]")


@cache
def _name() -> re.Pattern[str]:
    """A word with a capital letter that does not begin a sentence."""
    return re.compile(r"(?<=[^.!?。！？\s] )[\"'“(]*([A-Z][\w'’-]+)")


@cache
def _number() -> re.Pattern[str]:
    return re.compile(r"(?<![\w.])\d+(?:[.,]\d+)*")


@cache
def _word() -> re.Pattern[str]:
    return re.compile(r"[A-Za-z\u00c0-\u024f]{3,}")


@cache
def _label() -> re.Pattern[str]:
    return re.compile(rf"\s*(?:[A-Z]\w*(?: \w+){{0,2}}: |[{HAN}]{{2,6}}[：:])")


@cache
def _any_word() -> re.Pattern[str]:
    return re.compile(r"[^\W\d_]{3,}")


@cache
def _sign() -> re.Pattern[str]:
    """A character that is a word or half of one; hiragana is in any Japanese text."""
    return re.compile(f"(?!ー)[{HAN}{KATAKANA}]")


@cache
def _date() -> re.Pattern[str]:
    months = (
        "jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?|"
        "sep(?:t(?:ember)?)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?"
    )
    days = "(?:mon|tues|wednes|thurs|fri|satur|sun)day"
    return re.compile(
        rf"\d{{4}}-\d\d(?:-\d\d)?|\d{{1,2}}:\d\d|\b(?:19|20)\d\d\b|\d+\s?[年月日号時时点分]"
        rf"|\b(?:\d{{1,2}}(?:st|nd|rd|th)? )?(?:{months})\b\.?(?: \d{{1,2}}(?:st|nd|rd|th)?\b)?"
        rf"|\b{days}\b",
        re.I,
    )
