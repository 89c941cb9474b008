"""Embedding: models are switched without a new memory, and their vectors are never mixed."""

from collections.abc import Callable, Mapping, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

import anyio
import pytest

from memory_core import MemoryCore, Settings, open_memory
from memory_core.backends.embedder import Embedder, Vectors
from memory_core.backends.memory_index import MemoryIndex
from memory_core.concurrency import Courtesy
from memory_core.embedding import SWITCHING
from memory_core.errors import EmbedderError
from memory_core.records import Kind, PageDraft, Scope
from memory_core.store import pages
from memory_core.store.database import Database
from memory_core.store.segments import Placement
from memory_core.store.transitions import write_placement
from memory_core.testing import Clock, WordsEmbedder
from memory_core.vectors import VectorMemory
from tests.conftest import START, embedding_of, until
from tests.whole import rows

TEXTS = [f"note {n} about {what}" for n, what in enumerate(["apples", "trains", "blue sky"] * 20)]
OLD, NEW = WordsEmbedder(name="old", dimension=64), WordsEmbedder(name="new", dimension=96)


async def add(database: Database, texts: Sequence[str]) -> None:
    for text in texts:
        draft = PageDraft(user_input=text, agent_response="", at=START)
        await database.write(pages.add_page, Scope(user_id="u", assistant_id="a"), draft, START, 7)


async def filled_by_old(path: Path) -> Database:
    """A store whose pages have vectors of the old model only."""
    database = await Database.open(path / "memory.db")
    await add(database, TEXTS)
    before = embedding_of(database, OLD, recipe={"name": "old"})
    await before.load()
    await before.embed_backlog()
    return database


def count(database: Database) -> dict[str, int]:
    sql = "SELECT model, count(*) FROM vector GROUP BY model"
    return dict(rows(database.path, sql))


def revive_old(recipe: Mapping[str, Any]) -> Embedder:
    assert recipe == {"name": "old"}
    return WordsEmbedder(name="old", dimension=64)


async def nearest(database: Database, embedding: Any, text: str) -> tuple[str, int]:
    """The model that was asked, and the page it found."""
    asked = await embedding.embed_query(text)
    assert asked is not None
    vectors = VectorMemory(database, None, Courtesy())
    hits = await vectors.search(Kind.PAGE, asked, (1,), 1)
    return asked.space.name, hits[0][0]


async def test_recall_asks_the_old_model_until_the_new_one_is_complete(tmp_path: Path) -> None:
    database = await filled_by_old(tmp_path)
    embedding = embedding_of(database, NEW, recipe={"name": "new"}, revive=revive_old)
    assert await embedding.load()
    seen = []
    while await embedding.advance_switch():
        seen.append(await nearest(database, embedding, "note 7 about trains"))
        await embedding.embed_backlog()
    assert len(seen) > 3
    assert set(seen) == {(OLD.name, 8)}
    assert await nearest(database, embedding, "note 7 about trains") == (NEW.name, 8)
    assert count(database) == {OLD.name: 60, NEW.name: 60}
    await database.close()


async def test_what_comes_in_during_a_switch_is_found_at_once(tmp_path: Path) -> None:
    database = await filled_by_old(tmp_path)
    embedding = embedding_of(database, NEW, recipe={"name": "new"}, revive=revive_old)
    await embedding.load()
    await embedding.advance_switch()
    await add(database, ["a purple plum"])
    await embedding.embed_backlog()
    assert await nearest(database, embedding, "a purple plum") == (OLD.name, 61)
    while await embedding.advance_switch():
        pass
    assert await nearest(database, embedding, "a purple plum") == (NEW.name, 61)
    await database.close()


async def test_a_switch_goes_on_where_it_was_interrupted(tmp_path: Path) -> None:
    database = await filled_by_old(tmp_path)
    first = WordsEmbedder(name="new", dimension=96)
    embedding = embedding_of(database, first, recipe={"name": "new"}, revive=revive_old)
    await embedding.load()
    await embedding.advance_switch()
    second = WordsEmbedder(name="new", dimension=96)
    again = embedding_of(database, second, recipe={"name": "new"}, revive=revive_old)
    await again.load()
    while await again.advance_switch():
        pass
    assert first.embedded + second.embedded == len(TEXTS)
    assert first.embedded > 0
    await database.close()


