"""`open_memory`: the only place where the parts are chosen and put together."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta

import anyio
from pydantic import SecretStr

from memory_core.backends.chroma_index import ChromaIndex
from memory_core.backends.embed_bundled import BundledEmbedder
from memory_core.backends.embed_endpoint import EndpointEmbedder
from memory_core.backends.embed_sentence_transformers import SentenceTransformersEmbedder
from memory_core.backends.embedder import Embedder
from memory_core.backends.llm import LanguageModel
from memory_core.backends.openai_llm import OpenAIModel
from memory_core.backends.vector_index import VectorIndex
from memory_core.concurrency import Courtesy
from memory_core.config import BUNDLED_EMBEDDER, ENDPOINT_EMBEDDER, NO_EMBEDDER, Settings
from memory_core.core import MemoryCore
from memory_core.mid_term import HeatWeights
from memory_core.recall import Recall
from memory_core.store import jobs
from memory_core.store.database import Database
from memory_core.vectors import VectorMemory
from memory_core.walk import Limits, Walk


def utc_now() -> datetime:
    """The moment, aware and UTC."""
    return datetime.now(UTC)


@asynccontextmanager
async def open_memory(
    settings: Settings,
    *,
    clock: Callable[[], datetime] = utc_now,
    model: LanguageModel | None = None,
    embedder: Embedder | None = None,
    index: VectorIndex | None = None,
) -> AsyncIterator[MemoryCore]:
    """Open the memory in `settings.data_storage_path` and work on it while the context lasts.

    Args:
        clock: the time, aware and UTC.
        model, embedder, index: use these instead of the ones that the settings name.

    Raises:
        StorageError: the directory or the database cannot be used.
    """
    database = await Database.open(settings.data_storage_path / "memory.db")
    await database.write(jobs.rearm, clock())
    model = model or language_model(settings)
    courtesy = Courtesy()
    vectors = VectorMemory(
        database,
        embedder or embedder_named(settings),
        index or ChromaIndex(settings.data_storage_path / "chroma"),
        courtesy,
    )
    walk = Walk(
        database=database,
        vectors=vectors,
        model=model,
        limits=tier_limits(settings),
        clock=clock,
        courtesy=courtesy,
    )
    memory = MemoryCore(settings, walk, Recall(database, vectors, clock))
    try:
        async with memory.running():
            yield memory
    finally:
        with anyio.CancelScope(shield=True):
            await vectors.close()
            if model is not None:
                await model.close()
            await database.close()


def language_model(settings: Settings) -> LanguageModel | None:
    if not settings.has_model:
        return None
    return OpenAIModel(
        model=settings.llm_model,
        base_url=settings.openai_base_url,
        api_key=settings.openai_api_key.get_secret_value(),
        timeout=settings.llm_timeout_seconds,
        max_parallel=settings.llm_max_parallel,
    )


def embedder_named(settings: Settings) -> Embedder | None:
    """The embedder that `embedding_model_name` names; "none" is none."""
    name = settings.embedding_model_name
    if name == NO_EMBEDDER:
        return None
    if name == BUNDLED_EMBEDDER:
        return BundledEmbedder()
    if name.startswith(ENDPOINT_EMBEDDER):
        # A key goes to the endpoint that it was given for, and to no other.
        own = bool(settings.embedding_base_url)
        spare = SecretStr("") if own else settings.openai_api_key
        return EndpointEmbedder(
            model=name.removeprefix(ENDPOINT_EMBEDDER),
            base_url=settings.embedding_base_url if own else settings.openai_base_url,
            api_key=(settings.embedding_api_key or spare).get_secret_value(),
            timeout=settings.llm_timeout_seconds,
        )
    return SentenceTransformersEmbedder(name, settings.embedding_model_kwargs)


def tier_limits(settings: Settings) -> Limits:
    return Limits(
        short_term=settings.short_term_capacity,
        mid_term=settings.mid_term_capacity,
        long_term=settings.long_term_knowledge_capacity,
        similarity=settings.mid_term_similarity_threshold,
        heat=settings.mid_term_heat_threshold,
        weights=HeatWeights(
            alpha=settings.heat_alpha,
            beta=settings.heat_beta,
            gamma=settings.heat_gamma,
            mu=settings.heat_time_constant_seconds,
        ),
        batch=settings.consolidation_batch_size,
        idle=timedelta(seconds=settings.consolidation_idle_seconds),
    )
