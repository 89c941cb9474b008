"""`open_memory`: the only place where the parts are chosen and put together."""

import logging
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from anyio import to_thread
from pydantic import SecretStr

from memory_core.backends.chroma_index import ChromaIndex
from memory_core.backends.embed_bundled import BundledEmbedder
from memory_core.backends.embed_endpoint import EndpointEmbedder
from memory_core.backends.embed_sentence_transformers import SentenceTransformersEmbedder
from memory_core.backends.embedder import Embedder
from memory_core.backends.endpoint import Endpoint
from memory_core.backends.llm import LanguageModel, Spent
from memory_core.backends.openai_llm import OpenAIModel
from memory_core.backends.rerank_endpoint import EndpointReranker
from memory_core.backends.rerank_sentence_transformers import SentenceTransformersReranker
from memory_core.backends.reranker import Reranker
from memory_core.backends.vector_index import VectorIndex
from memory_core.budget import DailyBudget
from memory_core.concurrency import Courtesy
from memory_core.config import (
    BUNDLED_EMBEDDER,
    ENDPOINT_EMBEDDER,
    ENDPOINT_RERANKER,
    NO_EMBEDDER,
    NO_RERANKER,
    Settings,
)
from memory_core.core import MemoryCore
from memory_core.embedding import Embedding
from memory_core.mid_term import HeatWeights
from memory_core.places import warnings_for
from memory_core.recall import Recall
from memory_core.rerank import Reranking
from memory_core.store import jobs, usage
from memory_core.store.database import Database
from memory_core.vectors import VectorMemory
from memory_core.walk import Limits, Walk

log = logging.getLogger(__name__)

SECRET = re.compile("key|token|secret|password|auth", re.IGNORECASE)


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
    reranker: Reranker | None = None,
    revive: Callable[[Mapping[str, Any]], Embedder | None] | None = None,
) -> AsyncIterator[MemoryCore]:
    """Open the memory in `settings.data_storage_path` and work on it while the context lasts.

    Args:
        clock: the time, aware and UTC.
        model, embedder, index, reranker: use these instead of the ones that the settings name.
        revive: makes the embedder that was in use before a switch, from the settings that named
            it then; needed with an `embedder` of one's own.

    Raises:
        StorageError: the directory or the database cannot be used.
    """
    async with _opened(settings.data_storage_path / "memory.db") as database:
        if not database.read_only:
            await database.write(jobs.rearm, clock())
        for warning in await to_thread.run_sync(warnings_for, settings.data_storage_path):
            log.warning(warning)

        async def report(name: str, spent: Spent) -> None:
            await database.write(usage.record, clock().date(), name, spent)

        budget = DailyBudget(database, clock, settings.llm_daily_token_budget)
        answers = model
        if model is None:
            model, answers = language_models(settings, report, budget.check)
        courtesy = Courtesy()
        own = embedder is None
        embedding = Embedding(
            database,
            embedder_named(settings) if own else embedder,
            courtesy,
            clock,
            recipe=recipe_of(settings),
            revive=revive or (partial(revived, settings) if own else lambda _: None),
            threshold=settings.similarity_threshold,
        )
        vectors = VectorMemory(
            database, index or ChromaIndex(settings.data_storage_path / "chroma"), courtesy
        )
        walk = Walk(
            database=database,
            embedding=embedding,
            vectors=vectors,
            model=model,
            limits=tier_limits(settings),
            clock=clock,
            zone=settings.zone,
            courtesy=courtesy,
            budget=budget,
        )
        reranking = Reranking(
            reranker or reranker_of(settings), settings.reranker_candidates, zone=settings.zone
        )
        recall = Recall(
            database,
            embedding,
            vectors,
            clock,
            reranking=reranking,
            channels=settings.channels,
            zone=settings.zone,
        )
        memory = MemoryCore(settings, walk, recall, answers=answers)
        try:
            async with memory.running():
                yield memory
        finally:
            with anyio.CancelScope(shield=True):
                await vectors.rest()
                await embedding.rest()
                await reranking.rest()
                for mind in (model, answers):
                    if mind is not None:
                        await mind.close()


