"""How many tokens a text is, about, without a tokenizer.

Each model has its own tokenizer, and some have several megabytes, so this counts kinds of
characters. It is meant to be too high rather than too low. Estimate by count, measured with cl100k,
o200k, DeepSeek's and Claude 2's tokenizers: English 1.2, code 1.3 to 1.4, base64 0.8 to 0.9;
Chinese and Japanese 1.3 to 1.8 with o200k and DeepSeek's, and 0.8 to 0.9 with the two of 2023,
which take more than one token for many characters.
"""

import math
import re
from functools import cache, lru_cache

LONG_WORD = 5
"""Letters from which a word is more than one token, with one for every three more."""
EMOJI_TOKENS = 3

SHORT = 1_000
"""Characters up to which a text's estimate is held on to: filling a reply asks for it again."""
HELD = 4_096


def estimate_tokens(text: str) -> int:
    """Tokens of a text. Of parts with a mark between them it is at most the sum."""
    return _estimate_of_short(text) if len(text) <= SHORT else _estimate(text)


@lru_cache(HELD)
def _estimate_of_short(text: str) -> int:
    return _estimate(text)


def _estimate(text: str) -> int:
    words = _lengths(_word(), text)
    pairs = _lengths(_capitals(), text) + _lengths(_digits(), text)
    # Whatever else is no space: marks, and characters of other scripts.
    others = sum(map(len, text.split())) - sum(words) - sum(pairs)
    tokens = len(words) + sum([length - LONG_WORD for length in words if length > LONG_WORD]) / 3
    tokens += sum([(length + 1) // 2 for length in pairs])
    for gap in _gap().findall(text):
        tokens += (len(gap) - 1) / 8 + (not gap.isprintable())
    if not text.isascii():
        letters = _lengths(_alphabet(), text)
        others -= sum(letters)
        tokens += sum([0.5 + 0.5 * length for length in letters])
        tokens += (EMOJI_TOKENS - 1) * sum(_lengths(_emoji(), text))
    return math.ceil(tokens + others)


def fits(text: str, limit: int) -> bool:
    """Whether the estimate is at most `limit`."""
    # Eight characters are a token at least, so a long text need not be read.
    return len(text) <= 8 * limit + 1 and estimate_tokens(text) <= limit


def _lengths(runs: re.Pattern[str], text: str) -> list[int]:
    return list(map(len, runs.findall(text)))


@cache
def _word() -> re.Pattern[str]:
    return re.compile("[A-Z]?[a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f]+")


@cache
def _capitals() -> re.Pattern[str]:
    return re.compile("[A-Z]+(?![a-z\u00c0-\u00d6\u00d8-\u00f6\u00f8-\u024f])")


@cache
def _digits() -> re.Pattern[str]:
    return re.compile("[0-9]+")


@cache
def _gap() -> re.Pattern[str]:
    """More between words than a space, which belongs to the word after it."""
    return re.compile(r"\s{2,}|[^\S ]")


@cache
def _alphabet() -> re.Pattern[str]:
    """Greek, Cyrillic and Armenian, of which a token holds two letters."""
    return re.compile("[\u0370-\u058f]+")


@cache
def _emoji() -> re.Pattern[str]:
    return re.compile("[\u2600-\u27ff\U00010000-\U0010ffff]+")
