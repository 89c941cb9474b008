"""The golden set: dialogues with what must and what must not come out of them (tests/golden).

A file holds, beside the turns:

- `says`: what a good model would state, with the turn it stands in (`golden_model.py` plays it);
- `must`: statements that have to be found. `words` are groups of alternatives, and one text must
  hold one of each group; `rules`: expected of the rules too, which know plain sentences only;
- `must_not`: the same of what may be in no current fact and no line of the profile, with the
  reason. A text with one of the words of `unless` is no offence ("no longer lives in Galway");
- `standing`: standing instructions that the profile must hold;
- `poison`: what a gullible model states when it is shown the passage that `seen` stands in.
"""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any

from memory_core import MemoryCore, ProfileView
from memory_core.records import About

DIRECTORY = Path(__file__).with_name("golden")
SETTINGS: Mapping[str, Any] = {"short_term_capacity": 1, "mid_term_heat_threshold": 0.0}
"""Of a memory that digests all turns of a dialogue, also of a short one."""

SOMEBODY = "somebody"
Words = tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Turn:
    """One turn of both sides. number: from 1."""

    number: int
    at: datetime
    user: str
    assistant: str
    user_id: str = SOMEBODY


@dataclass(frozen=True, slots=True, kw_only=True)
class Saying:
    """A statement, and the turn that makes it.

    replaces: the text that it makes untrue; profile: a line of the profile as well; seen, why: of
    poison, the words that mislead, and what they are.
    """

    turn: int
    text: str
    section: str = "other"
    about: About = About.USER
    attribute: str = ""
    replaces: str = ""
    profile: bool = False
    seen: str = ""
    why: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Must:
    """What has to be found."""

    words: Words
    about: About = About.USER
    user_id: str = ""
    rules: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class MustNot:
    """What may not be said anywhere. beyond_rules: they are known not to see why."""

    words: Words
    why: str
    unless: tuple[str, ...] = ()
    user_id: str = ""
    beyond_rules: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Dialogue:
    """One conversation of the set. language: "en", "zh", "ja" or "mixed"; about: what it tries."""

    name: str
    language: str
    kind: str
    about: str
    turns: tuple[Turn, ...]
    says: tuple[Saying, ...]
    must: tuple[Must, ...]
    must_not: tuple[MustNot, ...]
    standing: tuple[Words, ...]
    poison: tuple[Saying, ...]

    @property
    def users(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(turn.user_id for turn in self.turns))


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """How a memory of a dialogue is. in_profile: musts about the user that a line holds; offences:
    what may not be there, with the text; foreign: facts in a language that nobody spoke.
    """

    found: tuple[Must, ...] = ()
    missed: tuple[Must, ...] = ()
    in_profile: tuple[Must, ...] = ()
    offences: tuple[tuple[MustNot, str], ...] = ()
    standing_missed: tuple[Words, ...] = ()
    foreign: tuple[str, ...] = ()
    facts: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    lines: Mapping[str, tuple[str, ...]] = field(default_factory=dict)


def dialogues(*names: str) -> list[Dialogue]:
    """Those of these names, or all."""
    files = [DIRECTORY / f"{name}.json" for name in names] or sorted(DIRECTORY.glob("*.json"))
    return [_dialogue(file.stem, json.loads(file.read_text(encoding="utf-8"))) for file in files]


async def tell(memory: MemoryCore, dialogue: Dialogue, *, by_day: bool) -> None:
    """Let a memory have the dialogue. by_day: consolidate after each day, as idle time does."""
    before = dialogue.turns[0].at
    for turn in dialogue.turns:
        if by_day and turn.at.date() != before.date():
            await memory.consolidate()
        before = turn.at
        await memory.add_memory(turn.user, turn.assistant, at=turn.at, user_id=turn.user_id)
    for user_id in dialogue.users:
        # The window keeps the last turn: let it be one that says nothing.
        await memory.add_memory("👋", "👋", at=before, user_id=user_id)
    await memory.consolidate()


async def views(memory: MemoryCore, dialogue: Dialogue) -> dict[str, ProfileView]:
    """What the memory knows of each user of the dialogue."""
    return {name: await memory.get_user_profile(user_id=name) for name in dialogue.users}


