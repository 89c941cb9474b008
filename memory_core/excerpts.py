"""A long turn as it is shown: the whole sentences of both sides that bear on a question.

Nothing is cut inside a sentence, unless a sentence alone is too long, and "…" stands for what is
left out.
"""

import math
import re
import unicodedata
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import islice, zip_longest

from memory_core.records import Excerpt, Page
from memory_core.sentences import sentences
from memory_core.text import has_unspaced, query_terms
from memory_core.tokens import estimate_tokens, fits

GAP = "…"
GAP_TOKENS = 2
ENDS_TOKENS = 4
"""Gaps before the first sentence of a side and after the last one of either."""

TERMS = 48
SHORTEST_STEM = 4
ENDING = 3
"""Letters at the end of a word that may differ: "moving" is found in "moved"."""

READ = 200_000
"""Characters of a side that are looked at closely: of a longer one, the parts with most terms."""
PART = 20_000

Wanted = re.Pattern[str] | None
"""What a question looks for; None: nothing in particular."""


@dataclass(frozen=True, slots=True)
class _Sentence:
    """Where it stands in its side, and which terms of the question it has."""

    side: int
    start: int
    end: int
    terms: frozenset[str]


def wanted(query: str) -> Wanted:
    """The words of a question, to be handed to `excerpt`."""
    terms = {_stem(term) for term in query_terms(query, TERMS)}
    longest_first = sorted(terms, key=lambda term: (-len(term), term))
    # Looking ahead finds pairs that overlap.
    pattern = f"(?=({'|'.join(map(_pattern, longest_first))}))"
    return re.compile(pattern, re.IGNORECASE) if terms else None


def matching(text: str, terms: Wanted, start: int = 0, end: int | None = None) -> frozenset[str]:
    """The wanted words that a text has."""
    if terms is None:
        return frozenset()
    found = terms.finditer(text, start, len(text) if end is None else end)
    return frozenset(match[1].casefold() for match in found)


def excerpt(page: Page, terms: Wanted, limit: int) -> Excerpt | None:
    """What of a page is shown in at most `limit` tokens; None: it is short, all of it is.

    Taken are the sentences with most of the wanted words, rare ones first, and the one before
    each, that says what they are about; then the ones after, then the beginning of both sides. A
    side that takes a third at most stays whole.
    """
    sides = (page.user_input, page.agent_response)
    if fits("\n".join(sides), limit):
        return None
    found = [each for side, text in enumerate(sides) for each in _sentences_in(side, text, terms)]
    taken = _taken(sides, found, terms, limit)
    user, agent = (
        _joined(text, sorted((each for each in taken if each.side == side), key=_place))
        for side, text in enumerate(sides)
    )
    return Excerpt(user_input=user, agent_response=agent)


def _stem(term: str) -> str:
    return term if has_unspaced(term) else term[: max(SHORTEST_STEM, len(term) - ENDING)]


def _pattern(stem: str) -> str:
    """A word is looked for at the beginning of words, a pair of an unspaced script anywhere."""
    before = "" if has_unspaced(stem) else r"(?<![0-9a-z\u00c0-\u058f])"
    return before + re.escape(stem)


def _sentences_in(side: int, text: str, terms: Wanted) -> Iterator[_Sentence]:
    for first, last in _parts(text, terms):
        part = text[first:last]
        whole = sentences(part)
        end = 0
        for number, sentence in enumerate(whole):
            start = part.index(sentence, end)
            end = start + len(sentence)
            # What a border of a part goes through is no sentence, unless there is nothing else.
            torn = (number == 0 and first > 0) or (number == len(whole) - 1 and last < len(text))
            if not torn or len(whole) == 1:
                yield _Sentence(side, first + start, first + end, matching(sentence, terms))