async def test_where_the_old_model_cannot_be_asked_words_answer_until_the_switch(
    tmp_path: Path,
) -> None:
    database = await filled_by_old(tmp_path)

    def gone(_: Mapping[str, Any]) -> Embedder:
        return WordsEmbedder(failure=EmbedderError("It cannot be fetched."))

    for revive in (gone, lambda _: None, lambda _: WordsEmbedder(name="other")):
        embedding = embedding_of(database, NEW, recipe={"name": "new"}, revive=revive)
        await embedding.load()
        assert embedding.note == SWITCHING
        assert await embedding.embed_query("apples") is None
    while await embedding.advance_switch():
        pass
    assert (await nearest(database, embedding, "note 7 about trains"))[0] == NEW.name
    assert embedding.note == ""
    await database.close()


async def test_a_new_model_that_cannot_be_had_leaves_the_old_one_at_work(tmp_path: Path) -> None:
    database = await filled_by_old(tmp_path)
    broken = WordsEmbedder(name="new", failure=EmbedderError("No such model."))
    embedding = embedding_of(database, broken, recipe={"name": "new"}, revive=revive_old)
    assert not await embedding.load()
    await add(database, ["a purple plum"])
    await embedding.embed_backlog()
    assert await nearest(database, embedding, "a purple plum") == (OLD.name, 61)
    assert embedding.note == "Recall asks the embedding model used before: No such model."
    await database.close()


async def test_going_back_to_the_old_model_needs_no_new_vectors(tmp_path: Path) -> None:
    database = await filled_by_old(tmp_path)
    embedding = embedding_of(database, NEW, recipe={"name": "new"}, revive=revive_old)
    await embedding.load()
    await embedding.advance_switch()
    back = WordsEmbedder(name="old", dimension=64)
    again = embedding_of(database, back, recipe={"name": "old"})
    await again.load()
    await again.embed_backlog()
    assert not await again.advance_switch()
    assert back.embedded == 0
    await database.close()


async def test_a_segment_moved_under_one_model_gets_a_new_vector_of_the_other(
    tmp_path: Path,
) -> None:
    database = await filled_by_old(tmp_path)
    embedding = embedding_of(database, NEW, recipe={"name": "new"}, revive=revive_old)
    await embedding.load()
    while await embedding.advance_switch():
        pass
    at = START + timedelta(days=1)

    async def place(page: int, segment: int | None) -> int:
        plan = Placement(
            segment_key=segment,
            page_keys=(page,),
            title="Apples",
            summary=f"Page {page}.",
            keywords=("apples",),
            at=at,
            news=False,
        )
        vector = (await OLD.embed_documents([plan.summary]))[0]
        write = database.write
        return await write(
            write_placement,
            1,
            plan,
            "heuristic",
            at,
            OLD.name,
            vector,
            capacity=99,
            coldest=lambda _: (),
        )

    segment = await place(1, None)
    await embedding.embed_backlog()
    assert count(database) == {OLD.name: 61, NEW.name: 61}
    assert await place(2, segment) == segment
    # What the new model knew of it was no longer true.
    assert count(database) == {OLD.name: 61, NEW.name: 60}
    await embedding.embed_backlog()
    assert count(database) == {OLD.name: 61, NEW.name: 61}
    await database.close()


async def test_two_processes_with_two_models_both_find_everything(tmp_path: Path) -> None:
    database = await filled_by_old(tmp_path)
    old = embedding_of(database, OLD, recipe={"name": "old"})
    new = embedding_of(database, NEW, recipe={"name": "new"}, revive=revive_old)
    for embedding in (old, new):
        await embedding.load()
    while await new.advance_switch():
        pass
    for text in ("a purple plum", "一个紫色的李子"):
        await add(database, [text])
        for embedding in (old, new):
            await embedding.embed_backlog()
            assert (await nearest(database, embedding, text))[1] == count(database)[OLD.name]
    assert not old.switching
    assert not new.switching
    await database.close()


async def test_vectors_of_a_model_that_nobody_uses_are_removed_after_a_week(
    tmp_path: Path,
) -> None:
    database, clock = await filled_by_old(tmp_path), Clock(START)
    new = embedding_of(database, NEW, recipe={"name": "new"}, revive=revive_old, clock=clock)
    await new.load()
    while await new.advance_switch():
        pass
    clock.advance(timedelta(days=6))
    await new.tend()
    assert count(database) == {OLD.name: 60, NEW.name: 60}
    clock.advance(timedelta(days=1))
    await new.tend()
    assert count(database) == {NEW.name: 60}
    # A model in use is never unused, however long its process lives.
    other = embedding_of(database, OLD, recipe={"name": "old"}, revive=lambda _: NEW, clock=clock)
    await other.load()
    clock.advance(timedelta(days=8))
    await new.tend()
    assert NEW.name in count(database)
    await database.close()


