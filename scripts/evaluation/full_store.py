"""Stores as full as wanted, in minutes: made-up text and vectors, written as consolidation would.

Words come from a vocabulary with a Zipf distribution, function words first, a part of the pages is
Chinese. Only some texts are embedded; each row gets the vector of one of them with noise, so that
vectors are spread as real ones are, but have nothing to do with the row's own words.
"""

import random
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import accumulate
from pathlib import Path

import apsw
import numpy as np

from memory_core.backends.embedder import Embedder, Vectors, unit_rows
from memory_core.records import HEURISTIC, About, FactDraft, Kind, PageDraft, Scope
from memory_core.store import facts, pages, segments
from memory_core.store.database import Database
from memory_core.store.rows import scope_key, select
from memory_core.store.segments import Placement
from memory_core.store.vectors import set_vectors

START = datetime(2024, 1, 1, tzinfo=UTC)
ASSISTANT = "default_assistant"
EMBEDDED = 1000
NOISE = 0.5
SAID = 2000
PAGES_A_SEGMENT = 10
FACTS_A_PAGE = 0.1
MOST_FACTS = 100
LIVE_SEGMENTS = 1000
CHINESE_SHARE = 0.2
FUNCTION_WORDS = (
    "the to and a of i it is in that you for my was on with have this be but so we at not they "
    "he she as are had what do from when there would about if can will just her his their me"
).split()
SYLLABLES = [a + b for a in "b c d f g h k l m n p r s t v w tr st pl gr".split() for b in "aeiou"]


class Speech:
    """Makes sentences, the same for the same seed."""

    def __init__(self, seed: int, words: int = 20_000) -> None:
        self._chance = random.Random(seed)
        made = dict.fromkeys(FUNCTION_WORDS)
        while len(made) < words:
            made["".join(self._chance.choices(SYLLABLES, k=self._chance.choice((2, 2, 3, 4))))] = (
                None
            )
        self._english = [*made]
        self._chinese = [
            "".join(map(chr, self._chance.choices(range(0x4E00, 0x5600), k=2)))
            for _ in range(words // 4)
        ]
        self._weights = {
            len(made): [*accumulate(1 / rank for rank in range(1, len(made) + 1))]
            for made in (self._english, self._chinese)
        }

    def message(self) -> str:
        """One to four sentences, 13 words each as a rule."""
        chinese = self._chance.random() < CHINESE_SHARE
        number = self._chance.choice((1, 1, 2, 2, 3, 4))
        return ("" if chinese else " ").join(self._sentence(chinese) for _ in range(number))

    def question(self, about: str) -> str:
        """Asks for some of the words of a text, between function words."""
        if not about.isascii():
            begun = self._chance.randrange(max(1, len(about) - 8))
            return f"{about[begun : begun + 8]}?"
        rare = [word for word in about.split() if word.strip(".").lower() not in FUNCTION_WORDS]
        words = self._chance.sample(rare, min(4, len(rare)))
        words += self._chance.choices(FUNCTION_WORDS, k=3)
        self._chance.shuffle(words)
        return " ".join(word.strip(".").lower() for word in words) + "?"

    def _sentence(self, chinese: bool) -> str:
        words = self._chinese if chinese else self._english
        count = max(3, min(60, round(self._chance.lognormvariate(2.5, 0.5))))
        drawn = self._chance.choices(words, cum_weights=self._weights[len(words)], k=count)
        return "".join(drawn) + "。" if chinese else " ".join(drawn).capitalize() + "."


@dataclass(frozen=True, slots=True)
class Cloud:
    """Vectors like those of real texts."""

    centres: Vectors
    chance: np.random.Generator

    def draw(self, count: int) -> Vectors:
        """Shape (count, dimension), each of unit length."""
        width = self.centres.shape[1]
        noise = self.chance.standard_normal((count, width), dtype=np.float32) * NOISE / width**0.5
        chosen = self.chance.integers(len(self.centres), size=count)
        return unit_rows(self.centres[chosen] + noise)


def user_name(number: int) -> str:
    return f"user {number}"


async def fill(
    data: Path, embedder: Embedder, *, users: int, pages_each: int, seed: int = 7
) -> list[str]:
    """Make a store of so many users and pages of each; some of the messages, to ask for them."""
    speech = Speech(seed)
    await embedder.load()
    sample = [speech.message() for _ in range(EMBEDDED)]
    centres = await embedder.embed_documents(sample)
    cloud = Cloud(centres, np.random.default_rng(seed))
    database = await Database.open(data / "memory.db")
    said: list[str] = []
    for number in range(users):
        scope = Scope(user_id=user_name(number), assistant_id=ASSISTANT)
        for first in range(0, pages_each, PAGES_A_SEGMENT * 10):
            count = min(PAGES_A_SEGMENT * 10, pages_each - first)
            messages = [speech.message() for _ in range(2 * count)]
            await database.write(_add, scope, first, messages, embedder.name, cloud)
            said += messages[: max(1, SAID * count // (users * pages_each))]
        await database.write(_add_facts, scope, pages_each, speech, embedder.name, cloud)
    await database.close()
    return said


def _add(
    connection: apsw.Connection,
    scope: Scope,
    first: int,
    messages: Sequence[str],
    model: str,
    cloud: Cloud,
) -> None:
    owner = scope_key(connection, scope)
    ids: list[str] = []
    for place in range(len(messages) // 2):
        at = START + timedelta(minutes=5 * (first + place))
        draft = PageDraft(
            user_input=messages[2 * place], agent_response=messages[2 * place + 1], at=at
        )
        ids.append(pages.add_page(connection, scope, draft, at, 1).id)
    added = pages.pages_by_id(connection, ids)
    for page, vector in zip(added, cloud.draw(len(added)), strict=True):
        set_vectors(connection, page.key, Kind.PAGE, owner, model, vector[np.newaxis])
    for begun in range(0, len(added), PAGES_A_SEGMENT):
        keys = tuple(page.key for page in added[begun : begun + PAGES_A_SEGMENT])
        _place(connection, owner, keys, added[begun].user_input, added[begun].at, model, cloud)


def _place(
    connection: apsw.Connection,
    owner: int,
    keys: tuple[int, ...],
    summary: str,
    at: datetime,
    model: str,
    cloud: Cloud,
) -> None:
    plan = Placement(
        segment_key=None,
        page_keys=keys,
        title=summary[:40],
        summary=summary,
        keywords=tuple(summary.split()[:5]),
        at=at,
        news=False,
    )
    key = segments.apply_placement(connection, owner, plan, HEURISTIC, at)
    segments.mark_digested(connection, (key,), keys, HEURISTIC)
    set_vectors(connection, key, Kind.SEGMENT, owner, model, cloud.draw(1))
    if segments.count_live(connection, owner) > LIVE_SEGMENTS:
        # Those that came first leave.
        sql = "SELECT min(key) FROM segment WHERE scope = ? AND retired_at IS NULL"
        segments.retire_segments(connection, select(connection, sql, (owner,))[0], at)


def _add_facts(
    connection: apsw.Connection,
    scope: Scope,
    page_count: int,
    speech: Speech,
    model: str,
    cloud: Cloud,
) -> None:
    owner = scope_key(connection, scope)
    for _ in range(min(MOST_FACTS, round(FACTS_A_PAGE * page_count))):
        draft = FactDraft(about=About.USER, text=speech.message(), at=START, source_keys=())
        key = facts.add_fact(connection, owner, draft, HEURISTIC, START)
        if key is not None:
            set_vectors(connection, key, Kind.FACT, owner, model, cloud.draw(1))
