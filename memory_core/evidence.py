"""What speaks for a page as the answer to a question: numbers that one sum weighs (`ranking`).

All are on scales that do not depend on how much is remembered: shares of the question's words,
cosines, and signs of the turn's form. An answer is often spread over turns that stand together, so
most are taken of the page, and of the page with the one or two turns before and after it.
"""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from memory_core.backends.embedder import Vectors
from memory_core.form import Form, asks_for_a_name, asks_for_a_time, form_of, is_named
from memory_core.store.around import ALONE, Surroundings
from memory_core.store.words import WordHits

Numbers = NDArray[np.float64]

# BM25 as FTS5 has it.
K1, B = 1.2, 0.75
NEAR, FAR = 0.7, 0.4
MOST_TERMS = 60
"""Beyond so many terms a longer turn is not likelier to hold an answer."""

FEATURES = (
    *("words.bm25", "words.bm25_squared", "words.covered"),
    *("context.covered", "context.covered_far", "context.saturated", "context.bm25"),
    *("context.before", "context.after", "context.further"),
    "vectors.cosine",
    *("surroundings.before", "surroundings.after", "surroundings.further"),
    *("surroundings.near", "surroundings.far"),
    *("agreement.page", "agreement.near"),
    *("form.question", "form.after_question", "form.length", "form.time", "form.digits"),
    *("form.time_asked", "form.digits_asked", "form.own", "form.other", "form.names"),
    *("form.names_asked", "form.quoted", "form.quoted_asked"),
    *("speaker.named", "speaker.own"),
)
"""Columns of the evidence; the part before the dot is the channel."""


@dataclass(frozen=True, slots=True)
class Around:
    """A number of each judged page, and of the turns around it; 0 where there is none."""

    here: Numbers
    before: tuple[Numbers, Numbers]
    after: tuple[Numbers, Numbers]

    @property
    def next_to(self) -> Numbers:
        return self.before[0] + self.after[0]

    @property
    def further(self) -> Numbers:
        return self.before[1] + self.after[1]


def evidence(
    question: str, words: WordHits, asked: Vectors | None, around: Surroundings
) -> dict[int, Numbers]:
    """Of each judged page, its numbers in the order of `FEATURES`."""
    if not around.pages:
        return {}
    table = _Table(around)
    columns: dict[str, Numbers] = {}
    columns |= _of_words(table, words)
    columns |= _of_vectors(table, asked, around)
    covered, near = columns["words.covered"], columns["context.covered"]
    columns["agreement.page"] = covered * np.maximum(columns["vectors.cosine"], 0)
    columns["agreement.near"] = near * np.maximum(columns["surroundings.near"], 0)
    columns |= _of_form(table, question, around)
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

    def around(self, numbers: Numbers) -> Around:
        """Spread numbers, one a row, over the judged pages and what stands around them."""
        far_before, before, after, far_after = (numbers[self._beside[:, n]] for n in range(4))
        return Around(numbers[self._here], (before, far_before), (after, far_after))


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

    own = table.around(_bm25(counts, lengths, weights, usual))
    terms = table.around(counts)
    near = terms.here + NEAR * terms.next_to + FAR * terms.further
    long = table.around(lengths)
    # In units of one turn, so that the usual length is that of a turn here too.
    long_near = (long.here + NEAR * long.next_to + FAR * long.further) / (1 + 2 * NEAR + 2 * FAR)
    holds = terms.here > 0
    holds_near = holds | (terms.next_to > 0)
    return {
        "words.bm25": own.here,
        "words.bm25_squared": own.here**2,
        "words.covered": holds @ weights / total,
        "context.covered": holds_near @ weights / total,
        "context.covered_far": (holds_near | (terms.further > 0)) @ weights / total,
        "context.saturated": (near / (near + 1)) @ weights / total,
        "context.bm25": _bm25(near, long_near, weights, usual),
        "context.before": own.before[0],
        "context.after": own.after[0],
        "context.further": own.further,
    }


def _of_vectors(table: _Table, asked: Vectors | None, around: Surroundings) -> dict[str, Numbers]:
    cosines = np.zeros(table.size)
    means = np.zeros((table.size, 1))
    query = np.zeros(1)
    if asked is not None and len(around.items):
        query = asked.astype(np.float64)
        rows = np.array([table.row.get(item, table.size - 1) for item in around.items])
        best = np.full(table.size, -1.0)
        np.maximum.at(best, rows, around.vectors @ asked)
        means = np.zeros((table.size, len(query)))
        np.add.at(means, rows, around.vectors)
        means[-1], best[-1] = 0.0, 0.0
        cosines = np.where(best > -1.0, best, 0.0)
        means /= np.maximum(np.linalg.norm(means, axis=1, keepdims=True), 1e-9)
    own, whole = table.around(cosines), table.around(means)
    near = whole.here + whole.next_to
    return {
        "vectors.cosine": own.here,
        "surroundings.before": own.before[0],
        "surroundings.after": own.after[0],
        "surroundings.further": own.further,
        "surroundings.near": _cosine(near, query),
        "surroundings.far": _cosine(near + whole.further, query),
    }


def _cosine(rows: Numbers, query: Numbers) -> Numbers:
    found: Numbers = rows @ query / np.maximum(np.linalg.norm(rows, axis=1), 1e-9)
    return found


def _of_form(table: _Table, question: str, around: Surroundings) -> dict[str, Numbers]:
    forms = {key: form_of(page) for key, page in around.pages.items()}

    def each(number: str) -> Numbers:
        return np.array([getattr(forms[key], number) for key in table.judged], dtype=np.float64)

    asked = np.zeros(table.size)
    for key, form in forms.items():
        asked[table.row[key]] = form.question
    time, name = float(asks_for_a_time(question)), float(asks_for_a_name(question))
    named = _named(question, [forms[key] for key in table.judged])
    own = each("own")
    return {
        "form.question": each("question"),
        "form.after_question": table.around(asked).before[0],
        "form.length": np.log1p(np.minimum(each("length"), MOST_TERMS)),
        "form.time": each("time"),
        "form.digits": each("digits"),
        "form.time_asked": time * each("time"),
        "form.digits_asked": time * each("digits"),
        "form.own": own,
        "form.other": each("other"),
        "form.names": np.log1p(each("names")),
        "form.names_asked": name * np.log1p(each("names")),
        "form.quoted": each("quoted"),
        "form.quoted_asked": name * each("quoted"),
        "speaker.named": named,
        "speaker.own": named * own,
    }


def _named(question: str, forms: Sequence[Form]) -> Numbers:
    """1 for pages whose speaker the question names, unless it names all or none of them."""
    speakers = {form.speaker for form in forms} - {""}
    named = {speaker for speaker in speakers if is_named(speaker, question)}
    if not named or named == speakers:
        return np.zeros(len(forms))
    return np.array([float(form.speaker in named) for form in forms])


def channel_of(feature: str) -> str:
    return feature.partition(".")[0]
