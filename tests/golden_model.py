"""A scripted model that answers about a golden dialogue as a good model would, or worse."""

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from pydantic import BaseModel

from memory_core.backends.llm import Question
from memory_core.testing import ScriptedModel
from tests.golden_set import Dialogue, Saying, Turn

_PAGE = re.compile(r"^\[(\d+)\] (\d{4}-\d\d-\d\d \d\d:\d\d)", re.MULTILINE)
_KNOWN = re.compile(r"^\((\d+)\) (.+)$", re.MULTILINE)

Item = dict[str, Any]


@dataclass(frozen=True, slots=True)
class Asked:
    """A question as a model reads it. turns: those of its pages, by the page's number."""

    kind: str
    text: str
    dialogue: Dialogue
    turns: Mapping[int, Turn]

    def number_of(self, text: str) -> int:
        """The number of a known fact or line that is shown with this text; 0 for none."""
        shown = _KNOWN.findall(self.text)
        return next((int(number) for number, line in shown if text and line.endswith(text)), 0)

    def item(self, saying: Saying, pages: Sequence[int]) -> Item:
        """A statement in the form of the answer to this question."""
        common = {"text": saying.text, "pages": list(pages), "confidence": 0.9}
        common["section"] = saying.section
        known = self.number_of(saying.replaces)
        if self.kind == "profile":
            return {**common, "action": "change" if known else "add", "line": known}
        own = {"about": str(saying.about), "attribute": saying.attribute, "replaces": known}
        return {**common, **own}


Worsen = Callable[[Asked, list[Item]], list[Item]]
"""What a bad model makes of a good answer about facts or the profile."""


def golden_model(dialogue: Dialogue, worsen: Worsen | None = None) -> ScriptedModel:
    """A model for one dialogue. worsen: what becomes of its answers about facts and profile."""

    def answer(question: Question[Any]) -> BaseModel:
        asked = Asked(question.kind, question.text, dialogue, _turns_shown(question.text, dialogue))
        reply: BaseModel = question.reply.model_validate(_answer(asked, worsen))
        return reply

    return ScriptedModel(answer=answer, name="golden")


def _answer(asked: Asked, worsen: Worsen | None) -> dict[str, list[Item]]:
    if asked.kind == "topics":
        return {"topics": [_topic(asked.turns)]}
    items = worsen(asked, _statements(asked)) if worsen else _statements(asked)
    return {"changes" if asked.kind == "profile" else "facts": items}


def _topic(turns: Mapping[int, Turn]) -> Item:
    said = [turn.user for turn in turns.values()] or ["👋"]
    words = re.findall(r"\w{4,}", " ".join(said))
    return {
        "title": said[0][:40],
        "summary": said[0][:200],
        "keywords": words[:5],
        "pages": [*turns],
    }


def _statements(asked: Asked) -> list[Item]:
    """What the pages say; not what another one of them makes untrue."""
    numbers = {turn.number: number for number, turn in asked.turns.items()}
    here = [saying for saying in asked.dialogue.says if saying.turn in numbers]
    outdated = {saying.replaces for saying in here}
    wanted = [s for s in here if s.profile] if asked.kind == "profile" else here
    return [
        asked.item(saying, [numbers[saying.turn]])
        for saying in wanted
        if saying.text not in outdated
    ]


def _turns_shown(text: str, dialogue: Dialogue) -> dict[int, Turn]:
    by_time = {f"{turn.at:%Y-%m-%d %H:%M}": turn for turn in dialogue.turns}
    heads = _PAGE.findall(text)
    return {int(number): by_time[at] for number, at in heads if at in by_time}


CASTLE = Saying(turn=0, text="The user owns a castle. 用户有一座城堡。")


def believes_all_it_reads(asked: Asked, items: list[Item]) -> list[Item]:
    """States what pasted code, logs and recalled text say, where it is shown them."""
    numbers = {turn.number: number for number, turn in asked.turns.items()}
    believed = [
        asked.item(saying, [numbers[saying.turn]])
        for saying in asked.dialogue.poison
        if saying.turn in numbers and saying.seen in asked.text
    ]
    return [*believed, *items]


def invents_pages(asked: Asked, items: list[Item]) -> list[Item]:
    """Names pages that are not there, or none."""
    return [*(asked.item(CASTLE, pages) for pages in ([99], [0], [-1], [], [10**9])), *items]


def returns_empty_items(asked: Asked, items: list[Item]) -> list[Item]:
    return [*_texts(asked, "", " ", "\0\x07", "..."), *items]


def returns_placeholders(asked: Asked, items: list[Item]) -> list[Item]:
    return [*_texts(asked, "N/A", "None", "null", "{}"), *items]


def returns_broken_items(asked: Asked, items: list[Item]) -> list[Item]:
    """Too long, about nobody, and with a confidence that is none."""
    castle = asked.item(CASTLE, [1])
    return [
        {**castle, "text": "castle " * 500},
        {**castle, "about": "nobody", "action": "destroy"},
        {**castle, "confidence": "rather"},
        {**castle, "confidence": -5},
        *items,
    ]


def speaks_another_language(asked: Asked, items: list[Item]) -> list[Item]:
    """States something in a language in which nobody spoke."""
    text = "用户有一座城堡。" if asked.dialogue.language == "en" else "The user owns a castle."
    return [*_texts(asked, text), *items]


def answers_questions(asked: Asked, items: list[Item]) -> list[Item]:
    """Returns questions instead of statements."""
    return [*_texts(asked, "Does the user own a castle?", "用户有城堡吗？"), *items]


def makes_up_a_person(asked: Asked, items: list[Item]) -> list[Item]:
    """Fills in a form of its own: what a 1.5B model did with a question about the profile."""
    return [*_texts(asked, "Name: John Doe", "Age: 30", "Home: New York City"), *items]


def says_it_of_the_assistant_too(asked: Asked, items: list[Item]) -> list[Item]:
    """Tells each fact about the user a second time as one about the assistant."""
    if asked.kind == "profile":
        return items
    return [*items, *({**item, "about": "assistant", "replaces": 0} for item in items)]


def takes_sections_for_attributes(asked: Asked, items: list[Item]) -> list[Item]:
    """Names as the attribute of each fact, of which one can be true, what kind of fact it is."""
    return [{**item, "attribute": item["section"]} for item in items]


def forgets_the_profile(asked: Asked, items: list[Item]) -> list[Item]:
    return [] if asked.kind == "profile" else items


def never_ends(asked: Asked, items: list[Item]) -> list[Item]:
    """Begins well, and then says hundreds of things, most of them again."""
    return [
        *items,
        *_texts(asked, *(f"The user mentions thing {n % 7} again." for n in range(300))),
    ]


def _texts(asked: Asked, *texts: str) -> list[Item]:
    return [asked.item(Saying(turn=0, text=text), [1]) for text in texts]
