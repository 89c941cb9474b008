"""The script that a text is written in."""

import unicodedata
from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from memory_core.records import Page

LOOKED_AT = 60
"""Characters of a text that are looked at."""

LETTERS_OF_A_SIGN = 2
"""Of scripts without spaces: letters of an alphabet that say as much as one sign."""

KANA_SHARE = 0.1
"""Japanese has more kana than this among its signs, and Chinese that quotes it has less."""

_NAMES = {
    "CJK": "HAN",
    "HIRAGANA": "KANA",
    "KATAKANA": "KANA",
    "FULLWIDTH": "LATIN",
    "HALFWIDTH": "KANA",
}
_SIGNS = ("HAN", "KANA", "HANGUL")


def script_of(text: str) -> str:
    """The script of most of a text's beginning: "LATIN", "HAN", "KANA" for Japanese; "": none."""
    beginning = text[:LOOKED_AT]
    if beginning.isascii():
        return "LATIN" if any(map(str.isalpha, beginning)) else ""
    counts = Counter(map(_script, beginning))
    counts.pop("", None)
    if not counts:
        return ""
    signs = counts["HAN"] + counts["KANA"]
    if counts["KANA"] > KANA_SHARE * signs:
        counts["KANA"], counts["HAN"] = signs, 0
    return max(counts, key=lambda script: _weight(script) * counts[script])


def foreign_scripts(question: str, pages: Mapping[int, Page]) -> dict[int, str]:
    """Of pages in another script than the question, so most likely in another language, which."""
    asked = script_of(question)
    if not asked:
        return {}
    scripts = {
        key: script_of(page.user_input) or script_of(page.agent_response)
        for key, page in pages.items()
    }
    return {key: script for key, script in scripts.items() if script not in ("", asked)}


def _weight(script: str) -> int:
    return LETTERS_OF_A_SIGN if script in _SIGNS else 1


@lru_cache(maxsize=8192)
def _script(character: str) -> str:
    """As the character's name has it; "": it is no letter."""
    if not character.isalpha():
        return ""
    name = unicodedata.name(character, "").partition(" ")[0]
    return _NAMES.get(name, name)