def judge(dialogue: Dialogue, known: Mapping[str, ProfileView]) -> Verdict:
    """Compare what is known with what must and must not be."""
    first = dialogue.users[0]
    found: list[Must] = []
    missed: list[Must] = []
    in_profile: list[Must] = []
    offences: list[tuple[MustNot, str]] = []
    for must in dialogue.must:
        view = known[must.user_id or first]
        side = view.user_facts if must.about is About.USER else view.assistant_facts
        told = any(holds(fact.text, must.words) for fact in side)
        (found if told else missed).append(must)
        if must.about is About.USER and any(holds(line, must.words) for line in _lines(view)):
            in_profile.append(must)
    for taboo in dialogue.must_not:
        for name in [taboo.user_id] if taboo.user_id else dialogue.users:
            offences += [(taboo, text) for text in _texts(known[name]) if _offends(text, taboo)]
    return Verdict(
        found=tuple(found),
        missed=tuple(missed),
        in_profile=tuple(in_profile),
        offences=tuple(offences),
        standing_missed=tuple(w for w in dialogue.standing if not _stands(known[first], w)),
        foreign=tuple(t for v in known.values() for t in _texts(v) if not _spoken(t, dialogue)),
        facts={name: tuple(_facts(view)) for name, view in known.items()},
        lines={name: tuple(_shown_lines(view)) for name, view in known.items()},
    )


def holds(text: str, words: Words) -> bool:
    """Whether a text has one of each group of words."""
    lower = text.casefold()
    return all(any(word.casefold() in lower for word in group) for group in words)


def shown(words: Words) -> str:
    return " + ".join("/".join(group) for group in words)


def _offends(text: str, taboo: MustNot) -> bool:
    lower = text.casefold()
    excused = any(word.casefold() in lower for word in taboo.unless)
    return holds(text, taboo.words) and not excused


def _stands(view: ProfileView, words: Words) -> bool:
    lines = view.profile.lines if view.profile else ()
    return any(
        line.section == "standing instructions" and holds(line.text, words) for line in lines
    )


def _lines(view: ProfileView) -> list[str]:
    return [line.text for line in view.profile.lines] if view.profile else []


def _shown_lines(view: ProfileView) -> list[str]:
    lines = view.profile.lines if view.profile else ()
    return [f"{line.section}: {line.text}" for line in lines]


def _facts(view: ProfileView) -> Iterable[str]:
    for fact in (*view.user_facts, *view.assistant_facts):
        yield f"{fact.about}, {fact.at:%Y-%m-%d}: {fact.text}"


def _texts(view: ProfileView) -> list[str]:
    own = [fact.text for fact in (*view.user_facts, *view.assistant_facts)]
    return list(dict.fromkeys([*own, *_lines(view)]))


def _spoken(text: str, dialogue: Dialogue) -> bool:
    """Whether a text is in a script of the dialogue's language."""
    han, kana = re.search(r"[\u4e00-\u9fff]", text), re.search(r"[\u3040-\u30ff]", text)
    match dialogue.language:
        case "en":
            return not han and not kana
        case "zh":
            return bool(han) and not kana
        case "ja":
            return bool(kana)
    return True


def _dialogue(name: str, data: Mapping[str, Any]) -> Dialogue:
    turns = [
        Turn(**{**turn, "at": datetime.fromisoformat(turn["at"])}, number=number)
        for number, turn in enumerate(data["turns"], 1)
    ]
    return Dialogue(
        name=name,
        language=data["language"],
        kind=data["kind"],
        about=data["about"],
        turns=tuple(turns),
        says=tuple(_saying(item) for item in data["says"]),
        must=tuple(Must(**_record(item)) for item in data["must"]),
        must_not=tuple(MustNot(**_record(item)) for item in data["must_not"]),
        standing=tuple(_words(item) for item in data["standing"]),
        poison=tuple(_saying(item) for item in data["poison"]),
    )


def _saying(data: Mapping[str, Any]) -> Saying:
    return Saying(**_record(data))


def _record(data: Mapping[str, Any]) -> dict[str, Any]:
    record = dict(data)
    if "words" in record:
        record["words"] = _words(record["words"])
    if "about" in record:
        record["about"] = About(record["about"])
    if "unless" in record:
        record["unless"] = tuple(record["unless"])
    return record


def _words(groups: Sequence[Sequence[str]]) -> Words:
    return tuple(tuple(group) for group in groups)