def _parts(text: str, terms: Wanted) -> list[tuple[int, int]]:
    if len(text) <= READ:
        return [(0, len(text))]
    parts = [(start, min(start + PART, len(text))) for start in range(0, len(text), PART)]
    best = sorted(parts, key=lambda part: -len(matching(text, terms, *part)))
    return sorted(best[: READ // PART])


def _taken(
    sides: Sequence[str], found: Sequence[_Sentence], terms: Wanted, limit: int
) -> list[_Sentence]:
    """What fits, the best first; of a sentence that never would, a piece of half the room."""
    most = room = limit - ENDS_TOKENS
    taken: dict[int, _Sentence] = {}
    for index in _by_use(sides, found, limit):
        each = found[index]
        if index in taken:
            continue
        cost = _cost(sides, each)
        if cost > most and each.terms:
            each = _narrowed(sides[each.side], each, terms, most // 2 - GAP_TOKENS)
            cost = _cost(sides, each)
        if cost <= room:
            taken[index] = each
            room -= cost
        if room <= GAP_TOKENS:
            break
    if taken or not found:
        return [*taken.values()]
    return [_narrowed(sides[found[0].side], found[0], terms, most - GAP_TOKENS)]


def _cost(sides: Sequence[str], sentence: _Sentence) -> int:
    text = sides[sentence.side][sentence.start : sentence.end]
    return GAP_TOKENS + estimate_tokens(text)


def _by_use(sides: Sequence[str], found: Sequence[_Sentence], limit: int) -> Iterator[int]:
    """Places of the sentences, the most useful first, with repeats."""
    for side, text in enumerate(sides):
        if fits(text, limit // 3):
            yield from _places(found, side)
    holding = Counter(term for each in found for term in each.terms)
    weights = {term: math.log1p(len(found) / count) for term, count in holding.items()}
    best = [index for index, each in enumerate(found) if each.terms]
    best.sort(key=lambda index: -sum(weights[term] for term in found[index].terms))
    for index in best:
        yield from (index, max(index - 1, 0))
    for index in best:
        yield min(index + 1, len(found) - 1)
    # More cannot fit, and of a long text the rest need not be looked at.
    openings = (islice(_places(found, side), limit // GAP_TOKENS) for side in (0, 1))
    for pair in zip_longest(*openings):
        yield from (index for index in pair if index is not None)


def _places(found: Sequence[_Sentence], side: int) -> Iterable[int]:
    return (index for index, each in enumerate(found) if each.side == side)


def _place(sentence: _Sentence) -> int:
    return sentence.start


def _joined(text: str, taken: Sequence[_Sentence]) -> str:
    """Sentences of one side; what stands between two neighbours stays as it is."""
    shown = ""
    end = 0
    for each in taken:
        between = text[end : each.start]
        shown += f" {GAP} " if between.strip() else between
        shown += text[each.start : each.end]
        end = each.end
    if taken and text[end:].strip():
        shown += f" {GAP}"
    return shown.strip()


def _narrowed(text: str, sentence: _Sentence, terms: Wanted, limit: int) -> _Sentence:
    """A piece of a sentence around a wanted word, cut at spaces or between characters."""
    first, last = sentence.start, sentence.end
    match = terms.search(text, first, last) if terms else None
    at = match.start() if match else first
    width = min(4 * limit, last - first)
    while True:
        start = max(first, min(at - width // 3, last - width))
        end = _border(text, start + width, sentence, step=-1)
        start = min(end, _border(text, start, sentence, step=1))
        if width <= 1 or fits(text[start:end], limit):
            return replace(sentence, start=start, end=end)
        width = width * 3 // 4


def _border(text: str, at: int, sentence: _Sentence, *, step: int) -> int:
    """The nearest place for a cut: a space not far off, else where no character is torn."""
    inside = range(sentence.start + 1, sentence.end)
    if at not in inside:
        return at
    for place in range(at, at + 16 * step, step):
        if place in inside and text[place].isspace():
            return place
    while at in inside and _joins(text[at - 1], text[at]):
        at += step
    return max(sentence.start, at - _halves_of_flags(text, at) % 2)


def _halves_of_flags(text: str, at: int) -> int:
    """How many there are right before a place; two of them make a flag."""
    count = 0
    while count < at and "\U0001f1e6" <= text[at - count - 1] <= "\U0001f1ff":
        count += 1
    return count


def _joins(before: str, after: str) -> bool:
    """Whether two code points make one character: accents, and parts of an emoji."""
    return (
        "\u200d" in (before, after)
        or unicodedata.category(after)[0] == "M"
        or "\U0001f3fb" <= after <= "\U0001f3ff"
    )
