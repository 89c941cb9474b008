"""What both steps of the walk need: the store, the rented minds, the limits, the clock."""

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from datetime import datetime, timedelta, tzinfo

from memory_core.backends.llm import LanguageModel
from memory_core.budget import DailyBudget
from memory_core.concurrency import Courtesy
from memory_core.embedding import Embedding
from memory_core.mid_term import HeatWeights
from memory_core.records import HEURISTIC
from memory_core.store.database import Database
from memory_core.vectors import VectorMemory


@dataclass(frozen=True, slots=True, kw_only=True)
class Limits:
    """Capacities and thresholds of the tiers, from the settings.

    batch: pages in one question to a model; parallel: questions at the same time.
    """

    short_term: int
    mid_term: int
    long_term: int
    similarity: float
    heat: float
    weights: HeatWeights
    batch: int
    parallel: int
    idle: timedelta


RECITALS = 2
"""Recitals one after another after which a model is not shown what it recites."""

TRIED_AGAIN = 10
"""Questions after which it is shown once more."""


@dataclass(slots=True)
class Habits:
    """What is learnt of a model while it works, by kind of question: whether it recites."""

    _recitals: Counter[str] = field(default_factory=Counter)
    _withheld: Counter[str] = field(default_factory=Counter)

    def may_see(self, kind: str) -> bool:
        """Whether to show it what is known already."""
        if self._recitals[kind] < RECITALS:
            return True
        self._withheld[kind] += 1
        return self._withheld[kind] % TRIED_AGAIN == 0

    def note(self, kind: str, *, recited: bool) -> None:
        """How it answered when it was shown what is known."""
        self._recitals[kind] = self._recitals[kind] + 1 if recited else 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Walk:
    """The parts that carry pages from tier to tier. model None: rules do a model's work.

    zone: in which people mean "yesterday".
    """

    database: Database
    embedding: Embedding
    vectors: VectorMemory
    model: LanguageModel | None
    limits: Limits
    clock: Callable[[], datetime]
    zone: tzinfo
    courtesy: Courtesy
    budget: DailyBudget
    habits: Habits = field(default_factory=Habits)

    @property
    def batches_at_once(self) -> int:
        """Batches that are asked about side by side; a digest asks one question more."""
        # Rules cost nothing, and what they find in a batch helps to place the next.
        return 1 if self.model is None else max(1, self.limits.parallel - 1)

    @property
    def made_by(self) -> str:
        """Who distils: the model's name, or "heuristic"."""
        return HEURISTIC if self.model is None else self.model.name
