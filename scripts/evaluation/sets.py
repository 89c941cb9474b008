"""The sets as records: dialogues with their turns, and questions with the turns that answer them.

The texts of LoCoMo and MemoryBank are not part of this project; their paths are arguments. The
marks of MemoryBank and the two sets of our own lie beside this file.
"""

import json
import re
from collections.abc import Collection
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

HERE = Path(__file__).parent
CATEGORIES = {1: "multi-hop", 2: "temporal", 3: "open domain", 4: "single hop", 5: "adversarial"}
TURN_ID = re.compile(r"D(\d+):(\d+)")
SECONDS_A_TURN = 20


@dataclass(frozen=True, slots=True)
class Turn:
    """What becomes one page. name: unique in its dialogue; session: which sitting it is of."""

    name: str
    user: str
    agent: str
    at: datetime
    session: str

    @property
    def shown(self) -> str:
        """As a reply would show it, for counting words: date, then who said what."""
        return f"{self.at:%Y-%m-%d} {self.user}\n{self.agent}".strip()


@dataclass(frozen=True, slots=True)
class Question:
    """index: its place in the data; evidence: names of turns, none for what nothing answers."""

    index: int
    text: str
    category: str
    evidence: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Dialogue:
    """One memory, and what is asked of it."""

    name: str
    turns: tuple[Turn, ...]
    questions: tuple[Question, ...]


def locomo(path: Path, only: Collection[str] = ()) -> list[Dialogue]:
    """LoCoMo, one page a turn. Questions without evidence are left out.

    only: names of conversations ("conv-26"); empty: all.
    """
    conversations = json.loads(path.read_text(encoding="utf-8"))
    return [_locomo(one) for one in conversations if not only or one["sample_id"] in only]


def _locomo(conversation: dict[str, Any]) -> Dialogue:
    spoken = conversation["conversation"]
    turns: list[Turn] = []
    number = 1
    while f"session_{number}_date_time" in spoken:
        begun = _moment(spoken[f"session_{number}_date_time"])
        for place, said in enumerate(spoken.get(f"session_{number}", ())):
            at = begun + timedelta(seconds=SECONDS_A_TURN * place)
            turns.append(Turn(said["dia_id"], _line(said), "", at, f"session {number}"))
        number += 1
    known = {turn.name for turn in turns}
    asked = [
        Question(index, qa["question"], CATEGORIES[qa["category"]], evidence)
        for index, qa in enumerate(conversation["qa"])
        if (evidence := _evidence(qa.get("evidence", ()), known))
    ]
    return Dialogue(conversation["sample_id"], tuple(turns), tuple(asked))


def _moment(text: str) -> datetime:
    """ "1:56 pm on 8 May, 2023"; the zone is not said."""
    return datetime.strptime(text, "%I:%M %p on %d %B, %Y").replace(tzinfo=UTC)


def _line(said: dict[str, Any]) -> str:
    caption = said.get("blip_caption")
    return f"{said['speaker']}: {said['text']}" + (f" [{caption}]" if caption else "")


def _evidence(listed: Collection[str], known: Collection[str]) -> tuple[str, ...]:
    """Names of turns. One string may hold several, and a few name turns that do not exist."""
    found = TURN_ID.findall(" ".join(listed))
    names = dict.fromkeys(f"D{int(session)}:{int(place)}" for session, place in found)
    return tuple(name for name in names if name in known)


def memorybank(language: str, path: Path, questions: Path) -> list[Dialogue]:
    """MemoryBank in "zh" or "en", one page an exchange, with the evidence marked by hand."""
    held = json.loads(path.read_text(encoding="utf-8"))
    users = {name.strip(): user for name, user in held.items()}  # some have blanks around them
    lines = questions.read_text(encoding="utf-8").splitlines()
    asked = {user: texts for line in lines if line for user, texts in json.loads(line).items()}
    marks = json.loads((HERE / f"memorybank_{language}.json").read_text(encoding="utf-8"))
    return [_user(user, users[user], asked[user], marks[user], language) for user in marks]


def _user(
    name: str, user: dict[str, Any], texts: list[str], marks: list[list[str]], language: str
) -> Dialogue:
    turns = []
    for day, exchanges in sorted(user["history"].items()):
        noon = datetime.fromisoformat(day).replace(hour=12, tzinfo=UTC)
        for place, said in enumerate(exchanges):
            at = noon + timedelta(minutes=place)
            turns.append(Turn(f"{day}#{place}", said["query"], said["response"], at, day))
    known = {turn.name for turn in turns}
    if unknown := {mark for marked in marks for mark in marked} - known:
        raise ValueError(f"{name}: no such turns: {sorted(unknown)}")
    asked = [
        Question(index, text, language, tuple(marked))
        for index, (text, marked) in enumerate(zip(texts, marks, strict=True))
        if marked
    ]
    return Dialogue(name, tuple(turns), tuple(asked))


def cross_language(which: str = "questions") -> Dialogue:
    """Facts in English and Chinese in one memory, each asked for in the other language.

    which: "same_language" has the same questions in the language of the fact.
    """
    held = json.loads((HERE / "cross_language.json").read_text(encoding="utf-8"))
    turns = [
        Turn(turn["id"], turn["user"], turn["assistant"], datetime.fromisoformat(at), at[:10])
        for turn in held["turns"]
        if (at := turn["at"])
    ]
    asked = [
        Question(index, one["question"], _direction(one["id"]), tuple(one["turns"]))
        for index, one in enumerate(held[which])
    ]
    return Dialogue("cross-language", tuple(sorted(turns, key=lambda turn: turn.at)), tuple(asked))


def _direction(id: str) -> str:
    """ "q_zh_en01" asks in Chinese for what is said in English."""
    _, asked, said = id.split("_")
    return f"{asked} asks {said[:2]}"


def irrelevant(which: str = "questions") -> tuple[Question, ...]:
    """Questions that no memory here holds anything about.

    which: "questions" of daily work, or "personal" ones, of which any memory might hold something.
    """
    held = json.loads((HERE / "irrelevant.json").read_text(encoding="utf-8"))
    return tuple(
        Question(index, one["question"], one["language"]) for index, one in enumerate(held[which])
    )
