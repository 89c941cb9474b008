"""Japanese sentences: which clauses of them state something, and what.

Japanese leaves out "I", so a sentence counts as the user's own unless it names another topic.
"""

import re
from collections.abc import Iterator
from functools import cache

from memory_core.heuristic import rules
from memory_core.heuristic.japanese.rules import assistant_rules, user_rules
from memory_core.heuristic.rules import Finding


def is_written_in(sentence: str) -> bool:
    """Whether the sentence has hiragana or katakana."""
    return _kana().search(sentence) is not None


def user_findings(sentence: str) -> Iterator[Finding]:
    """What the user states of themselves in one sentence."""
    for clause in _clauses(sentence):
        yield from rules.findings(clause, user_rules())


def assistant_findings(sentence: str) -> Iterator[Finding]:
    """What the assistant states of itself or promises in one sentence."""
    for clause in _clauses(sentence):
        yield from rules.findings(clause, assistant_rules())


def _clauses(sentence: str) -> Iterator[str]:
    if _asks_or_reports().search(sentence):
        return
    for part in re.split(r"[、，,。！!]|(?<=が)(?=(?:私|僕|俺))", sentence):
        clause = _lead_in().sub("", part.strip())
        if clause:
            yield clause


@cache
def _kana() -> re.Pattern[str]:
    return re.compile(r"[\u3041-\u3096\u30a1-\u30fa]")


@cache
def _lead_in() -> re.Pattern[str]:
    return re.compile(
        "^(?:こんにちは|はじめまして|初めまして|えっと|実は|ちなみに|あと|それから|でも|だから|"
        "はい|うん|ところで)+"
    )


@cache
def _asks_or_reports() -> re.Pattern[str]:
    return re.compile(
        "[?？]|(?:か|かな|でしょうか)。?$|もし|たら[、,]|(?:と|って)(?:言|い)って|と言った|"
        "そうです|らしい|かもしれ|たぶん|多分|みたい"
    )
