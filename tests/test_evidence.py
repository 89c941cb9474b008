"""What speaks for a page: on scales of its own, of the page and of the turns around it."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from datetime import timedelta
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.backends.embedder import Vectors
from memory_core.config import RECALL_CHANNELS
from memory_core.evidence import FEATURES, bm25_shares, channel_of, evidence
from memory_core.records import Page
from memory_core.store.around import Surroundings
from memory_core.store.words import Held, WordHits
from memory_core.weights import WEIGHTS
from tests.store.filled import NOW

Numbers = dict[str, float]
EAST, NORTH, UP = np.eye(3, dtype=np.float32)
QUIET = Held((0,), 12)
"""What a turn holds that is as long as the others, and has none of one term."""


def page(key: int, text: str = "So it is.", answer: str = "", **meta_data: Any) -> Page:
    return Page(
        key=key,
        id=f"page_{key}",
        user_input=text,
        agent_response=answer,
        at=NOW + timedelta(minutes=key),
        meta_data=meta_data,
        segment_key=None,
    )


def dialogue(
    *texts: str, vectors: Mapping[int, Sequence[Vectors]] | None = None, judged: Sequence[int] = ()
) -> Surroundings:
    """Turns 1, 2, ... of one scope, all or some of them judged, with pieces of their vectors."""
    last = len(texts)
    keys = judged or range(1, last + 1)
    pieces = [(key, piece) for key, own in (vectors or {}).items() for piece in own]
    return Surroundings(
        pages={key: page(key, texts[key - 1]) for key in keys},
        beside={key: beside(key, last) for key in keys},
        items=[key for key, _ in pieces],
        vectors=np.array([piece for _, piece in pieces], dtype=np.float32),
    )


def beside(key: int, last: int) -> tuple[int, int, int, int]:
    before2, before, after, after2 = (
        other if 1 <= other <= last else 0 for other in (key - 2, key - 1, key + 1, key + 2)
    )
    return before2, before, after, after2


def told(
    around: Surroundings,
    words: WordHits | None = None,
    asked: Vectors | None = None,
    question: str = "garage",
) -> dict[int, Numbers]:
    """The evidence with its names."""
    found = evidence(question, words or WordHits(), asked, around)
    return {key: dict(zip(FEATURES, row.tolist(), strict=True)) for key, row in found.items()}


def channels_that_say_something(numbers: Numbers) -> set[str]:
    return {channel_of(name) for name, number in numbers.items() if number}


def test_each_number_has_a_weight_and_belongs_to_a_channel() -> None:
    assert len(set(FEATURES)) == len(FEATURES)
    assert set(WEIGHTS) == set(FEATURES)
    assert all(np.isfinite(weight) for weight in WEIGHTS.values())
    assert {channel_of(name) for name in FEATURES} <= set(RECALL_CHANNELS)


def test_each_judged_page_has_one_number_of_each_feature() -> None:
    found = evidence("q", WordHits(), None, dialogue("a", "b", "c", judged=[1, 3]))
    assert {key: row.shape for key, row in found.items()} == {
        1: (len(FEATURES),),
        3: (len(FEATURES),),
    }
    assert evidence("q", WordHits(), EAST, Surroundings(pages={}, beside={})) == {}


def test_what_has_no_input_says_nothing() -> None:
    around = dialogue("So it is.", "So it is.")
    assert channels_that_say_something(told(around)[1]) == {"form"}
    words = WordHits((1.0,), {1: Held((1,), 12)})
    assert channels_that_say_something(told(around, words)[1]) == {"form", "words", "context"}
    seen = dialogue("So it is.", "So it is.", vectors={1: [EAST]})
    by_meaning = channels_that_say_something(told(seen, asked=EAST)[1])
    assert by_meaning == {"form", "vectors", "surroundings"}
    assert channels_that_say_something(told(seen)[1]) == {"form"}


def test_pages_of_another_language_get_what_these_have_less_of_meaning_on_average() -> None:
    seen = dialogue(*["So it is."] * 4, vectors={1: [EAST], 2: [EAST], 3: [NORTH], 4: [EAST + UP]})
    apart = replace(seen, beside={key: (0, 0, 0, 0) for key in seen.pages})
    plain = evidence("q", WordHits(), EAST, apart)
    found = evidence("q", WordHits(), EAST, apart, foreign={3: "HAN", 4: "HAN"})
    gap = FEATURES.index("language.gap")
    assert [row[gap] for row in plain.values()] == [0, 0, 0, 0]
    assert [row[gap] > 0 for row in found.values()] == [False, False, True, True]
    assert found[3][gap] == found[4][gap]
    # Those that are nearer than the own ones need nothing, nor do pages that are all foreign.
    nearer = evidence("q", WordHits(), EAST, apart, foreign={1: "HAN"})
    alone = evidence("q", WordHits(), EAST, apart, foreign=dict.fromkeys(seen.pages, "HAN"))
    assert [row[gap] for row in (*nearer.values(), *alone.values())] == [0] * 8


def test_a_page_tells_how_much_of_the_question_it_holds() -> None:
    words = WordHits((3.0, 1.0), {1: Held((1, 1), 9), 2: Held((5, 0), 9), 3: Held((0, 1), 9)})
    found = told(dialogue("a", "b", "c"), words)
    covered = [found[key]["words.covered"] for key in (1, 2, 3)]
    assert covered == pytest.approx([1, 0.75, 0.25])
    shares = bm25_shares(words)
    assert shares[2] > shares[1] > shares[3] > 0


def test_an_answer_beside_its_question_has_the_words_of_the_question_in_its_context() -> None:
    around = dialogue("Rain.", "Wind.", "Where is it?", "In blue.", "I see.", "Bye.", "Bye!")
    words = WordHits((1.0,), {3: Held((2,), 12)})
    found = told(around, words)
    answer, further, far_off = found[4], found[5], found[6]
    assert "words" not in channels_that_say_something(answer)
    assert answer["context.covered"] == further["context.covered"] == 1
    bm25 = [found[key]["context.bm25"] for key in (3, 4, 5)]
    assert bm25[0] > bm25[1] > bm25[2] > 0
    assert [found[key]["context.bm25"] for key in (2, 1)] == bm25[1:]
    assert channels_that_say_something(far_off) == {"form"}


def test_turns_that_share_out_the_question_among_them_cover_it_together() -> None:
    words = WordHits((1.0, 1.0), {1: Held((1, 0), 9), 2: Held((0, 1), 9)})
    found = told(dialogue("a", "b"), words)
    assert found[1]["words.covered"] == found[2]["words.covered"] == 0.5
    assert found[1]["context.covered"] == found[2]["context.covered"] == 1


def test_turns_that_are_not_judged_lift_those_that_are() -> None:
    words = WordHits((1.0,), {1: Held((1,), 9)})
    around = dialogue("Where?", "Here.", vectors={1: [EAST]}, judged=[2])
    (answer,) = told(around, words, EAST).values()
    assert answer["context.bm25"] > 0
    assert answer["surroundings.near"] == 1


def test_the_best_piece_of_a_page_counts() -> None:
    around = dialogue("a", "b", vectors={1: [NORTH, EAST, UP], 2: [NORTH, UP]})
    found = told(around, asked=EAST)
    assert found[1]["vectors.cosine"] == pytest.approx(1)
    assert found[2]["vectors.cosine"] == pytest.approx(0)
    assert told(around, asked=-EAST)[1]["vectors.cosine"] == pytest.approx(0)


def test_meaning_spreads_to_the_turns_around() -> None:
    around = dialogue("a", "b", "c", "d", vectors={1: [EAST], 2: [NORTH], 3: [NORTH], 4: [NORTH]})
    found = told(around, asked=EAST)
    near = [found[key]["surroundings.near"] for key in (1, 2, 3, 4)]
    assert near[0] > near[1] > near[2] == near[3] == 0
    far = [found[key]["surroundings.far"] for key in (1, 2, 3, 4)]
    assert far[0] >= far[1] > far[3] == 0
    assert far[2] > 0


def test_numbers_do_not_depend_on_how_much_else_is_remembered() -> None:
    few = ["Rain.", "Where is it?", "In blue.", "I see."]
    many = [*few, "Wind.", "Tea?", *["It is 5 o'clock."] * 50]
    rows = {2: Held((2,), 12), 3: QUIET}
    crowd = {key: QUIET for key in range(5, 50)}
    vectors = {2: [EAST], 3: [NORTH, UP]}
    others = {key: [NORTH] for key in range(7, 40)}
    some = told(dialogue(*few, vectors=vectors), WordHits((1.0,), rows), EAST)
    more = told(
        dialogue(*many, vectors={**vectors, **others}), WordHits((1.0,), {**rows, **crowd}), EAST
    )
    assert more[2] == pytest.approx(some[2])
    assert more[1] == pytest.approx(some[1])
    assert bm25_shares(WordHits((1.0,), {**rows, **crowd}))[2] == pytest.approx(
        bm25_shares(WordHits((1.0,), rows))[2]
    )


def test_what_stands_after_a_question_is_known_and_an_answered_one_is_none() -> None:
    found = told(dialogue("Where is it?", "In blue.", "I see."))
    assert [found[key]["form.question"] for key in (1, 2, 3)] == [1, 0, 0]
    assert [found[key]["form.after_question"] for key in (1, 2, 3)] == [0, 1, 0]
    answered = Surroundings(pages={1: page(1, "Where is it?", "In blue.")}, beside={})
    assert told(answered)[1]["form.question"] == 0


def test_times_and_names_count_once_more_where_they_are_asked_for() -> None:
    around = dialogue('On 3 May I read "Dune" to Anna.')
    for question, time, name in (("When?", 1, 0), ("Which book?", 0, 1), ("Tea?", 0, 0)):
        numbers = told(around, question=question)[1]
        assert (numbers["form.time"], numbers["form.quoted"]) == (1, 1)
        assert (numbers["form.time_asked"], numbers["form.digits_asked"]) == (time, time)
        assert (numbers["form.names_asked"] > 0, numbers["form.quoted_asked"]) == (bool(name), name)


@pytest.mark.parametrize(
    ("question", "named"),
    [
        ("What does Anna like?", [1, 0, 1, 0]),
        ("What do Anna and Bob like?", [0, 0, 0, 0]),
        ("What does Carla like?", [0, 0, 0, 0]),
    ],
)
def test_turns_of_the_speaker_that_a_question_names_are_marked_unless_it_names_all(
    question: str, named: list[int]
) -> None:
    found = told(
        dialogue("Anna: I like tea.", "Bob: I like it too.", "Anna: Bye.", "Rain."),
        question=question,
    )
    assert [found[key]["speaker.named"] for key in (1, 2, 3, 4)] == named
    assert [found[key]["speaker.own"] for key in (1, 2, 3)] == [named[0], named[1], 0]


@pytest.mark.parametrize("speaker", [" ", "", None, 7, ["Anna"], "\ud800", "(", "Anna\x00"])
def test_odd_speakers_break_nothing(speaker: object) -> None:
    pages = {1: page(1, "tea", speaker=speaker), 2: page(2, "Anna: tea")}
    numbers = told(Surroundings(pages=pages, beside={}), question=f"What does Anna say? {speaker}")
    assert np.isfinite([*numbers[1].values()]).all()


def test_terms_and_rows_without_any_weight_break_nothing() -> None:
    words = WordHits((0.0, 0.0), {1: Held((1, 0), 0), 2: Held((255, 255), 4_000_000)})
    found = evidence("q", words, None, dialogue("a", "b", "c"))
    assert np.isfinite([*found.values()]).all()
    assert bm25_shares(words) == {1: 0, 2: 0}
    assert bm25_shares(WordHits((1.0,), {})) == {}


KEYS = st.integers(1, 8)
ROW = st.lists(st.floats(-1, 1, width=32), min_size=3, max_size=3)


@settings(max_examples=60, deadline=None)
@given(
    question=st.text(),
    texts=st.dictionaries(KEYS, st.tuples(st.text(), st.text()), min_size=1),
    beside=st.dictionaries(KEYS, st.tuples(*[st.integers(0, 9)] * 4)),
    weights=st.tuples(st.floats(0, 20), st.floats(0, 20)),
    rows=st.dictionaries(
        KEYS, st.tuples(st.tuples(*[st.integers(0, 255)] * 2), st.integers(0, 2**32 - 1))
    ),
    pieces=st.lists(st.tuples(KEYS, ROW)),
    asked=st.none() | ROW,
)
def test_whatever_is_remembered_and_asked_all_numbers_are_finite(
    question: str,
    texts: dict[int, tuple[str, str]],
    beside: dict[int, tuple[int, int, int, int]],
    weights: tuple[float, float],
    rows: dict[int, tuple[tuple[int, int], int]],
    pieces: list[tuple[int, list[float]]],
    asked: list[float] | None,
) -> None:
    around = Surroundings(
        pages={key: page(key, *both) for key, both in texts.items()},
        beside=beside,
        items=[key for key, _ in pieces],
        vectors=np.array([row for _, row in pieces], dtype=np.float32).reshape(-1, 3),
    )
    words = WordHits(weights, {key: Held(*held) for key, held in rows.items()})
    query = None if asked is None else np.array(asked, dtype=np.float32)
    found = evidence(question, words, query, around)
    assert set(found) == set(texts)
    assert np.isfinite([*found.values()]).all()
    assert np.isfinite([*bm25_shares(words).values()]).all()