@asynccontextmanager
async def _opened(path: Path) -> AsyncIterator[Database]:
    database = await Database.open(path)
    try:
        yield database
    finally:
        with anyio.CancelScope(shield=True):
            await database.close()


def language_model(
    settings: Settings, report: Callable[[Spent], Awaitable[None]] | None = None
) -> LanguageModel | None:
    """The language model that consolidates. report: told what each answer cost."""

    async def told(_: str, spent: Spent) -> None:
        if report is not None:
            await report(spent)

    return language_models(settings, told)[0]


def language_models(
    settings: Settings,
    report: Callable[[str, Spent], Awaitable[None]] | None = None,
    allow: Callable[[], Awaitable[None]] | None = None,
) -> tuple[LanguageModel | None, LanguageModel | None]:
    """The language models that the settings name: who consolidates, and who answers.

    Args:
        report: told the model's name and what each of its answers cost.
        allow: asked before each call.
    """
    names = (settings.consolidating_model, settings.answering_model)
    endpoint = Endpoint(
        base_url=settings.openai_base_url,
        api_key=settings.openai_api_key.get_secret_value(),
        timeout=settings.llm_timeout_seconds,
        max_parallel=settings.llm_max_parallel,
    )
    # One object for one name: what it learns of the endpoint counts for both.
    made = {
        name: OpenAIModel(
            name, report=partial(report, name) if report else None, allow=allow, endpoint=endpoint
        )
        for name in names
        if name is not None
    }
    consolidating, answering = (made[name] if name is not None else None for name in names)
    return consolidating, answering


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


def reranker_of(settings: Settings) -> Reranker | None:
    """The reranker that `reranker_model` names; "" and "none" are none."""
    name = settings.reranker_model
    if name in ("", NO_RERANKER):
        return None
    if name.startswith(ENDPOINT_RERANKER):
        # A key goes to the endpoint that it was given for, and to no other.
        own = bool(settings.reranker_base_url)
        spare = SecretStr("") if own else settings.openai_api_key
        return EndpointReranker(
            model=name.removeprefix(ENDPOINT_RERANKER),
            base_url=settings.reranker_base_url if own else settings.openai_base_url,
            api_key=(settings.reranker_api_key or spare).get_secret_value(),
        )
    return SentenceTransformersReranker(name)


def recipe_of(settings: Settings) -> dict[str, Any]:
    """What it takes to make the embedder of these settings once more. Keys are not in it."""
    at_endpoint = settings.embedding_model_name.startswith(ENDPOINT_EMBEDDER)
    kwargs = settings.embedding_model_kwargs.items()
    return {
        "embedding_model_name": settings.embedding_model_name,
        "embedding_base_url": _embedding_url(settings) if at_endpoint else "",
        "embedding_model_kwargs": {k: v for k, v in kwargs if not SECRET.search(k)},
    }


def revived(settings: Settings, recipe: Mapping[str, Any]) -> Embedder | None:
    """The embedder of a recipe; it gets the key of today only at the endpoint of today."""
    url, key = recipe["embedding_base_url"], SecretStr("")
    if url == _embedding_url(settings):
        spare = SecretStr("") if settings.embedding_base_url else settings.openai_api_key
        key = settings.embedding_api_key or spare
    keys = {"embedding_api_key": key, "openai_api_key": SecretStr("")}
    return embedder_named(settings.model_copy(update={**recipe, "openai_base_url": url, **keys}))


def _embedding_url(settings: Settings) -> str:
    return settings.embedding_base_url or settings.openai_base_url


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
        parallel=settings.llm_max_parallel,
        idle=timedelta(seconds=settings.consolidation_idle_seconds),
    )
