"""The wiring: what each setting chooses, where keys go, and that all is let go at the end."""

from pathlib import Path
from typing import Any

import pytest

from memory_core import Settings, StorageError, open_memory
from memory_core.backends.embed_bundled import BundledEmbedder
from memory_core.backends.embed_endpoint import EndpointEmbedder
from memory_core.backends.embed_sentence_transformers import SentenceTransformersEmbedder
from memory_core.backends.embedder import Embedder
from memory_core.backends.memory_index import MemoryIndex
from memory_core.backends.rerank_endpoint import EndpointReranker
from memory_core.backends.rerank_sentence_transformers import SentenceTransformersReranker
from memory_core.backends.reranker import Reranker
from memory_core.mid_term import HeatWeights
from memory_core.testing import ScriptedModel, WordsEmbedder
from memory_core.wiring import (
    embedder_named,
    language_model,
    language_models,
    reranker_of,
    tier_limits,
    utc_now,
)
from tests.backends.test_embed_endpoint import Endpoint, serving
from tests.stub_llm import StubLLM


def chosen(**values: Any) -> Settings:
    return Settings.load(values, environ={})


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("bundled", BundledEmbedder),
        ("endpoint:text-embedding-3-small", EndpointEmbedder),
        ("endpoint:BAAI/bge-m3", EndpointEmbedder),
        ("sentence-transformers/all-MiniLM-L6-v2", SentenceTransformersEmbedder),
        ("/models/bundled", SentenceTransformersEmbedder),
    ],
)
def test_the_name_of_the_embedding_model_says_whose_it_is(name: str, kind: type[Embedder]) -> None:
    assert type(embedder_named(chosen(embedding_model_name=name))) is kind


def test_by_default_the_embedder_is_bundled_and_there_is_no_model() -> None:
    assert isinstance(embedder_named(chosen()), BundledEmbedder)
    assert language_model(chosen()) is None


def test_no_embedder_is_a_choice() -> None:
    assert embedder_named(chosen(embedding_model_name="none")) is None


@pytest.mark.parametrize(
    "values", [{"openai_api_key": "sk-1"}, {"openai_base_url": "http://127.0.0.1:11434/v1"}]
)
def test_a_key_or_an_endpoint_makes_a_model_and_the_name_none_takes_it_away(
    values: dict[str, str],
) -> None:
    model = language_model(chosen(llm_model="qwen2.5:7b", **values))
    assert model is not None
    assert model.name == "qwen2.5:7b"
    assert language_model(chosen(llm_model="none", **values)) is None


@pytest.mark.parametrize(
    ("names", "made"),
    [
        ({}, ("gpt-4o-mini", "gpt-4o-mini")),
        ({"llm_model": "small", "llm_answer_model": "large"}, ("small", "large")),
        ({"llm_model": "none", "llm_answer_model": "large"}, (None, "large")),
        ({"llm_model": "none"}, (None, None)),
        ({"llm_answer_model": "none"}, ("gpt-4o-mini", None)),
    ],
)
def test_another_model_may_write_the_answers(
    names: dict[str, str], made: tuple[str | None, str | None]
) -> None:
    settings = chosen(openai_api_key="sk-1", **names)
    models = language_models(settings)
    assert tuple(model and model.name for model in models) == made
    assert settings.sends_text_away == (made != (None, None))
    assert language_models(chosen(**names)) == (None, None)


async def test_the_model_that_answers_is_asked_at_the_same_endpoint(tmp_path: Path) -> None:
    with StubLLM() as stub:
        settings = chosen(
            data_storage_path=str(tmp_path),
            openai_base_url=stub.base_url,
            llm_model="small",
            llm_answer_model="large",
        )
        async with open_memory(settings, embedder=WordsEmbedder(), index=MemoryIndex()) as memory:
            await memory.respond("Hello?")
            today = (await memory.status()).model.today
        assert [call.body["model"] for call in stub.calls] == ["large"]
    assert [(usage.kind, usage.calls) for usage in today] == [("write", 1)]


@pytest.mark.parametrize(
    ("keys", "sent"),
    [
        ({"openai_api_key": "sk-model"}, "unused"),
        ({"openai_api_key": "sk-model", "embedding_api_key": "sk-own"}, "sk-own"),
        ({}, "unused"),
    ],
)
async def test_an_embedding_endpoint_of_its_own_never_sees_the_models_key(
    keys: dict[str, str], sent: str
) -> None:
    with serving(Endpoint()) as endpoint:
        await load(embedding_base_url=endpoint.url, openai_base_url="http://127.0.0.1:1/v1", **keys)
    assert endpoint.keys == [f"Bearer {sent}"]
    assert [asked["model"] for asked in endpoint.asked] == ["bge/m3"]


