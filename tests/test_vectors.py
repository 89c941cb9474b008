"""Vectors searched in an index, exactly, or both: the result is the same."""

from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

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
from memory_core.store.vectors import set_vectors
from memory_core.testing import WordsEmbedder
from memory_core.vectors import VectorMemory
from tests.conftest import embedding_of

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


class Searched:
    """A store with what makes its vectors and what searches them."""

    def __init__(self, database: Database, index: VectorIndex | None) -> None:
        self.database = database
        self.embedding = embedding_of(database, WordsEmbedder(dimension=256))
        self.vectors = VectorMemory(database, index, Courtesy())

    async def fed(self) -> None:
        """Everything has its vectors, and the index has them."""
        await self.embedding.load()
        await self.embedding.embed_backlog()
        assert self.embedding.space
        await self.vectors.feed_index(self.embedding.space)

    async def close(self) -> None:
        await self.vectors.rest()
        await self.database.close()


async def opened(path: Path, index: VectorIndex | None) -> Searched:
    return Searched(await Database.open(path / "memory.db"), index)


async def add(database: Database, texts: Sequence[str], user: str = "u") -> None:
    for text in texts:
        draft = PageDraft(user_input=text, agent_response="", at=NOW)
        scope = Scope(user_id=user, assistant_id="a")
        await database.write(pages.add_page, scope, draft, NOW, 7)


async def found(
    searched: Searched, text: str, scope: int = 1, limit: int = 3
) -> list[tuple[int, float]]:
    asked = await searched.embedding.embed_query(text)
    assert asked is not None
    hits = await searched.vectors.search(Kind.PAGE, asked, (scope,), limit)
    return [(key, round(cosine, 4)) for key, cosine in hits]


async def test_index_scan_and_a_mixture_of_both_find_the_same(tmp_path: Path) -> None:
    index = CountingIndex()
    searched = await opened(tmp_path, index)
    await add(searched.database, TEXTS[:3])
    await searched.fed()
    await add(searched.database, TEXTS[3:])  # the index has not taken these in
    await searched.embedding.embed_backlog()
    mixed = await found(searched, "apple train")
    await searched.fed()
    indexed = await found(searched, "apple train")
    asked = index.asked
    index.broken = True
    scanned = await found(searched, "apple train")
    assert mixed == indexed == scanned
    assert asked == 2
    assert {key for key, _ in mixed} <= {1, 2, 3, 4, 6}
    await searched.close()


async def test_another_scope_neither_shows_nor_crowds_out(tmp_path: Path) -> None:
    index = CountingIndex()
    searched = await opened(tmp_path, index)
    await add(searched.database, ["apple"] * 200, user="loud")
    await add(searched.database, ["green apple", "train"], user="quiet")
    await searched.fed()
    assert [key for key, _ in await found(searched, "apple", scope=2, limit=2)] == [201, 202]
    asked = index.asked
    await found(searched, "apple", scope=2, limit=2)
    assert index.asked == asked  # once crowded out, it is scanned
    await searched.close()


async def test_vectors_changed_later_replace_the_older_ones_in_a_scan(tmp_path: Path) -> None:
    searched = await opened(tmp_path, None)
    await add(searched.database, ["apple", "train"])
    await searched.fed()
    assert (await found(searched, "train"))[0][0] == 2
    train = await WordsEmbedder(dimension=256).embed_documents(["train", "apple"])
    model = WordsEmbedder(dimension=256).name
    await searched.database.write(set_vectors, 1, Kind.PAGE, 1, model, train[:1])
    await searched.database.write(set_vectors, 2, Kind.PAGE, 1, model, train[1:])
    hits = await found(searched, "train", limit=2)
    assert hits[0] == (1, 1.0)
    assert hits[1][1] < 0.5
    await searched.close()


async def test_a_long_page_is_found_by_any_of_its_pieces_and_once(tmp_path: Path) -> None:
    searched = await opened(tmp_path, MemoryIndex())
    filler = " ".join(f"filler{n} sentence." for n in range(60))
    await add(searched.database, [f"{filler} The zebra sleeps. {filler}", "some other page"])
    await searched.fed()
    hits = await found(searched, "zebra sleeps")
    assert hits[0][0] == 1
    assert len({key for key, _ in hits}) == len(hits)
    await searched.close()


async def test_the_index_of_another_history_of_the_store_is_made_anew(tmp_path: Path) -> None:
    """A copy of the store was put back, and has grown as far as the index had come."""
    index = MemoryIndex()
    before = await opened(tmp_path / "before", index)
    await add(before.database, TEXTS)
    await before.fed()
    assert index.position == len(TEXTS)
    await before.database.close()
    after = await opened(tmp_path / "after", index)
    await add(after.database, [*reversed(TEXTS), "a purple plum"])
    await after.fed()
    assert await found(after, "red apple pie", limit=1) == [(6, 1.0)]
    assert await found(after, "a purple plum", limit=1) == [(7, 1.0)]
    await after.close()


async def test_an_index_that_is_not_ours_is_looked_for_again_only_after_a_while(
    tmp_path: Path,
) -> None:
    class Others(MemoryIndex):
        tries = 0

        async def open(self, model: str, dimension: int) -> None:
            self.tries += 1
            raise IndexUnavailable("Another process has it.")

    now, index = [0.0], Others()
    searched = await opened(tmp_path, index)
    searched.vectors = VectorMemory(searched.database, index, Courtesy(), tick=lambda: now[0])
    await add(searched.database, TEXTS)
    for moment in (0.0, 1.0, 9.0, 10.0, 11.0):
        now[0] = moment
        await searched.fed()
    assert index.tries == 2
    assert await found(searched, "blue sky", limit=1) == [(5, 1.0)]
    await searched.close()


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
