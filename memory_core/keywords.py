"""What texts are about, by term statistics: keywords, an extractive summary, a title."""

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import islice
from math import sqrt

from memory_core import stopwords
from memory_core.sentences import sentences
from memory_core.text import HAN, HIRAGANA, content_terms, has_unspaced

LOOKED_AT = 40_000
"""Characters of each text that are looked at."""

MOST_SENTENCES = 400
TITLE_LENGTH = 60
LONGEST_CHINESE_TERM = 4
CHINESE_MEASURES = "部首份朵叫像"
"""Measure words and the like that stick to the front of a term."""

TELLING = 0.4
"""Share of the best sentence's centrality below which a sentence is not worth its room."""


def keywords(texts: Sequence[str], limit: int = 8) -> tuple[str, ...]:
    """The `limit` terms the texts are about, lower-cased, most telling first.

    Words without common ones, plurals as singulars, and Chinese terms of 2-4 characters, found by
    stripping function characters and by repetition. Ranked by the texts they occur in, then by
    count (capitalised words count double), then by length, then by place. Labels such as "User:"
    are none.
    """
    counts: Counter[str] = Counter()
    spread: Counter[str] = Counter()
    repeated = _repeated_grams(texts)
    for text in texts:
        found = Counter(_candidates(text[:LOOKED_AT], repeated))
        counts.update(found)
        spread.update(found.keys())
    place = {term: index for index, term in enumerate(counts)}
    ranked = sorted(
        counts,
        key=lambda term: (-spread[term], -counts[term], -_breadth(term), place[term]),
    )
    return tuple(ranked[: max(limit, 0)])


def summarise(texts: Sequence[str], limit: int = 300) -> str:
    """The most central sentences, whole and in order, together at most `limit` characters.

    Central: made of terms that many sentences share. Questions count half. When the best sentence
    alone is too long, it is cut and ends in "…".
    """
    every = list(islice((s for text in texts for s in sentences(text[:LOOKED_AT])), MOST_SENTENCES))
    distinct = list(dict.fromkeys(every))
    if not distinct or limit < 1:
        return ""
    scores = _centrality(distinct)
    best = sorted(range(len(distinct)), key=lambda index: (-scores[index], index))
    chosen: list[int] = []
    for index in best:
        if scores[index] < TELLING * scores[best[0]]:
            break
        if len(_joined(distinct, [*chosen, index])) <= limit:
            chosen.append(index)
    return _joined(distinct, chosen) if chosen else f"{distinct[best[0]][: limit - 1].rstrip()}…"


def title(texts: Sequence[str]) -> str:
    """A title of at most 60 characters from the keywords; without any, the first words."""
    found = keywords(texts, 4)
    if not found:
        first = next((s for text in texts for s in sentences(text[:LOOKED_AT])), "")
        return first if len(first) <= TITLE_LENGTH else f"{first[: TITLE_LENGTH - 1].rstrip()}…"
    glue = "、" if has_unspaced(found[0]) else ", "
    while len(glue.join(found)) > TITLE_LENGTH and len(found) > 1:
        found = found[:-1]
    return glue.join(found)[:TITLE_LENGTH]


def _centrality(of: Sequence[str]) -> list[float]:
    terms = [set(content_terms(sentence)) - stopwords.ENGLISH_GENERIC for sentence in of]
    shared = Counter(term for found in terms for term in found)
    return [
        sum(shared[term] for term in found)
        / sqrt(len(found) + 4)
        * (0.5 if sentence.rstrip().endswith(("?", "？", "吗", "か。")) else 1.0)
        for sentence, found in zip(of, terms, strict=True)
    ]


def _joined(of: Sequence[str], chosen: Iterable[int]) -> str:
    text = ""
    for index in sorted(chosen):
        gap = "" if not text or text.endswith(("。", "！", "？")) else " "
        text += gap + of[index]
    return text


def _candidates(text: str, repeated: Counter[str]) -> Iterator[str]:
    for match in _word().finditer(text):
        if match["han"]:
            yield from _chinese_terms(match["han"], repeated)
        elif match["kana"]:
            yield match["kana"]
        else:
            yield from _english_terms(text, match)


