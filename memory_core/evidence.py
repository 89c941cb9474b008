"""What speaks for a page as the answer to a question: numbers that one sum weighs (`ranking`).

All are on scales that do not depend on how much is remembered: shares of the question's words,
cosines, and signs of the turn's form. An answer is often spread over turns that stand together, so
most are taken of the page, and of the page with the one or two turns before and after it.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from operator import attrgetter
from types import MappingProxyType
from typing import Generic, TypeVar

import numpy as np
from numpy.typing import NDArray

from memory_core.backends.embedder import Vectors
from memory_core.form import Form, form_of
from memory_core.questions import asks_for_a_name, asks_for_a_time, speakers_meant
from memory_core.records import Page
from memory_core.store.around import ALONE, Surroundings
from memory_core.store.words import WordHits
from memory_core.weights import WEIGHTS

Numbers = NDArray[np.float64]
Array = TypeVar("Array", Numbers, Vectors)

# BM25 as FTS5 has it.
K1, B = 1.2, 0.75
NEAR, FAR = 0.7, 0.4

HALF = 0.5
"""Share of the question's words in one page from which meaning is not on its own any more."""

MOST_TERMS = 60
"""Beyond so many terms a longer turn is not likelier to hold an answer."""

_NUMBERS_OF_FORM = ("question", "own", "other", "time", "digits", "names", "quoted", "length")
_numbers_of = attrgetter(*_NUMBERS_OF_FORM)

FEATURES = (
    "words.covered",
    *("context.bm25", "context.covered"),
    *("vectors.cosine", "vectors.alone"),
    *("surroundings.near", "surroundings.far"),
    "language.gap",
    *("form.question", "form.after_question", "form.length", "form.other", "form.quoted"),
    *("form.time", "form.time_asked", "form.digits_asked", "form.names_asked"),
    "form.quoted_asked",
    *("speaker.named", "speaker.own"),
)
"""Columns of the evidence; the part before the dot is the channel."""


@dataclass(frozen=True, slots=True)
class Around(Generic[Array]):
    """A number of each judged page, and its sums over the turns next to it and one further off."""

    here: Array
    next_to: Array
    further: Array


def evidence(
    question: str,
    words: WordHits,
    asked: Vectors | None,
    around: Surroundings,
    *,
    spread: float = 1.0,
    foreign: Mapping[int, str] = MappingProxyType({}),
    form_of: Callable[[Page], Form] = form_of,
    formed: int | None = None,
) -> dict[int, Numbers]:
    """Of each judged page, its numbers in the order of `FEATURES`.

    Args:
        asked: the question's vector, shape (dimension,), in the space of the pages'; None: no
            vectors are compared.
        spread: by how much the distance of cosines from 1 is stretched (`mid_term.spread_of`).
        foreign: scripts of the pages that are in another one than the question.
        form_of: the form of a page.
        formed: of how many of the best pages, by all else; None: of all.
    """
    if not around.pages:
        return {}
    table = _Table(around)
    columns = {**_of_words(table, words), **_of_vectors(table, asked, around, spread)}
    # Across languages, and where other words were used, nothing is shared: then meaning decides.
    most = float(columns["words.covered"].max())
    columns["vectors.alone"] = max(0.0, 1 - most / HALF) * columns["vectors.cosine"]
    columns["language.gap"] = _gap(table, _weighed(columns, "vectors", "surroundings"), foreign)
    relevance = _weighed(columns, *map(channel_of, columns))
    best = np.argsort(-relevance, kind="stable")[:formed].tolist()
    forms = {key: form_of(around.pages[key]) for key in (table.judged[n] for n in best)}
    columns |= _of_form(table, question, forms)
    matrix = np.stack([columns[name] for name in FEATURES], axis=1)
    return dict(zip(table.judged, matrix, strict=True))


class _Table:
    """Rows for all pages that are looked at, the last one for "none"."""

    def __init__(self, around: Surroundings) -> None:
        self.judged = list(around.pages)
        every = {*self.judged, *(key for keys in around.beside.values() for key in keys)} - {0}
        self.row = {key: number for number, key in enumerate(every)}
        self.size = len(every) + 1
        none = self.size - 1
        self._here = np.array([self.row[key] for key in self.judged])
        beside = [around.beside.get(key, ALONE) for key in self.judged]
        self._beside = np.array([[self.row.get(key, none) for key in keys] for keys in beside])

    def around(self, numbers: Array) -> Around[Array]:
        """Spread numbers, one a row, over the judged pages and what stands around them."""
        far_before, before, after, far_after = (numbers[self._beside[:, n]] for n in range(4))
        return Around(numbers[self._here], before + after, far_before + far_after)

    def before(self, numbers: Numbers) -> Numbers:
        """Of each judged page, the number of the turn before it."""
        found: Numbers = numbers[self._beside[:, 1]]
        return found


def bm25_shares(words: WordHits) -> dict[int, float]:
    """Of each row that holds a term, its BM25 as a share of what all terms together could give."""
    if not words.rows:
        return {}
    counts = np.array([held.counts for held in words.rows.values()], dtype=np.float64)
    lengths = np.array([held.length for held in words.rows.values()], dtype=np.float64)
    shares = _bm25(counts, lengths, np.array(words.weights), float(lengths.mean()))
    return dict(zip(words.rows, shares.tolist(), strict=True))


def _bm25(counts: Numbers, lengths: Numbers, weights: Numbers, usual: float) -> Numbers:
    """BM25 of each row as a share of the sum of the weights; usual: the usual length of a row."""
    slow = K1 * (1 - B + B * lengths / max(usual, 1.0))
    share: Numbers = (counts * (K1 + 1) / (counts + slow[:, None])) @ weights
    return share / max(float(weights.sum()), 1e-9)


