from collections.abc import Sequence

import numpy as np
import pytest

from memory_core.backends.embed_bundled import BundledEmbedder
from memory_core.backends.embedder import Vectors
from memory_core.calibration import (
    RELATED_PAIRS,
    measure_similarity_threshold,
    threshold_over,
)


def cosines(related: float, unrelated: float, size: int = 4) -> Vectors:
    matrix = np.full((size, size), unrelated, np.float32)
    np.fill_diagonal(matrix, related)
    return matrix


def test_the_threshold_lies_halfway_between_noise_and_answers() -> None:
    assert threshold_over([cosines(0.8, 0.2)]) == pytest.approx(0.5)


def test_a_few_loud_unrelated_pairs_raise_the_threshold_and_a_typical_one_does_not() -> None:
    quiet, loud = cosines(0.8, 0.2, size=10), cosines(0.8, 0.2, size=10)
    loud[:6, 9] = 0.6
    quiet[0, 9] = 0.6
    assert threshold_over([loud]) > 0.6
    assert threshold_over([quiet]) == pytest.approx(0.5)


def test_a_language_that_the_model_does_not_know_has_no_say() -> None:
    assert threshold_over([cosines(0.6, 0.2), cosines(0.5, 0.7)]) == pytest.approx(0.4)


def test_the_middle_language_decides() -> None:
    groups = [cosines(0.4, 0.2), cosines(0.9, 0.7), cosines(0.6, 0.4)]
    assert threshold_over(groups) == pytest.approx(0.5)


def test_a_model_that_tells_nothing_apart_lets_only_what_is_above_its_noise_pass() -> None:
    assert threshold_over([cosines(0.3, 0.5), cosines(0.3, 0.7)]) == pytest.approx(0.5)


async def test_measured_on_the_bundled_model_most_answers_pass_and_few_others_do() -> None:
    embedder = BundledEmbedder()
    threshold = await measure_similarity_threshold(embedder)
    answers, others = [], []
    for pairs in RELATED_PAIRS:
        passing = await _passing(embedder, pairs, threshold)
        answers += list(np.diag(passing))
        others += list(passing[~np.eye(len(pairs), dtype=bool)])
    assert np.mean(answers) > 0.6
    assert np.mean(others) < 0.1


async def test_the_bundled_threshold_is_near_the_measured_one() -> None:
    embedder = BundledEmbedder()
    measured = await measure_similarity_threshold(embedder)
    assert embedder.similarity_threshold == pytest.approx(measured, abs=0.05)


async def _passing(
    embedder: BundledEmbedder, pairs: Sequence[tuple[str, str]], threshold: float
) -> np.ndarray[tuple[int, ...], np.dtype[np.bool_]]:
    questions = await embedder.embed_documents([question for question, _ in pairs])
    statements = await embedder.embed_documents([statement for _, statement in pairs])
    return np.asarray(questions @ statements.T >= threshold)
