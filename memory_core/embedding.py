"""Embedding: which model's vectors answer, and the vectors that are still to be made.

A new embedding model is not a new memory. While its vectors are made in the background, questions
are asked of the model before it, and when none is missing recall switches in one step. Vectors of
two models are never compared: a query carries the space it was embedded in.
"""

import logging
import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

import anyio

from memory_core.backends.embedder import Embedder, Vectors
from memory_core.backlog import Space, VectorBacklog
from memory_core.calibration import measure_similarity_threshold
from memory_core.concurrency import Courtesy
from memory_core.errors import EmbedderError
from memory_core.store import embedders
from memory_core.store.database import Database

# For a model that is loading, or slow: then a question is answered by words.
QUERY_PATIENCE_SECONDS = 3.0

RELOAD_SECONDS = 60.0
TEND_EVERY = timedelta(days=1)

LOADING = "The embedding model is still loading: this answer is by words only."
NO_MODEL = "No embedding model is configured: recall works by words only."
SLOW = "The embedding model did not answer in time: this answer is by words only."
SWITCHING = "Vectors of the new embedding model are being made; until then recall is by words only."

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as a vector of a space."""

    space: Space
    vector: Vectors


class Embedding:
    """The configured embedder, and for as long as its vectors are made the one before.

    Args:
        wanted: the configured one; None: recall works by words.
        recipe: the settings that name it, without keys.
        revive: makes an embedder from such a recipe.
        threshold: cosine from which things are related; None: each embedder's own.
        patience: seconds that a question waits for a model.
    """

    def __init__(
        self,
        database: Database,
        wanted: Embedder | None,
        courtesy: Courtesy,
        clock: Callable[[], datetime],
        *,
        recipe: Mapping[str, Any],
        revive: Callable[[Mapping[str, Any]], Embedder | None],
        threshold: float | None = None,
        patience: float = QUERY_PATIENCE_SECONDS,
    ) -> None:
        self._database = database
        self._wanted = wanted
        self._courtesy = courtesy
        self._clock = clock
        self._recipe = recipe
        self._revive = revive
        self._chosen_threshold = threshold
        self._patience = patience
        self._loading = anyio.Lock()
        self._tried = anyio.Event()
        self._backlog = VectorBacklog(database, courtesy)
        self._load_again_at = -math.inf
        self._tended_at: datetime | None = None
        self._target: Space | None = None
        self._space: Space | None = None
        self._not_loaded = ""
        self._not_embedded = ""
        self._slow = False
        if wanted is None:
            self._tried.set()

    @property
    def space(self) -> Space | None:
        """The space that answers now; None: words only."""
        return self._space

    @property
    def target(self) -> Space | None:
        """The space of the configured model, once that is loaded."""
        return self._target

    @property
    def state(self) -> str:
        """ "ready", "loading", "off" or "failed: ..." for a person."""
        if self._wanted is None:
            return "off"
        cause = self._not_loaded or self._not_embedded
        if cause:
            return f"failed: {cause}"
        return "loading" if self._target is None else "ready"

    @property
    def note(self) -> str:
        """What readers should know of it; empty when all is well."""
        if self._wanted is None:
            return NO_MODEL
        if self._space is None and self._target is not None and self._tried.is_set():
            return SWITCHING
        if self._space is None:
            cause = self._not_loaded
            return f"Recall works by words only: {cause}" if cause else LOADING
        if self._not_embedded:
            return f"What is new is found by words only, for now: {self._not_embedded}"
        if self._target is None:
            return f"Recall asks the embedding model used before: {self._not_loaded}"
        return SLOW if self._slow else ""

    async def load(self, *, at_once: bool = False) -> bool:
        """Load the configured model; when it cannot be, `note` says why.

        at_once: also within a minute after a failure.

        Returns:
            Whether there is nothing left to load.
        """
        async with self._loading:
            if self._wanted is None or self._target is not None:
                return True
            if time.monotonic() < self._load_again_at and not at_once:
                return False
            self._load_again_at = time.monotonic() + RELOAD_SECONDS
            try:
                await self._wanted.load()
                self._target = await self._space_of(self._wanted, self._chosen_threshold)
                self._not_loaded = ""
            except EmbedderError as error:
                log.warning("the embedding model cannot be used: %s", error)
                self._not_loaded = str(error)
            try:
                await self._choose()
            finally:
                self._tried.set()
            return self._target is not None

    async def _space_of(self, embedder: Embedder, threshold: float | None) -> Space:
        known = await self._database.read(embedders.find, embedder.name)
        related_from = embedder.similarity_threshold
        if related_from is None:
            # Measuring asks the model some fifty times, so it is done once for each store.
            related_from = (
                known.threshold if known else await measure_similarity_threshold(embedder)
            )
        return Space(
            embedder=embedder,
            name=embedder.name,
            dimension=embedder.dimension,
            window=embedder.window,
            related_from=related_from,
            threshold=related_from if threshold is None else threshold,
        )

    async def _choose(self) -> None:
        """Answer from the configured model if it is ready, else from the one before."""
        target = self._target
        if target is not None:
            await self._register(target)
            known = await self._database.read(embedders.find, target.name)
            if known is None or known.ready:
                self._space = target
        if self._space is None:
            self._space = await self._former(target.name if target else "")

    async def _register(self, target: Space) -> None:
        if not self._database.read_only:
            await self._database.write(
                embedders.register,
                target.name,
                self._recipe,
                target.dimension,
                target.related_from,
                self._clock(),
            )

    async def _former(self, except_model: str) -> Space | None:
        """The space of the model that was in use before, if it can still be asked."""
        known = await self._database.read(embedders.last_ready, except_model)
        if known is None or known.recipe == self._recipe:
            return None
        former = self._revive(known.recipe)
        if former is None:
            return None
        try:
            await former.load()
            space = await self._space_of(former, None)
        except EmbedderError as error:
            log.warning("until the switch recall works by words: %s", error)
            return None
        if space.name != known.model:
            await former.close()
            return None
        log.info("recall asks %s until the vectors of the new model are made", space.name)
        return space

    async def wait_loaded(self) -> None:
        """Wait until loading has been tried, well or not."""
        await self._tried.wait()

    async def embed_query(self, text: str) -> Asked | None:
        """The vector of a question; None without a model, or when it does not answer in time."""
        with anyio.move_on_after(self._patience):
            await self._tried.wait()
            space = self._space
            if space is None:
                return None
            try:
                asked = Asked(space, await space.embedder.embed_query(text))
            except EmbedderError as error:
                log.warning("a query is answered by words only: %s", error)
                return None
            self._slow = False
            return asked
        log.warning("a query is answered by words only: the embedding model is slow")
        self._slow = self._space is not None
        return None

    async def embed_backlog(self) -> None:
        """Make the vectors that recall misses. What that is, is one query.

        Raises:
            EmbedderError: the model did not answer; `note` says so until it does.
        """
        if self._space is None or self._database.read_only:
            return
        try:
            await self._backlog.embed(self._space)
            self._not_embedded = ""
        except EmbedderError as error:
            self._not_embedded = str(error)
            raise

    @property
    def switching(self) -> bool:
        """Whether the vectors of the configured model are still being made."""
        return self._target is not None and self._space is not self._target

    async def advance_switch(self) -> bool:
        """Make some vectors of the new model; when none is missing, recall asks it from then on.

        Returns:
            Whether there is more to do.

        Raises:
            EmbedderError: the new model did not answer; what is made stays.
        """
        target = self._target
        if target is None or not self.switching or self._database.read_only:
            return False
        if not await self._backlog.embed_some(target):
            await self._switch(target)
        return self.switching

    async def _switch(self, target: Space) -> None:
        # Segments that moved behind the last row looked at may lack one: then it looks again.
        if await self._database.write(embedders.make_ready, target.name, self._clock()):
            former, self._space = self._space, target
            log.info("recall asks %s from now on", target.name)
            if former is not None:
                await former.embedder.close()

    async def tend(self) -> None:
        """Once a day: note that the model is in use, and remove vectors of those that are not."""
        target, now = self._target, self._clock()
        due = self._tended_at is None or now - self._tended_at >= TEND_EVERY
        if not due or target is None or self._space is not target or self._database.read_only:
            return
        self._tended_at = now
        await self._register(target)
        for model in await self._database.read(embedders.unused, target.name, now):
            log.info("vectors of %s are removed: it is no longer used", model)
            while await self._database.write(embedders.prune, model):
                await self._courtesy.wait_for_quiet()

    async def rest(self) -> None:
        """Let the models go; the next text takes them up again."""
        for embedder in (self._wanted, self._space.embedder if self._space else None):
            if embedder is not None:
                await embedder.close()
