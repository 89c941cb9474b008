"""Which statements in these pages are worth keeping for good?"""

import logging
import re
from collections.abc import Iterator, Sequence

from pydantic import Field

from memory_core.backends.llm import Question
from memory_core.prompts import (
    DATA_RULES,
    Confidence,
    Number,
    Numbers,
    Reply,
    Text,
    as_data,
    chosen,
    confidence_of,
    shown_pages,
    tidy,
)
from memory_core.records import About, Fact, FactDraft, Page
from memory_core.text import normalised

TEXT_MAX = 500
KNOWN_MAX = 40
"""More known facts than this are not shown: the caller hands over the related ones."""

_SYSTEM = f"""You extract lasting facts from a conversation for a long-term memory.
Keep what will still matter in later conversations: about "user", the user and their world \
(identity, people, work, health, plans, preferences, possessions, events with date); about \
"assistant", what the assistant is, promised, recommended or was told to do. Leave out small talk, \
general knowledge, guesses, and whatever the user only asks about, quotes or supposes.
One self-contained sentence a fact: names instead of pronouns. Do not repeat known facts. When a \
page makes a known fact untrue, state the new one and put the old one's number in "replaces".
{DATA_RULES}"""

_log = logging.getLogger(__name__)


class FactItem(Reply):
    """One statement."""

    about: Text = Field("", json_schema_extra={"enum": ["user", "assistant"]})
    text: Text = Field("", description="One sentence")
    pages: Numbers = Field([], description="Numbers of the pages that say so")
    replaces: Number = Field(0, description="Number of the known fact it makes untrue, or 0")
    confidence: Confidence = Field(0.7, description="0 to 1; 1: plainly stated")
    attribute: Text = Field(
        "", description='Slug if it can have one value only ("home", "job", "name"), else ""'
    )
    section: Text = Field("", description="One word: identity, work, health, preference, ...")


class FactsReply(Reply):
    """What is asked for; empty where nothing is worth keeping."""

    facts: list[FactItem]


def facts_question(pages: Sequence[Page], known: Sequence[Fact]) -> Question[FactsReply]:
    """The question for pages to digest, oldest first, beside facts known so far."""
    lines = [
        f"({number}) {fact.at:%Y-%m-%d} {fact.about}: {as_data(fact.text, 200)}"
        for number, fact in enumerate(known[:KNOWN_MAX], 1)
    ]
    shown = "\n".join(["<known>", *lines, "</known>", ""]) if lines else ""
    return Question(
        kind="facts",
        system=_SYSTEM,
        text=shown + shown_pages(pages, user=1500, assistant=500),
        reply=FactsReply,
    )


def facts_from(reply: FactsReply, pages: Sequence[Page], known: Sequence[Fact]) -> list[FactDraft]:
    """The usable statements of a reply, each once.

    Dropped: without a valid page, with a confidence beyond 0..1, empty, longer than `TEXT_MAX`,
    about nobody, or said twice in the reply. What a known fact says already confirms that fact,
    so it is kept. A number in `replaces` that
    is none of a known fact about the same subject counts as 0. Whether a draft may replace a fact
    of later date is not decided here.
    """
    seen: set[tuple[About, str]] = set()
    drafts = []
    for draft in _drafts(reply, pages, known):
        key = (draft.about, normalised(draft.text))
        if key not in seen:
            seen.add(key)
            drafts.append(draft)
    if len(drafts) < len(reply.facts):
        _log.info("%d of %d facts not taken", len(reply.facts) - len(drafts), len(reply.facts))
    return drafts


def _drafts(reply: FactsReply, pages: Sequence[Page], known: Sequence[Fact]) -> Iterator[FactDraft]:
    for item in reply.facts:
        about = _about(item.about)
        text = tidy(item.text)
        sources = chosen(item.pages, pages)
        confidence = confidence_of(item.confidence)
        if about and sources and confidence is not None and 0 < len(text) <= TEXT_MAX:
            yield FactDraft(
                about=about,
                text=text,
                at=max(page.at for page in sources),
                source_keys=tuple(page.key for page in sources),
                confidence=confidence,
                attribute=_slug(item.attribute),
                section=tidy(item.section).casefold()[:40],
                replaces=_replaced(item.replaces, about, known),
            )


def _about(value: str) -> About | None:
    name = tidy(value).casefold()
    return About(name) if name in list(About) else None


def _replaced(number: int, about: About, known: Sequence[Fact]) -> tuple[int, ...]:
    shown = known[:KNOWN_MAX]
    if not 1 <= number <= len(shown) or shown[number - 1].about is not about:
        return ()
    return (shown[number - 1].key,)


def _slug(value: str) -> str:
    slug = re.sub(r"[\s-]+", "_", value.strip().casefold())
    return slug if re.fullmatch(r"[a-z][a-z0-9_]{0,39}", slug) and slug != "none" else ""
