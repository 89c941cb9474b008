"""A conversation of 300 turns over eight months, in two languages: what is known in the end.

    python scripts/converse.py                    # with rules
    MEMSTRATA_OPENAI_BASE_URL=... MEMSTRATA_LLM_MODEL=... python scripts/converse.py --turns 60

What counts is written by hand, with moves, corrections and a change of mind; between it stands
talk made from templates (questions, code, logs, small talk, people and prices) with a fixed seed.
Prints the profile and the facts as they are in the end, what is missing and what should not be
there. Settings come from the environment and `--config`.
"""

import argparse
import random
import sys
import tempfile
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import anyio

sys.path.insert(0, str(Path(__file__).parent.parent))

from memory_core import MemoryCore, Settings, open_memory
from tests.golden_set import Dialogue, Must, MustNot, Turn, judge, shown, tell, views

TOLD: list[tuple[str, str, str]] = [
    ("2025-01-06", "Hello! My name is Maren Solberg.", "Hello Maren."),
    ("2025-01-06", "I live in Tromsø.", "Far up north."),
    ("2025-01-07", "I work as a cartographer at the harbour office.", "A fine profession."),
    ("2025-01-08", "我丈夫叫志远，我们在家说中文。", "两种语言的家，真好。"),
    ("2025-01-09", "I'm allergic to shellfish.", "Noted, no shellfish."),
    ("2025-01-12", "我有一只猫叫墨墨。", "墨墨，好名字。"),
    ("2025-01-15", "From now on, always give distances in kilometres.", "I will, in kilometres."),
    ("2025-01-20", "I want to learn to play the accordion this year.", "A cheerful plan."),
    ("2025-01-26", "我不喜欢香菜。", "记住了。"),
    ("2025-02-02", "My favourite author is Halldór Laxness.", "Independent People?"),
    ("2025-02-05", "I drive an old Volvo.", "They last."),
    ("2025-02-11", "我妈妈下个月要来看我们。", "一定很期待。"),
    ("2025-02-17", "I drink only decaf.", "Decaf it is."),
    ("2025-02-20", "I was diagnosed with a mild asthma.", "Take care in the cold."),
    ("2025-03-01", "Never use emojis in your answers, please.", "Understood."),
    ("2025-03-09", "我每周四晚上去合唱团。", "唱哪个声部？"),
    ("2025-03-14", "I've decided to run the Midnight Sun half marathon in June.", "Good luck!"),
    ("2025-03-20", "What can you do for me?", "I'm your study companion for maps and music."),
    ("2025-03-22", "Remind me of the ferry.", "I'll remind you about the ferry tickets on Friday."),
    (
        "2025-04-02",
        "I no longer work at the harbour office, I joined Nordkart.",
        "Congratulations!",
    ),
    ("2025-04-10", "我们要搬到卑尔根了，志远在那里找到了工作。", "恭喜！"),
    ("2025-04-28", "We have moved to Bergen. I live in Bergen now.", "How is the rain?"),
    ("2025-05-03", "I sold the Volvo, we take the tram here.", "Sensible."),
    ("2025-05-08", "My favourite author is Jon Fosse these days.", "Septology?"),
    ("2025-05-17", "我现在喜欢香菜了，奇怪吧。", "口味会变。"),
    ("2025-05-30", "I have given up on the accordion. I play the fiddle.", "A lighter case, too."),
    ("2025-06-15", "I ran the half marathon in 2 hours and 4 minutes!", "Well done!"),
    ("2025-06-22", "墨墨生了三只小猫。", "恭喜墨墨！"),
    ("2025-07-01", "I'm learning Icelandic to read Laxness.", "Gangi þér vel!"),
    ("2025-07-05", "My sister Ingrid is a vet in Bodø.", "Useful with kittens."),
    ("2025-07-12", "I drink real coffee again.", "Welcome back to caffeine."),
    ("2025-07-20", "我怀孕了，预产期是明年二月。", "太好了，恭喜你们！"),
    ("2025-08-01", "Always answer in English from now on, please.", "I will."),
    (
        "2025-08-10",
        "I'm afraid of flying, so we take the train to Rome.",
        "A long way, and a fine one.",
    ),
]
ENGLISH = [
    ("How far is it from {place} to {other}?", "About {number} km."),
    ("What does '{word}' mean?", "It depends on the sentence."),
    ("{person} told me that the {thing} costs {number} euros.", "That is a lot for a {thing}."),
    ("Is a {thing} from {place} any good?", "People say so."),
    ("ok thanks", "You're welcome."),
    ("If I lived in {place}, I'd buy a {thing}.", "Who would not?"),
    ("Can you compare a {thing} with a {other_thing}?", "The first is larger."),
    ("2025-02-01 03:00:{second} ERROR map server: I am out of tiles for {place}", "A cache fault."),
    ("```python\ncity = '{place}'\nprint(f'I live in {{city}}')\n```\nWhy no output?", "Run it."),
    ('{person} wrote: "I live in {place} and I hate my {thing}."', "Poor {person}."),
    ("Translate into German: I love my {thing}.", "That begins with 'Ich liebe'."),
    ("What rhymes with {word}?", "Not much."),
    ("{person} is coming over tonight with a {thing}.", "Have a nice evening."),
    ("Do I own a {thing}?", "You have not said so."),
]
CHINESE = [
    ("{place}现在几点？", "我看不到时间。"),
    ("“{word}”用中文怎么说？", "要看上下文。"),
    ("{person}说{thing}要{number}块钱。", "有点贵。"),
    ("好的，谢谢", "不客气。"),
    ("如果我住在{place}，我就天天出门。", "听起来不错。"),
    ("帮我翻译：我喜欢{thing}。", "I like it."),
    ("我喜欢什么颜色来着？", "你还没有告诉我。"),
    ("{person}今天在{place}，明天回来。", "路上顺利。"),
]
WORDS = {
    "place": "Quito Hobart Accra Izmir Tallinn Cusco Leipzig Nagoya".split(),
    "other": "Porto Kazan Lund Suva Malaga Bari Riga Tunis".split(),
    "person": "Ottar Bente Kjell Runa Sverre Tora".split(),
    "thing": "kayak telescope lamp sewing-machine bicycle tent kettle".split(),
    "other_thing": "sledge globe stove backpack compass".split(),
    "word": "isobar fathom moraine azimuth skerry fjell".split(),
}
MUST = [
    *("Maren", "Bergen", "Nordkart", "志远", "shellfish", "墨墨", "kilomet", "emoji", "Fosse"),
    *("asthma", "合唱团", "fiddle", "half marathon", "Icelandic", "Ingrid", "怀孕", "flying"),
]
MUST_NOT = {
    "lives in Tromsø": "moved to Bergen",
    "harbour office": "left for Nordkart",
    "Volvo": "sold",
    "accordion": "given up",
    "decaf": "real coffee again",
    "不喜欢香菜": "likes it now",
    "Halldór": "the favourite author is another one",
    "Quito": "from templates",
    "Izmir": "from templates",
    "Tallinn": "from templates",
    "out of tiles": "a log",
    "telescope": "somebody else's, or asked for",
}
EXCUSED = ("no longer", "used to", "formerly", "sold", "gave up", "given up", "moved from", "left")