def _of_words(table: _Table, words: WordHits) -> dict[str, Numbers]:
    weights = np.array(words.weights)
    total = max(float(weights.sum()), 1e-9)
    counts = np.zeros((table.size, len(weights)))
    lengths = np.zeros(table.size)
    for key, held in words.rows.items():
        if (row := table.row.get(key)) is not None:
            counts[row], lengths[row] = held.counts, held.length
    every = [held.length for held in words.rows.values()]
    usual = sum(every) / max(len(every), 1)

    own = table.around(counts)
    near = own.here + NEAR * own.next_to + FAR * own.further
    long = table.around(lengths)
    # In units of one turn, so that the usual length is that of a turn here too.
    long_near = (long.here + NEAR * long.next_to + FAR * long.further) / (1 + 2 * NEAR + 2 * FAR)
    holds = own.here > 0
    return {
        "words.covered": holds @ weights / total,
        "context.bm25": _bm25(near, long_near, weights, usual),
        "context.covered": (near > 0) @ weights / total,
    }


def _of_vectors(
    table: _Table, asked: Vectors | None, around: Surroundings, spread: float
) -> dict[str, Numbers]:
    names = ("vectors.cosine", "surroundings.near", "surroundings.far")
    if asked is None or not len(around.items):
        return {name: np.zeros(len(table.judged)) for name in names}
    items = np.asarray(around.items)
    _, first = np.unique(items, return_index=True)
    rows = np.array([table.row.get(item, table.size - 1) for item in around.items])
    best = np.zeros(table.size)
    means = np.zeros((table.size, len(asked)), np.float32)
    best[rows[first]] = np.maximum.reduceat(around.vectors @ asked, first)
    # Most turns are of one piece, and summing up pieces takes long.
    means[rows[first]] = around.vectors[first]
    others = np.delete(np.arange(len(items)), first)
    np.add.at(means, rows[others], around.vectors[others])
    best[-1], means[-1] = 0.0, 0.0
    means /= np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9)
    whole = table.around(means)
    near = whole.here + whole.next_to
    found = (table.around(best).here, _cosine(near, asked), _cosine(near + whole.further, asked))
    return dict(zip(names, (_spread(cosines, spread) for cosines in found), strict=True))


def _gap(table: _Table, meaning: Numbers, foreign: Mapping[int, str]) -> Numbers:
    """Of each page in another script, what the pages of its script have less of meaning.

    Embedders put texts of one language nearer to each other than to their translations, so of a
    question's own language many pages would come before the one that answers it in another.
    """
    found = np.zeros(len(table.judged))
    scripts = np.array([foreign.get(key, "") for key in table.judged])
    own = scripts == ""
    if not own.any():
        return found
    for script in {*foreign.values()}:
        theirs = scripts == script
        found[theirs] = max(0.0, float(meaning[own].mean() - meaning[theirs].mean()))
    return found


def _spread(cosines: Numbers, spread: float) -> Numbers:
    """Cosines on the scale of the bundled embedder; where there is no vector, still nothing."""
    spread_out: Numbers = np.where(cosines == 0, 0.0, 1 - (1 - cosines) * spread)
    return spread_out


def _cosine(rows: Vectors, query: Vectors) -> Numbers:
    lengths = np.sqrt(np.einsum("ij,ij->i", rows, rows))
    found: Numbers = (rows @ query / np.maximum(lengths, 1e-9)).astype(np.float64)
    return found


def _of_form(table: _Table, question: str, forms: Mapping[int, Form]) -> dict[str, Numbers]:
    """Pages whose form is not looked at get zeros, so they stay behind those that are better."""
    numbers = dict.fromkeys(_NUMBERS_OF_FORM, np.zeros(len(table.judged)))
    if forms:
        places = [n for n, key in enumerate(table.judged) if key in forms]
        looked = np.zeros((len(table.judged), len(_NUMBERS_OF_FORM)))
        looked[places] = [_numbers_of(forms[table.judged[n]]) for n in places]
        numbers = dict(zip(_NUMBERS_OF_FORM, looked.T, strict=True))
    asked = np.zeros(table.size)
    for key, form in forms.items():
        asked[table.row[key]] = form.question
    time, name = float(asks_for_a_time(question)), float(asks_for_a_name(question))
    named = _named(question, [forms.get(key) for key in table.judged])
    return {
        "form.question": numbers["question"],
        "form.after_question": table.before(asked),
        "form.length": np.log1p(np.minimum(numbers["length"], MOST_TERMS)),
        "form.time": numbers["time"],
        "form.time_asked": time * numbers["time"],
        "form.digits_asked": time * numbers["digits"],
        "form.other": numbers["other"],
        "form.names_asked": name * np.log1p(numbers["names"]),
        "form.quoted": numbers["quoted"],
        "form.quoted_asked": name * numbers["quoted"],
        "speaker.named": named,
        "speaker.own": named * numbers["own"],
    }


def _named(question: str, forms: Sequence[Form | None]) -> Numbers:
    """1 for pages whose speaker is the one that a question asks about."""
    said_by = [form.speaker if form else "" for form in forms]
    meant = speakers_meant({*said_by} - {""}, question)
    return np.array([float(speaker in meant) for speaker in said_by])


def _weighed(columns: Mapping[str, Numbers], *channels: str) -> Numbers:
    """What these channels add to the scores of the judged pages."""
    of_these = [
        WEIGHTS[name] * row for name, row in columns.items() if channel_of(name) in channels
    ]
    added: Numbers = np.sum(of_these, axis=0)
    return added


def channel_of(feature: str) -> str:
    return feature.partition(".")[0]
