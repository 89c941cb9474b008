"""What the configured endpoints can do, by some small questions, and what to do where they cannot.

Nothing of any memory is sent.
"""

import difflib
import time
from collections.abc import AsyncIterator
from dataclasses import dataclass

from memory_core.advice import advice_on
from memory_core.backends.endpoint import Address, Endpoint, address_of
from memory_core.backends.openai_errors import Refusal
from memory_core.config import ENDPOINT_EMBEDDER, Settings
from memory_core.errors import EmbedderError, ModelError
from memory_core.probe_answers import (
    GREETING,
    Asker,
    Finding,
    Verdict,
    bad,
    findings_of,
    good,
    note,
)
from memory_core.wiring import embedder_named

NAMES_SHOWN = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Probe:
    """All that was found out, in the order of asking."""

    findings: tuple[Finding, ...]

    @property
    def usable(self) -> bool:
        """Whether all that is configured can be used."""
        return all(finding.verdict is not Verdict.BAD for finding in self.findings)


async def probe_model(settings: Settings) -> Probe:
    """Ask the configured endpoints, of the language models and of the embedding model.

    Failures of the endpoints are findings; none is raised.
    """
    models = dict.fromkeys((settings.consolidating_model, settings.answering_model))
    findings: list[Finding] = []
    for model in filter(None, models):
        findings += [finding async for finding in _of_model(settings, model)]
    if not any(models):
        findings.append(
            Finding(
                verdict=Verdict.BAD,
                about="language model",
                found="none is configured; rules do its work",
                advice="Set openai_api_key, or openai_base_url for an endpoint without a key.",
            )
        )
    if settings.embedding_model_name.startswith(ENDPOINT_EMBEDDER):
        findings.append(await _of_embedder(settings))
    return Probe(findings=tuple(findings))


async def _of_model(settings: Settings, model: str) -> AsyncIterator[Finding]:
    endpoint = Endpoint(
        settings.openai_base_url,
        settings.openai_api_key.get_secret_value(),
        settings.llm_timeout_seconds,
        settings.llm_max_parallel,
    )
    try:
        address = address_of(settings.openai_base_url)
        yield await _listing(endpoint, address, model)
        asker = Asker(endpoint, model)
        await asker.ask(GREETING)  # the first may have to wait until the model is loaded
        async for finding in findings_of(asker, settings.llm_max_parallel):
            yield finding
    except ModelError as error:
        yield Finding(
            verdict=Verdict.BAD,
            about=f"model {model}",
            found=str(error),
            advice=advice_on(error, settings),
        )
    finally:
        await endpoint.close()


async def _listing(endpoint: Endpoint, address: Address, model: str) -> Finding:
    """Whether the endpoint is there, and knows the model."""
    listed = await endpoint.models()
    about = f"endpoint {address.host}"
    if isinstance(listed, Refusal):
        return note(about, f"reachable, but lists no models (status {listed.status})")
    if not listed:
        return note(about, "reachable, but lists no models")
    if model in listed or f"{model}:latest" in listed:
        return good(about, f'reachable; "{model}" is one of its {len(listed)} models')
    near = difflib.get_close_matches(model, listed, n=3, cutoff=0.5) or listed[:NAMES_SHOWN]
    return note(
        about,
        f'reachable, but "{model}" is none of its {len(listed)} models',
        f"It has, among others: {', '.join(near)}.",
    )


async def _of_embedder(settings: Settings) -> Finding:
    name = settings.embedding_model_name.removeprefix(ENDPOINT_EMBEDDER)
    embedder = embedder_named(settings)
    assert embedder is not None
    begun = time.monotonic()
    try:
        await embedder.load()
        await embedder.embed_query("hello")
        found = f"{embedder.dimension} numbers a vector, in {time.monotonic() - begun:.1f} s"
        return good(f"embedding model {name}", found)
    except EmbedderError as error:
        advice = advice_on(error, settings, embedding=True)
        return bad(f"embedding model {name}", str(error), advice)
    finally:
        await embedder.close()
