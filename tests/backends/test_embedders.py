"""The bundled embedder, and what every embedder does with odd text and odd numbers."""

import importlib.util
import time

import anyio
import anyio.lowlevel
import numpy as np
import pytest
from numpy.typing import NDArray

from memory_core.backends.embed_bundled import BundledEmbedder
from memory_core.backends.embedder import Embedder, cleaned, unit_rows
from memory_core.errors import EmbedderError

TEXTS = [
    "I live in Lisbon and work as a nurse.",
    "我对花生过敏",
    "週末はいつも写真を撮りに出かけます。",
    "Mañana viajo a Córdoba en tren.",
    "",
    "🦆",
]
ODD = {
    "empty": "",
    "blank": " \t\r\n\u3000",
    "lone surrogates": "\ud83d peanuts \udc00",
    "only a lone surrogate": "\udfff",
    "NUL": "\0",
    "control characters": "\x01\x1b[31m\x7f\x85",
    "emoji": "👩‍👩‍👧🏳️‍🌈🦆",
    "a character of eighteen": "\ufdfa" * 400,
    "combining marks": "e" + "\u0301" * 400,
    "right to left": "\u202eمرحبا",
    "not a character": "\uffff\U0010ffff",
    "one long word": "a" * 5000,
}


@pytest.fixture(scope="module")
def embedder() -> Embedder:
    return BundledEmbedder()


def lengths(rows: NDArray[np.float32]) -> NDArray[np.float32]:
    return np.asarray(np.linalg.norm(rows, axis=-1))


async def test_documents_are_rows_of_unit_length(embedder: Embedder) -> None:
    await embedder.load()
    rows = await embedder.embed_documents(TEXTS)
    assert rows.shape == (len(TEXTS), embedder.dimension)
    assert rows.dtype == np.float32
    assert lengths(rows) == pytest.approx(1.0, abs=1e-5)


async def test_a_query_is_one_row(embedder: Embedder) -> None:
    assert (await embedder.embed_query(TEXTS[0])).shape == (embedder.dimension,)


async def test_no_documents_are_no_rows(embedder: Embedder) -> None:
    assert (await embedder.embed_documents([])).shape == (0, embedder.dimension)


async def test_the_same_text_gives_the_same_vector_in_another_object(embedder: Embedder) -> None:
    first = await embedder.embed_documents(TEXTS)
    again = await BundledEmbedder().embed_documents(TEXTS)
    np.testing.assert_allclose(first, again, atol=1e-6)


async def test_a_batch_gives_what_each_text_gives_alone(embedder: Embedder) -> None:
    texts = [f"{text} {number}" for number in range(7) for text in TEXTS]
    together = await embedder.embed_documents(texts)
    alone = [(await embedder.embed_documents([text]))[0] for text in texts]
    np.testing.assert_allclose(together, alone, atol=1e-5)


async def test_a_question_is_embedded_mostly_by_its_content_words(embedder: Embedder) -> None:
    text = "What activities does Anna partake in?"
    asked = await embedder.embed_query(text)
    whole, words = await embedder.embed_documents([text, "activities Anna partake"])
    assert asked @ words > asked @ whole > 0.5
    assert np.linalg.norm(asked) == pytest.approx(1, abs=1e-5)


async def test_a_question_of_function_words_and_one_without_end_are_embedded(
    embedder: Embedder,
) -> None:
    for text in ("What is it?", "的", "", "\ud800", "so " * 500_000):
        assert np.linalg.norm(await embedder.embed_query(text)) == pytest.approx(1, abs=1e-5)


async def test_callers_at_the_same_time_get_the_same(embedder: Embedder) -> None:
    expected = await embedder.embed_documents(TEXTS)
    answers = []

    async def embed() -> None:
        answers.append(await embedder.embed_documents(TEXTS))

    async with anyio.create_task_group() as group:
        for _ in range(6):
            group.start_soon(embed)
    assert len(answers) == 6
    for answer in answers:
        np.testing.assert_allclose(answer, expected, atol=1e-5)