def conversation(turns: int, seed: int = 11) -> Dialogue:
    """The turns with what is told among them at its dates, and talk before and after."""
    chance = random.Random(seed)
    told = list(_told())
    made = [*told]
    span = told[-1][0] - told[0][0]
    while len(made) < turns:
        at = told[0][0] + timedelta(minutes=chance.randrange(int(span.total_seconds() / 60)))
        if at not in {when for when, _, _ in made}:
            made.append((at, *_talk(chance)))
    made.sort(key=lambda item: item[0])
    return Dialogue(
        name="converse",
        language="mixed",
        kind="long",
        about="Eight months in two languages.",
        turns=tuple(
            Turn(number=number, at=at, user=said, assistant=answered)
            for number, (at, said, answered) in enumerate(made, 1)
        ),
        says=(),
        must=tuple(Must(words=((word,),)) for word in MUST),
        must_not=tuple(MustNot(words=((w,),), why=y, unless=EXCUSED) for w, y in MUST_NOT.items()),
        standing=((("kilomet",),), (("emoji",),), (("English",),)),
        poison=(),
    )


def _told() -> Iterator[tuple[datetime, str, str]]:
    for number, (day, said, answered) in enumerate(TOLD):
        at = datetime.fromisoformat(day).replace(tzinfo=UTC)
        yield at + timedelta(hours=18, minutes=number), said, answered


def _talk(chance: random.Random) -> tuple[str, str]:
    said, answered = chance.choice(ENGLISH if chance.random() < 0.65 else CHINESE)
    chosen = {name: chance.choice(words) for name, words in WORDS.items()}
    chosen |= {"number": str(chance.randint(11, 999)), "second": f"{chance.randint(10, 59)}"}
    return said.format_map(chosen), answered.format_map(chosen)


async def cost(memory: MemoryCore) -> str:
    spent = (await memory.status()).model.today
    return "; ".join(
        f"{use.kind}: {use.calls} calls, {use.prompt_tokens:,} + {use.completion_tokens:,} tokens"
        for use in spent
    )


async def main(turns: int, by_day: bool, config: Path | None) -> bool:
    dialogue = conversation(turns)
    with tempfile.TemporaryDirectory() as data:
        settings = Settings.load({"data_storage_path": data}, file=config)
        begun = time.monotonic()
        async with open_memory(settings) as memory:
            await tell(memory, dialogue, by_day=by_day)
            known = await views(memory, dialogue)
            spent = await cost(memory)
        took = time.monotonic() - begun
    verdict = judge(dialogue, known)
    maker = settings.llm_model if settings.has_model else "rules"
    print(f"{turns} turns, {dialogue.turns[0].at:%Y-%m-%d} to {dialogue.turns[-1].at:%Y-%m-%d}")
    print(f"made by {maker} in {took:.0f} s; {spent or 'no calls'}\n")
    for name in known:
        print("Profile", *(f"- {line}" for line in verdict.lines[name]), "", sep="\n")
        print("Facts", *(f"- {fact}" for fact in verdict.facts[name]), "", sep="\n")
    print(f"found {len(verdict.found)} of {len(dialogue.must)}")
    print(*(f"missed: {shown(must.words)}" for must in verdict.missed), sep="\n")
    print(*(f"no standing instruction: {shown(w)}" for w in verdict.standing_missed), sep="\n")
    print(*(f"must not: {text!r}: {taboo.why}" for taboo, text in verdict.offences), sep="\n")
    notes = {note for view in known.values() for note in view.notes}
    print(*sorted(notes), sep="\n")
    return not verdict.offences and not notes


if __name__ == "__main__":
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--turns", type=int, default=300)
    parser.add_argument("--by-day", action="store_true", help="consolidate after each day")
    parser.add_argument("--config", type=Path, help="a JSON file of settings")
    chosen = parser.parse_args()
    sys.exit(0 if anyio.run(main, chosen.turns, chosen.by_day, chosen.config) else 1)