def _english_terms(text: str, match: re.Match[str]) -> Iterator[str]:
    word = match["word"]
    bare = _clitic().sub("", word).casefold()
    term = _singular(bare)
    if len(term) < 3 or not stopwords.ENGLISH_GENERIC.isdisjoint((bare, term)) or _is_adverb(term):
        return
    yield term
    before = text[max(0, match.start() - 2) : match.start()]
    # In the middle of a sentence a capital means a name.
    if word[0].isupper() and before[-1:] == " " and before[:1] not in ".!?:":
        yield term


def _singular(word: str) -> str:
    if (
        len(word) < 4
        or not word.endswith("s")
        or word.endswith(("ss", "us", "is", "news", "series"))
    ):
        return word
    if word.endswith("ies") and len(word) > 5 and word not in stopwords.ENGLISH_IES:
        return f"{word[:-3]}y"
    return word[:-2] if word.endswith(("ches", "shes", "xes", "sses")) else word[:-1]


def _is_adverb(word: str) -> bool:
    return len(word) > 6 and word.endswith("ly") and word not in stopwords.ENGLISH_LY


def _repeated_grams(texts: Sequence[str]) -> Counter[str]:
    """Chinese strings of 2-4 characters that occur at least twice, with their counts."""
    counts: Counter[str] = Counter()
    for text in texts:
        for match in _word().finditer(text[:LOOKED_AT]):
            for fragment in _fragments(match["han"] or ""):
                for size in range(2, LONGEST_CHINESE_TERM + 1):
                    counts.update(
                        fragment[at : at + size] for at in range(len(fragment) - size + 1)
                    )
    return Counter({gram: count for gram, count in counts.items() if count > 1})


def _chinese_terms(run: str, repeated: Counter[str]) -> Iterator[str]:
    for fragment in _fragments(run):
        at = 0
        while len(fragment) - at > 1:
            size = _term_size(fragment, at, repeated)
            yield fragment[at : at + size]
            at += size


def _term_size(fragment: str, at: int, repeated: Counter[str]) -> int:
    """How long the term at this place is: the most repeated, else what is left, else a pair."""
    left = len(fragment) - at
    sizes = range(min(LONGEST_CHINESE_TERM, left), 1, -1)
    best = max(sizes, key=lambda size: repeated[fragment[at : at + size]])
    if not repeated[fragment[at : at + best]]:
        return left if left <= LONGEST_CHINESE_TERM else 2
    # A single character left over would be lost.
    return best - 1 if left - best == 1 and best > 2 else best


def _fragments(run: str) -> list[str]:
    """Parts of a run of Han characters between function words and words without a topic."""
    parts = _chinese_gaps().sub(_kept_or_gap, run).split()
    bare = (part[1:] if len(part) > 2 and part[0] in CHINESE_MEASURES else part for part in parts)
    return [part for part in bare if len(part) > 1]


def _kept_or_gap(match: re.Match[str]) -> str:
    return match[1] or " "


def _breadth(term: str) -> int:
    """Length of a term, a Han character counting three letters."""
    return len(term) * (3 if has_unspaced(term) else 1)


@cache
def _word() -> re.Pattern[str]:
    return re.compile(
        rf"(?P<han>[{HAN}]+)|(?P<kana>[ァ-ヺー-ヿ]{{2,}})"
        rf"|(?P<word>[^\W\d_{HAN}{HIRAGANA}ァ-ヿ][^\W_{HAN}{HIRAGANA}ァ-ヿ]*(?:['’][^\W\d_{HAN}]+)?)"
    )


@cache
def _clitic() -> re.Pattern[str]:
    return re.compile("['’](?:s|re|ve|ll|d|m|t)$", re.IGNORECASE)


@cache
def _chinese_gaps() -> re.Pattern[str]:
    return re.compile(
        f"({stopwords.CHINESE_KEPT}|{stopwords.CHINESE_GENERIC_KEPT})"
        f"|{stopwords.CHINESE_WORDS}|{stopwords.CHINESE_GENERIC}"
    )
