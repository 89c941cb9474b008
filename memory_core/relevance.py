"""Which of what was found has to do with the question, and whether anything has."""

from collections.abc import Mapping, Set
from dataclasses import dataclass

from memory_core import ranking
from memory_core.embedding import Asked
from memory_core.evidence import FEATURES, HALF, Numbers
from memory_core.questions import asks_of_the_past, is_about_the_asker
from memory_core.records import Page
from memory_core.store.around import ALONE
from memory_core.store.search import Hits, Worded

# Measured with questions that nothing answers; see docs/evaluation.md.
ANSWERED = 4.5
ANSWERED_BY_WORDS = 1.0
FACT_SHARE = 0.3

GUESSES = 5
"""Pages that may be shown though nothing is sure to be about the question."""

LIKELY = 0.78
"""Share of the relevance that no page reaches by accident, from which a page is a fair guess."""

NEAR_ACROSS = 0.1
"""The same for pages in another language, which can share no words: a cosine."""

SHORTEST_STATEMENT = 5
"""Letters: "I dive" and 我潜水 are statements, "ok k" is none."""

COVERED, COSINE = FEATURES.index("words.covered"), FEATURES.index("vectors.cosine")


@dataclass(frozen=True, slots=True)
class Nearest:
    """What is near a question in meaning: cosines by key. asked None: words only."""

    asked: Asked | None
    pages: Mapping[int, float]
    facts: Mapping[int, float]
    segments: Mapping[int, float]


@dataclass(frozen=True, slots=True)
class Looked:
    """What may answer a question.

    foreign: of pages in another script than the question, which. evidence: of each page that was
    read, as in `FEATURES`.
    """

    question: str
    worded: Worded
    near: Nearest
    hits: Hits
    foreign: Mapping[int, str]
    evidence: Mapping[int, Numbers]


def pages_shown(looked: Looked) -> tuple[Set[int], Set[int]]:
    """The pages that have to do with the question, and others that may have.

    Where no page is about it there are none of the first, and guesses only at what is asked about
    oneself.
    """
    about = ranking.sums_of(looked.evidence, ranking.ABOUT)
    sure = _related(looked) if _is_answered(looked, about) else set()
    guessed = _guessed(looked, about) if is_about_the_asker(looked.question) else set()
    return sure, guessed - sure


def _is_answered(looked: Looked, about: Mapping[int, float]) -> bool:
    """Whether any page is surely about the question, or of the asker's own time that it names."""
    if looked.worded.within and asks_of_the_past(looked.question):
        return True
    if max(about.values(), default=0.0) >= bound_of(looked.near.asked):
        return True
    # What was said in so many words is about it, however strict one is about meaning.
    said = ranking.sums_of(looked.evidence, ("words", "context"))
    return looked.near.asked is not None and max(said.values(), default=0.0) >= ANSWERED


def _related(looked: Looked) -> Set[int]:
    worded, near = looked.worded, looked.near
    within = set(worded.within) if asks_of_the_past(looked.question) else set()
    bound = bound_of(near.asked)
    own = ranking.sums_of(looked.evidence, ("words", "vectors")).items()
    by_meaning = {key for key, share in own if share >= bound / 2}
    alike = related_in(by_meaning, near.pages, near.asked) - _empty(looked)
    related = alike | worded.pages.rows.keys() | within
    # Beside a related page a page may be shown; on its own it must be related itself.
    beside = looked.hits.around.beside
    return related | {key for page in related for key in beside.get(page, ALONE)[1:3]}


def _guessed(looked: Looked, about: Mapping[int, float]) -> Set[int]:
    """Of each language the pages that are the likeliest, though none is sure.

    Who asks about themselves takes it that it is known, and nothing else can know it: there a page
    too many costs less than one too few. Not so where the question's words were said.
    """
    numbers = looked.evidence
    if max((row[COVERED] for row in numbers.values()), default=0.0) >= HALF:
        return set()
    likely, near = LIKELY * bound_of(looked.near.asked), NEAR_ACROSS + stricter(looked.near.asked)
    telling = numbers.keys() - _empty(looked)
    own = [key for key in telling - looked.foreign.keys() if about[key] >= likely]
    across = [key for key in telling & looked.foreign.keys() if numbers[key][COSINE] >= near]
    by_relevance = about.__getitem__
    return {
        key
        for likeliest in (own, across)
        for key in sorted(likeliest, key=by_relevance, reverse=True)[:GUESSES]
    }


def _empty(looked: Looked) -> set[int]:
    """Pages that say nothing ("k", 👍), to which embedders find much alike."""
    return {key for key, page in looked.hits.around.pages.items() if says_nothing(page)}


def says_nothing(page: Page) -> bool:
    """Whether both sides together are shorter than any statement."""
    if len(page.user_input) + len(page.agent_response) > 4 * SHORTEST_STATEMENT:
        return False
    letters = [char for char in f"{page.user_input}{page.agent_response}" if char.isalnum()]
    signs = sum(char > "\u2e80" for char in letters)  # each is worth two letters
    return len(letters) + signs < SHORTEST_STATEMENT


def facts_shown(looked: Looked, words: Mapping[int, float]) -> Set[int]:
    """The facts that have to do with the question.

    words: of each fact that shares words with it, how many (`bm25_shares`).
    """
    shared = {key for key, share in words.items() if share >= FACT_SHARE}
    return related_in(shared, looked.near.facts, looked.near.asked)


def related_in(worded: Set[int], near: Mapping[int, float], asked: Asked | None) -> Set[int]:
    """Keys that share words with the question, or are near it in meaning."""
    threshold = asked.space.threshold if asked else 1.0
    return worded | {key for key, cosine in near.items() if cosine >= threshold}


def bound_of(asked: Asked | None) -> float:
    """The relevance that no page reaches by accident."""
    if asked is None:
        return ANSWERED_BY_WORDS
    # A threshold of one's own moves the bound as if all cosines were as much lower.
    return ANSWERED + stricter(asked) * ranking.COSINES


def stricter(asked: Asked | None) -> float:
    """By how much a threshold of one's own is above the embedder's; below 0 when it is laxer."""
    return asked.space.threshold - asked.space.related_from if asked else 0.0