async def test_nothing_is_embedded_twice_by_two_at_once(tmp_path: Path) -> None:
    first, second = await Database.open(tmp_path / "memory.db"), None
    await add(first, TEXTS)
    second = await Database.open(tmp_path / "memory.db")
    embedder = WordsEmbedder()
    both = [embedding_of(database, embedder) for database in (first, second)]
    async with anyio.create_task_group() as group:
        for embedding in both:
            await embedding.load()
            group.start_soon(embedding.embed_backlog)
    assert embedder.embedded == len(TEXTS)
    for database in (first, second):
        await database.close()


@pytest.mark.parametrize("chosen", [None, 0.77])
async def test_the_threshold_is_the_users_or_the_embedders(
    tmp_path: Path, chosen: float | None
) -> None:
    database = await Database.open(tmp_path / "memory.db")
    embedding = embedding_of(database, WordsEmbedder(), threshold=chosen)
    await embedding.load()
    assert embedding.space
    assert embedding.space.threshold == (chosen or WordsEmbedder.similarity_threshold)
    await database.close()


async def test_an_unknown_embedders_threshold_is_measured_once_for_a_store(tmp_path: Path) -> None:
    class Unknown(WordsEmbedder):
        similarity_threshold = None

    database = await Database.open(tmp_path / "memory.db")
    embedders = Unknown(), Unknown()
    spaces = []
    for embedder in embedders:
        embedding = embedding_of(database, embedder)
        await embedding.load()
        assert embedding.space
        spaces.append(embedding.space.threshold)
    assert 0 < spaces[0] < 1
    assert spaces[0] == spaces[1]
    assert [embedder.embedded > 0 for embedder in embedders] == [True, False]
    await database.close()


class Slow(WordsEmbedder):
    """Answers a question only when it is let."""

    def __init__(self) -> None:
        super().__init__()
        self.let = anyio.Event()

    async def embed_query(self, text: str) -> Vectors:
        await self.let.wait()
        return await super().embed_query(text)


async def test_a_question_does_not_wait_for_ever_for_a_slow_model(tmp_path: Path) -> None:
    database = await Database.open(tmp_path / "memory.db")
    embedder = Slow()
    embedding = embedding_of(database, embedder, patience=0.01)
    await embedding.load()
    assert await embedding.embed_query("apples") is None
    assert "did not answer in time" in embedding.note
    embedder.let.set()
    assert await embedding.embed_query("apples") is not None
    assert embedding.note == ""
    await database.close()


class Counted(WordsEmbedder):
    """Counts how often it was let go."""

    closed = 0

    async def close(self) -> None:
        self.closed += 1


@pytest.fixture
def restful(tmp_path: Path) -> Callable[..., Any]:
    settings = {"data_storage_path": str(tmp_path), "idle_release_seconds": 0.2}
    return lambda embedder, index: open_memory(
        Settings.load(settings, environ={}), embedder=embedder, index=index
    )


async def wait_for(holds: Callable[[], bool]) -> None:
    with anyio.fail_after(10):
        while not holds():  # noqa: ASYNC110 - nothing announces it
            await anyio.sleep(0.01)


async def test_an_idle_memory_lets_model_and_index_go_and_takes_them_up_again(
    restful: Callable[..., Any],
) -> None:
    embedder, index = Counted(), MemoryIndex()
    memory: MemoryCore
    async with restful(embedder, index) as memory:
        for text in ("a purple plum", *TEXTS[:5]):
            await memory.add_memory(text)
        await wait_for(lambda: index.state == "open")
        await wait_for(lambda: index.state == "closed" and embedder.closed > 0)
        assert (await memory.retrieve_memory("plum")).short_term[0].why["vectors"] > 0
        await wait_for(lambda: index.state == "open")


async def test_a_server_that_is_never_asked_leaves_the_index_to_others(
    restful: Callable[..., Any],
) -> None:
    embedder, index = Counted(), MemoryIndex()
    async with restful(embedder, index) as memory:
        await wait_for(lambda: embedder.closed > 0)
        assert index.state == "closed"
        await memory.add_memory("a purple plum")
        await wait_for(lambda: index.state == "open")
        await until(memory, lambda view: view.notes == ())