@pytest.mark.parametrize("odd", ODD.values(), ids=ODD.keys())
async def test_odd_text_gives_a_unit_vector(embedder: Embedder, odd: str) -> None:
    assert lengths(await embedder.embed_query(odd)) == pytest.approx(1.0, abs=1e-5)
    assert lengths(await embedder.embed_documents([odd])) == pytest.approx(1.0, abs=1e-5)


async def test_two_megabytes_of_text_take_no_longer_than_a_page(embedder: Embedder) -> None:
    await embedder.load()
    began = time.monotonic()
    row = await embedder.embed_query("花生 peanut " * 160_000)
    assert time.monotonic() - began < 5.0
    assert lengths(row) == pytest.approx(1.0, abs=1e-5)


async def test_meaning_crosses_languages(embedder: Embedder) -> None:
    chinese = await embedder.embed_query("我对花生过敏")
    near, far = await embedder.embed_documents(["peanut allergy", "I live in Lisbon"])
    assert chinese @ near > chinese @ far + 0.2


async def test_a_query_does_not_wait_for_a_long_batch(embedder: Embedder) -> None:
    await embedder.load()
    done = []

    async def batch() -> None:
        await embedder.embed_documents([f"Page {number} about the sea" for number in range(1000)])
        done.append("batch")

    async with anyio.create_task_group() as group:
        group.start_soon(batch)
        await anyio.lowlevel.checkpoint()
        for _ in range(3):
            await embedder.embed_query("Where is the sea?")
            done.append("query")
    assert done == ["query", "query", "query", "batch"]


async def test_a_cancelled_batch_leaves_the_embedder_usable(embedder: Embedder) -> None:
    await embedder.load()
    with anyio.move_on_after(0.05) as scope:
        await embedder.embed_documents(["我两年前搬到了里斯本。" * 20] * 1000)
    assert scope.cancelled_caught
    assert lengths(await embedder.embed_query("里斯本")) == pytest.approx(1.0, abs=1e-5)


async def test_after_close_it_opens_again() -> None:
    embedder = BundledEmbedder()
    before = await embedder.embed_query(TEXTS[1])
    await embedder.close()
    np.testing.assert_allclose(await embedder.embed_query(TEXTS[1]), before, atol=1e-6)


def test_what_is_asked_before_loading_is_known(embedder: Embedder) -> None:
    fresh = BundledEmbedder()
    assert fresh.name == embedder.name == "use-multilingual-v3/512"
    assert fresh.window == 300
    assert fresh.similarity_threshold is not None


def test_the_model_can_bound_the_threads_of_numpy() -> None:
    # Without this package it silently cannot, and a query on a busy machine takes 40 times as long.
    assert importlib.util.find_spec("threadpoolctl") is not None


def test_cleaning_keeps_good_text() -> None:
    for text in ("plain", "我对花生过敏", "👩‍👩‍👧"):
        assert cleaned(text, 300) == text


def test_cleaning_joins_halves_of_a_character_and_replaces_lone_ones() -> None:
    assert cleaned("\ud83e\udd86 \ud83e", 300) == "🦆 \ufffd"


def test_cleaning_cuts_and_leaves_something() -> None:
    assert cleaned("  abcdef", 3) == "abc"
    assert cleaned("", 3) and cleaned("\0 \0", 3) and cleaned(" ", 3)


def test_rows_of_any_length_become_unit_rows() -> None:
    rows = np.array([[3, 4], [0, 0], [3e38, 0], [0, 1e-44]], np.float32)
    expected = np.array([[0.6, 0.8], [1.0, 0.0], [1.0, 0.0], [0.0, 1.0]])
    np.testing.assert_allclose(unit_rows(rows), expected, atol=1e-6)


@pytest.mark.parametrize("number", [np.nan, np.inf])
def test_numbers_that_are_none_are_refused(number: float) -> None:
    with pytest.raises(EmbedderError, match="not finite"):
        unit_rows(np.array([[1.0, number]], np.float32))
