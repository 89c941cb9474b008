"""Whether what a model returns is a statement, in the language of its sources."""

import re
from collections.abc import Iterable, Sequence
from functools import cache

from memory_core.junk import Reason, Refusal, Side, is_junk
from memory_core.records import Page
from memory_core.sentences import sentences
from memory_core.text import HAN, HANGUL, HIRAGANA, KATAKANA, normalised

OWN_SHARE = 0.6
"""Share of a text that is in one script, from which it is in a language of that script."""

SOURCE_SHARE = 0.25
"""Share of that script in the sources that makes it one of theirs."""

CHINESE_FROM = 8
"""Characters of Han without kana from which a text is Chinese and not Japanese."""


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
    if normalised(text) in _statements(prompt) or _answers_nothing().match(text):
        return Reason.REPEATS_PROMPT
    if any(all(name not in source for source in said) for name in invented):
        return Reason.REPEATS_PROMPT
    if _mark().search(text) or is_junk(text):
        return Reason.JUNK
    return Reason.OTHER_LANGUAGE if is_in_other_language(text, said) else None


def said_by_user(pages: Iterable[Page]) -> list[str]:
    """What users say in these pages, or the assistant where they say nothing."""
    return [page.user_input if page.user_input.strip() else page.agent_response for page in pages]


def said_by_both(pages: Iterable[Page]) -> list[str]:
    return [text for page in pages for text in (page.user_input, page.agent_response)]


def is_in_other_language(text: str, said: Sequence[str]) -> bool:
    """Whether a text is in another script than all it comes from; names do not count for much."""
    own, theirs = _scripts(text), _scripts("\n".join(part[:8000] for part in said))
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