@pytest.mark.parametrize(
    ("keys", "sent"),
    [
        ({"openai_api_key": "sk-model"}, "sk-model"),
        ({"openai_api_key": "sk-model", "embedding_api_key": "sk-own"}, "sk-own"),
        ({}, "unused"),
    ],
)
async def test_embeddings_of_the_models_endpoint_are_asked_for_with_its_key_or_their_own(
    keys: dict[str, str], sent: str
) -> None:
    with serving(Endpoint()) as endpoint:
        await load(openai_base_url=endpoint.url, **keys)
    assert endpoint.keys == [f"Bearer {sent}"]


async def load(**values: str) -> None:
    embedder = embedder_named(chosen(embedding_model_name="endpoint:bge/m3", **values))
    assert embedder is not None
    await embedder.load()
    await embedder.close()


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("endpoint:bge-reranker-v2-m3", EndpointReranker),
        ("BAAI/bge-reranker-v2-m3", SentenceTransformersReranker),
        ("/models/none", SentenceTransformersReranker),
    ],
)
def test_the_name_of_the_reranker_says_whose_it_is(name: str, kind: type[Reranker]) -> None:
    settings = chosen(reranker_model=name)
    assert type(reranker_of(settings)) is kind
    assert settings.sends_text_away == (kind is EndpointReranker)


@pytest.mark.parametrize("name", ["", "none"])
def test_by_default_there_is_no_reranker(name: str) -> None:
    assert reranker_of(chosen(reranker_model=name)) is None


@pytest.mark.parametrize(
    ("place", "keys", "sent"),
    [
        ("reranker_base_url", {"openai_api_key": "sk-model"}, "unused"),
        ("reranker_base_url", {"reranker_api_key": "sk-own"}, "sk-own"),
        ("openai_base_url", {"openai_api_key": "sk-model"}, "sk-model"),
        ("openai_base_url", {"openai_api_key": "sk-model", "reranker_api_key": "sk-own"}, "sk-own"),
    ],
)
async def test_a_reranker_of_its_own_endpoint_never_sees_the_models_key(
    place: str, keys: dict[str, str], sent: str
) -> None:
    values = {"openai_base_url": "http://127.0.0.1:1/v1"}
    answer = {"results": [{"index": 0, "relevance_score": 0.5}]}
    with serving(Endpoint(answer=lambda body: (200, answer))) as endpoint:
        values[place] = endpoint.url
        reranker = reranker_of(chosen(reranker_model="endpoint:a/judge", **values, **keys))
        assert reranker is not None
        assert await reranker.scores("?", ["!"]) == [0.5]
        await reranker.close()
    assert endpoint.keys == [f"Bearer {sent}"]
    assert [asked["model"] for asked in endpoint.asked] == ["a/judge"]


def test_the_limits_of_the_tiers_are_those_of_the_settings() -> None:
    limits = tier_limits(
        chosen(
            short_term_capacity=2,
            mid_term_capacity=3,
            long_term_knowledge_capacity=4,
            mid_term_similarity_threshold=0.5,
            mid_term_heat_threshold=6,
            heat_alpha=7,
            heat_beta=8,
            heat_gamma=9,
            heat_time_constant_seconds=10,
            consolidation_batch_size=11,
            consolidation_idle_seconds=12,
        )
    )
    assert (limits.short_term, limits.mid_term, limits.long_term) == (2, 3, 4)
    assert (limits.similarity, limits.heat) == (0.5, 6)
    assert limits.weights == HeatWeights(alpha=7, beta=8, gamma=9, mu=10)
    assert (limits.batch, limits.idle.total_seconds()) == (11, 12)


def test_the_time_is_aware_and_utc() -> None:
    offset = utc_now().utcoffset()
    assert offset is not None
    assert offset.total_seconds() == 0


class ClosingEmbedder(WordsEmbedder):
    closed = False

    async def close(self) -> None:
        self.closed = True


@pytest.mark.parametrize("failure", [None, LookupError("the caller's own")])
async def test_whatever_happens_all_parts_are_closed_and_the_file_is_whole(
    tmp_path: Path, failure: Exception | None
) -> None:
    model, embedder, index = ScriptedModel(), ClosingEmbedder(), MemoryIndex()
    settings = chosen(data_storage_path=str(tmp_path))

    async def use() -> None:
        async with open_memory(settings, model=model, embedder=embedder, index=index) as memory:
            await memory.add_memory("Hello.")
            if failure:
                raise failure

    if failure:
        with pytest.raises(LookupError, match="the caller's own"):
            await use()
    else:
        await use()
    assert (model.closed, embedder.closed, index.state) == (True, True, "closed")
    assert not (tmp_path / "memory.db-wal").exists()


async def test_a_directory_that_cannot_be_used_is_an_error_before_anything_is_opened(
    tmp_path: Path,
) -> None:
    (tmp_path / "file").write_text("in the way")
    index = MemoryIndex()
    with pytest.raises(StorageError, match="data_storage_path"):
        async with open_memory(
            chosen(data_storage_path=str(tmp_path / "file")), embedder=WordsEmbedder(), index=index
        ):
            pass
    assert index.state == "closed"
