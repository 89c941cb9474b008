"""The sentence-transformers reranker with a real, if tiny, cross-encoder that knows nothing.

They are skipped where the extra is not installed; `scripts/test_sentence_transformers` installs it.
"""

import importlib
import importlib.util
from pathlib import Path
from typing import Any

import anyio
import numpy as np
import pytest

from memory_core.backends.rerank_sentence_transformers import SentenceTransformersReranker
from memory_core.errors import RerankerError
from tests.backends.test_embed_sentence_transformers import TORCH

QUERY = "where is the sea"
TEXTS = ["the sea is blue", "a duck on a pond", "sea", "the"] * 5
WORDS = "[PAD] [UNK] [CLS] [SEP] [MASK] a the sea is blue duck on pond where"


def made(folder: Path, *, labels: int = 1, weight: float = 0.0) -> str:
    """Save a small cross-encoder with chance weights; weight: added to each of its last layer."""
    pytest.importorskip("sentence_transformers", reason="needs the sentence-transformers extra")
    transformers = importlib.import_module("transformers")
    torch = importlib.import_module("torch")
    folder.mkdir(parents=True)
    (folder / "vocab.txt").write_text("\n".join(WORDS.split()))
    torch.manual_seed(1)
    config = transformers.BertConfig(
        vocab_size=len(WORDS.split()),
        hidden_size=16,
        num_hidden_layers=1,
        num_attention_heads=2,
        intermediate_size=16,
        max_position_embeddings=64,
        num_labels=labels,
    )
    model = transformers.BertForSequenceClassification(config)
    with torch.no_grad():
        model.classifier.weight.mul_(200)
        model.classifier.bias.add_(weight)
    model.save_pretrained(folder)
    transformers.BertTokenizer(str(folder / "vocab.txt")).save_pretrained(folder)
    return str(folder)


class TestModel:
    pytestmark = TORCH

    async def test_scores_are_those_of_the_model_as_shares(self, tmp_path: Path) -> None:
        name = made(tmp_path / "models" / "judge")
        reranker = SentenceTransformersReranker(name)
        await reranker.load()
        scores = await reranker.scores(QUERY, TEXTS)
        encoder: Any = importlib.import_module("sentence_transformers").CrossEncoder(name)
        sigmoid = importlib.import_module("torch").nn.Sigmoid()
        expected = encoder.predict([(QUERY, text) for text in TEXTS], activation_fn=sigmoid)
        np.testing.assert_allclose(scores, expected, atol=1e-4)
        assert len({round(score, 4) for score in scores}) == 4
        assert reranker.name == "sentence-transformers/models/judge"

    async def test_odd_text_gives_a_share(self, tmp_path: Path) -> None:
        reranker = SentenceTransformersReranker(made(tmp_path / "judge"))
        odd = ["", "\0", "\ud83d", "\x01\x1b", "👩‍👩‍👧", "花生" * 500_000]
        with anyio.fail_after(60):
            scores = await reranker.scores("\ud83d" + "sea " * 100_000, odd)
        assert len(scores) == len(odd)
        assert all(0 <= score <= 1 for score in scores)
        assert await reranker.scores(QUERY, []) == []

    async def test_after_close_it_loads_again(self, tmp_path: Path) -> None:
        reranker = SentenceTransformersReranker(made(tmp_path / "judge"))
        before = await reranker.scores(QUERY, TEXTS)
        await reranker.close()
        assert await reranker.scores(QUERY, TEXTS) == before

    async def test_a_model_of_several_labels_is_refused(self, tmp_path: Path) -> None:
        reranker = SentenceTransformersReranker(made(tmp_path / "judge", labels=3))
        with pytest.raises(RerankerError, match="no cross-encoder that gives one score"):
            await reranker.load()

    async def test_a_model_that_has_not_learnt_to_judge_is_refused(self, tmp_path: Path) -> None:
        name = made(tmp_path / "judge")
        transformers = importlib.import_module("transformers")
        transformers.BertModel.from_pretrained(name).save_pretrained(name)
        with pytest.raises(RerankerError, match="no cross-encoder that gives one score"):
            await SentenceTransformersReranker(name).load()

    async def test_numbers_that_are_none_are_refused(self, tmp_path: Path) -> None:
        reranker = SentenceTransformersReranker(made(tmp_path / "judge", weight=float("nan")))
        with pytest.raises(RerankerError, match="not finite"):
            await reranker.scores(QUERY, TEXTS)

    async def test_a_folder_without_a_model_is_refused_with_advice(self, tmp_path: Path) -> None:
        pytest.importorskip("sentence_transformers", reason="needs the extra")
        with pytest.raises(RerankerError, match="holds no sentence-transformers model"):
            await SentenceTransformersReranker(str(tmp_path)).load()


@pytest.mark.skipif(
    importlib.util.find_spec("sentence_transformers") is not None,
    reason="the extra is installed",
)
async def test_without_the_extra_it_says_how_to_install_it() -> None:
    reranker = SentenceTransformersReranker("BAAI/bge-reranker-v2-m3")
    for asking in (reranker.load(), reranker.scores(QUERY, TEXTS)):
        with pytest.raises(
            RerankerError, match=r'pip install "memstrata\[sentence-transformers\]"'
        ):
            await asking


def test_its_name_is_known_before_it_is_loaded() -> None:
    name = "sentence-transformers/BAAI/bge-reranker-v2-m3"
    assert SentenceTransformersReranker("BAAI/bge-reranker-v2-m3").name == name
