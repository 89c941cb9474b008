"""Vectors searched in an index, exactly, or both: the result is the same."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

import pytest

from memory_core import Settings, open_memory
from memory_core.backends.chroma_index import ChromaIndex
from memory_core.backends.embedder import Vectors
from memory_core.backends.memory_index import MemoryIndex
from memory_core.backends.vector_index import VectorHit, VectorIndex, VectorRow
from memory_core.concurrency import Courtesy
from memory_core.errors import IndexUnavailable
from memory_core.records import Kind, PageDraft, Scope
from memory_core.store import pages
from memory_core.store.database import Database
from memory_core.testing import WordsEmbedder
from memory_core.vectors import VectorMemory

NOW = datetime(2026, 5, 1, tzinfo=UTC)
TEXTS = ["red apple pie", "green apple", "steam train", "fast train ride", "blue sky", "apple tree"]


class CountingIndex(MemoryIndex):
    """Counts what it is asked, and can be made to fail."""

    def __init__(self) -> None:
        super().__init__()
        self.asked = 0
        self.broken = False

    async def search(self, kind: Kind, query: Vectors, limit: int) -> list[VectorHit]:
        self.asked += 1
        if self.broken:
            raise IndexUnavailable("It died.")
        return await super().search(kind, query, limit)

    async def upsert(self, rows: Sequence[VectorRow]) -> None:
        assert len(rows) <= 64
        await super().upsert(rows)


async def opened(path: Path, index: VectorIndex | None) -> tuple[Database, VectorMemory]:
    database = await Database.open(path / "memory.db")
    vectors = VectorMemory(database, WordsEmbedder(dimension=256), index, Courtesy())
    await vectors.load(None)
    return database, vectors


async def add(database: Database, texts: Sequence[str], user: str = "u") -> None:
    for text in texts:
        draft = PageDraft(user_input=text, agent_response="", at=NOW)
        scope = Scope(user_id=user, assistant_id="a")
        await database.write(pages.add_page, scope, draft, NOW, 7)


async def found(
    vectors: VectorMemory, text: str, scope: int = 1, limit: int = 3
) -> list[tuple[int, float]]:
    query = await vectors.embed_query(text)
    assert query is not None
    hits = await vectors.search(Kind.PAGE, query, (scope,), limit)
    return [(key, round(cosine, 4)) for key, cosine in hits]


async def test_index_scan_and_a_mixture_of_both_find_the_same(tmp_path: Path) -> None:
    index = CountingIndex()
    database, vectors = await opened(tmp_path, index)
    await add(database, TEXTS[:3])
    await vectors.embed_backlog()
    await vectors.feed_index()
    await add(database, TEXTS[3:])  # the index has not taken these in
    await vectors.embed_backlog()
    mixed = await found(vectors, "apple train")
    await vectors.feed_index()
    indexed = await found(vectors, "apple train")
    asked = index.asked
    index.broken = True
    scanned = await found(vectors, "apple train")
    assert mixed == indexed == scanned
    assert asked == 2
    assert {key for key, _ in mixed} <= {1, 2, 3, 4, 6}
    await vectors.close()
    await database.close()


async def test_another_scope_neither_shows_nor_crowds_out(tmp_path: Path) -> None:
    index = CountingIndex()
    database, vectors = await opened(tmp_path, index)
    await add(database, ["apple"] * 200, user="loud")
    await add(database, ["green apple", "train"], user="quiet")
    await vectors.embed_backlog()
    await vectors.feed_index()
    assert [key for key, _ in await found(vectors, "apple", scope=2, limit=2)] == [201, 202]
    asked = index.asked
    await found(vectors, "apple", scope=2, limit=2)
    assert index.asked == asked  # once crowded out, it is scanned
    await vectors.close()
    await database.close()


async def test_vectors_changed_later_replace_the_older_ones_in_a_scan(tmp_path: Path) -> None:
    from memory_core.store.vectors import set_vectors

    database, vectors = await opened(tmp_path, None)
    await add(database, ["apple", "train"])
    await vectors.embed_backlog()
    assert (await found(vectors, "train"))[0][0] == 2
    train = await WordsEmbedder(dimension=256).embed_documents(["train", "apple"])
    model = vectors.model or ""
    await database.write(set_vectors, 1, Kind.PAGE, 1, model, train[:1])
    await database.write(set_vectors, 2, Kind.PAGE, 1, model, train[1:])
    hits = await found(vectors, "train", limit=2)
    assert hits[0] == (1, 1.0)
    assert hits[1][1] < 0.5
    await vectors.close()
    await database.close()


async def test_a_long_page_is_found_by_any_of_its_pieces_and_once(tmp_path: Path) -> None:
    database, vectors = await opened(tmp_path, MemoryIndex())
    filler = " ".join(f"filler{n} sentence." for n in range(60))
    await add(database, [f"{filler} The zebra sleeps. {filler}", "some other page"])
    await vectors.embed_backlog()
    await vectors.feed_index()
    hits = await found(vectors, "zebra sleeps")
    assert hits[0][0] == 1
    assert len({key for key, _ in hits}) == len(hits)
    await vectors.close()
    await database.close()


async def test_nothing_is_embedded_twice(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "memory.db")
    embedder = WordsEmbedder()
    vectors = VectorMemory(database, embedder, None, Courtesy())
    await vectors.load(None)
    await add(database, TEXTS)
    await vectors.embed_backlog()
    await vectors.embed_backlog()
    other = VectorMemory(database, embedder, None, Courtesy())
    await other.load(None)
    await other.embed_backlog()
    assert embedder.embedded == len(TEXTS)
    await database.close()


@pytest.mark.parametrize("chosen", [None, 0.77])
async def test_the_threshold_is_the_users_or_the_embedders(
    tmp_path: Path, chosen: float | None
) -> None:
    database = await Database.open(tmp_path / "memory.db")
    vectors = VectorMemory(database, WordsEmbedder(), None, Courtesy())
    await vectors.load(chosen)
    assert vectors.threshold == (chosen or WordsEmbedder.similarity_threshold)
    await database.close()


async def test_an_unknown_embedders_threshold_is_measured(tmp_path: Path) -> None:
    class Unknown(WordsEmbedder):
        similarity_threshold = None

    database = await Database.open(tmp_path / "memory.db")
    vectors = VectorMemory(database, Unknown(), None, Courtesy())
    await vectors.load(None)
    assert 0 < vectors.threshold < 1
    await database.close()


class CountingChroma(ChromaIndex):
    """The real index; counts what it answers."""

    answered = 0

    async def search(self, kind: Kind, query: Vectors, limit: int) -> list[VectorHit]:
        hits = await super().search(kind, query, limit)
        self.answered += 1
        return hits


async def test_in_the_normal_case_chroma_recalls_the_pages(tmp_path: Path) -> None:
    index = CountingChroma(tmp_path / "chroma")
    settings = Settings.load({"data_storage_path": str(tmp_path)}, environ={})
    async with open_memory(settings, embedder=WordsEmbedder(), index=index) as memory:
        for text in TEXTS:
            await memory.add_memory(text)
        await memory.consolidate()
        found = await memory.retrieve_memory("steam train", max_results=3)
    assert index.answered == 1
    best = max(found.short_term, key=lambda hit: hit.score)
    assert best.page.user_input == "steam train"
    assert best.why["vectors"] > 0
