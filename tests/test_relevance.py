"""What is shown when nothing is surely about a question; with the embedder that is bundled."""

from collections.abc import AsyncIterator, Sequence
from contextlib import asynccontextmanager
from datetime import UTC, datetime, timedelta
from pathlib import Path

from memory_core import MemoryCore, PageHit, Recollection, Settings, open_memory
from memory_core.backends.embed_bundled import BundledEmbedder
from memory_core.backends.memory_index import MemoryIndex
from memory_core.relevance import GUESSES

ENGLISH = (
    "Restaurant panic tonight: the pesto was made with cashews and my lips swelled up.",
    "The rail company still has not sent the track closure for the viaduct.",
    "My little brother got onto the midwifery course in Leeds!",
    "Four nights in the north and not one flicker of the northern lights.",
    "The physio says it is plantar fasciitis, so no running for a month.",
    "We hired a cello from the music shop on Tuesday.",
    "Paddington again, and I cried when the aunt turned up at the door.",
    "Another flat tyre on the estate car this morning.",
)
CHINESE = (
    "我爸退休以后迷上了钓鱼，天天往水库跑。",
    "我在岳阳长大，出门走十分钟就是洞庭湖。",
    "医生说我青霉素过敏，以后千万别用。",
    "我每周日上午在中文学校做义工，班里十二个小不点。",
)
BEGUN = datetime(2025, 3, 1, 9, 0, tzinfo=UTC)


@asynccontextmanager
async def told(path: Path, *texts: str, **chosen: float) -> AsyncIterator[MemoryCore]:
    """A memory that was told one text a day; the last of them is in the window."""
    settings = Settings.load(
        {"data_storage_path": str(path), "short_term_capacity": 1, **chosen}, environ={}
    )
    async with open_memory(settings, embedder=BundledEmbedder(), index=MemoryIndex()) as memory:
        for number, text in enumerate((*texts, "Good night.")):
            await memory.add_memory(text, at=BEGUN + timedelta(days=number))
        await memory.consolidate()
        yield memory


def texts(hits: Sequence[PageHit]) -> list[str]:
    return [hit.page.user_input for hit in hits]


def guesses(found: Recollection) -> list[str]:
    return texts([hit for hit in found.pages if hit.guess])


async def test_who_asks_about_themselves_in_another_language_gets_the_likeliest(
    tmp_path: Path,
) -> None:
    async with told(tmp_path, *ENGLISH, *CHINESE) as memory:
        in_chinese = await memory.retrieve_memory("我跟琴行租来学的是什么乐器？")
        in_english = await memory.retrieve_memory("Is there any medicine I must never be given?")
    assert ENGLISH[5] in texts(in_chinese.pages)[:5]
    assert CHINESE[2] in texts(in_english.pages)[:5]


async def test_the_same_question_in_the_language_of_the_answer_finds_it_too(
    tmp_path: Path,
) -> None:
    async with told(tmp_path, *ENGLISH, *CHINESE) as memory:
        in_english = await memory.retrieve_memory("Which instrument am I learning?")
        in_chinese = await memory.retrieve_memory("我不能用什么药？")
    assert texts(in_english.pages)[0] == ENGLISH[5]
    assert texts(in_chinese.pages)[0] == CHINESE[2]


async def test_no_guess_is_made_at_what_is_not_about_who_asks(tmp_path: Path) -> None:
    async with told(tmp_path, *ENGLISH, *CHINESE) as memory:
        for question in (
            "What is the boiling point of mercury?",
            "标准大气压下汞的沸点是多少？",
            "汞の沸点は何度ですか？",
        ):
            assert (await memory.retrieve_memory(question)).pages == ()


async def test_guesses_are_few_and_none_where_the_words_were_said(tmp_path: Path) -> None:
    async with told(tmp_path, *ENGLISH * 3) as memory:
        unsure = await memory.retrieve_memory("我的护照哪天到期？")
        sure = await memory.retrieve_memory("Where did we hire a cello?")
    assert 0 < len(guesses(unsure)) <= GUESSES
    assert texts(sure.pages)[0] == ENGLISH[5]
    assert guesses(sure) == []


async def test_a_stricter_threshold_allows_fewer_guesses(tmp_path: Path) -> None:
    async with told(tmp_path, *ENGLISH, similarity_threshold=0.7) as memory:
        assert guesses(await memory.retrieve_memory("我的护照哪天到期？")) == []


async def test_a_date_without_a_year_is_the_latest_of_which_something_is_remembered(
    tmp_path: Path,
) -> None:
    async with told(tmp_path, *ENGLISH) as memory:
        fifth = await memory.retrieve_memory("What did I tell you on March 5th?")
        sixth = await memory.retrieve_memory("3月6日我们聊了什么？")
        never = await memory.retrieve_memory("What did I tell you on March 5th, 2019?")
    assert texts(fifth.pages)[0] == ENGLISH[4]
    assert texts(sixth.pages)[0] == ENGLISH[5]
    assert all("period" not in hit.why for hit in never.pages)


async def test_any_june_or_year_brings_nothing_of_the_askers_own(tmp_path: Path) -> None:
    async with told(tmp_path, *ENGLISH) as memory:
        for question in ("Is it hot in Sevilla in March 2025?", "3月的英文怎么说？"):
            assert (await memory.retrieve_memory(question)).pages == ()
        happened = await memory.retrieve_memory("What happened in March 2025?")
    assert len(happened.pages) == len(ENGLISH)


async def test_what_was_said_in_so_many_words_is_found_however_strict_one_is(
    tmp_path: Path,
) -> None:
    async with told(tmp_path, *ENGLISH, similarity_threshold=0.9) as memory:
        found = await memory.retrieve_memory("Who hired a cello from the music shop on Tuesday?")
    assert texts(found.pages)[0] == ENGLISH[5]


async def test_a_turn_that_says_nothing_is_like_no_question(tmp_path: Path) -> None:
    async with told(tmp_path, "k", "👍", "好", "ok", *ENGLISH) as memory:
        for question in ("Do I have a tattoo?", "我的护照哪天到期？", "violin"):
            found = await memory.retrieve_memory(question)
            assert {"k", "👍", "好", "ok"}.isdisjoint(texts(found.pages))
        assert texts((await memory.retrieve_memory("好")).pages) == ["好"]
