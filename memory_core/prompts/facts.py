"""Which statements in these pages are worth keeping for good?"""

import logging
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, tzinfo
from functools import cache
from typing import Annotated

from pydantic import BeforeValidator, Field

from memory_core.backends.llm import Question
from memory_core.junk import Reason, Refusal
from memory_core.prompts import (
    DATA_RULES,
    MOST_OF_A_PAGE,
    Confidence,
    Number,
    Numbers,
    Reply,
    Text,
    as_data,
    confidence_of,
    distinct,
    language_of,
    longest_answer,
    shown_pages,
    tidy,
)
from memory_core.prompts.others import is_of_others
from memory_core.prompts.profile import PROFILE_SECTIONS
from memory_core.prompts.quality import (
    fault_of,
    is_invented,
    is_one_word,
    refusal,
    unusable,
)
from memory_core.prompts.sources import (
    chosen,
    is_of_user,
    is_passed_on,
    is_recital,
    quoted,
    restated,
    said_by_both,
    said_by_user,
    statements,
)
from memory_core.prompts.talk import is_small_talk, talk_in
from memory_core.records import About, Fact, FactDraft, Page
from memory_core.text import normalised
from memory_core.zones import in_zone

TEXT_MAX = 500
MOST_FACTS = 20
KNOWN_MAX = 40
"""More known facts than this are not shown: the caller hands over the related ones."""

_EXAMPLE_NAMES = ("Zwolle", "兹沃勒", "ズヴォレ")
_EXAMPLES = {
    "": "The user moved to Zwolle on 2019-03-04.",
    "HAN": "用户2019-03-04搬到了兹沃勒。",
    "KANA": "ユーザーは2019-03-04にズヴォレへ引っ越した。",
}
"""By script, since small models answer in the language of the example."""


def _system(example: str) -> str:
    return f"""Extract lasting facts from a conversation.
About "user", by their own words: identity, people, work, health, tastes, possessions, plans, \
dated events. About "assistant": what it is, promised, explained or recommended. Not: small talk, \
questions, jokes, suppositions, role play, quoted or pasted text, what the assistant repeats about \
the user.
One short sentence a fact, clear without the page: names, not pronouns. Do not repeat known facts; \
where a page makes one untrue, state the new one and put the old one's number in "replaces", else 0.
{DATA_RULES}
Go page by page; many have no fact, others one like "{example}"
"""


_TOLD = "\n".join(map(_system, _EXAMPLES.values()))
_ABOUT = {About.USER: "", About.ASSISTANT: "assistant: "}

# Kinds of facts, of which many can be true at once.
_KINDS = frozenset(
    "none fact facts other preference interest goal relationship hobby plan possession".split()
) | {section.replace(" ", "_") for section in PROFILE_SECTIONS}
SHARED_BY_MANY = 3

_log = logging.getLogger(__name__)


class FactItem(Reply):
    """One statement."""

    about: Text = Field("", json_schema_extra={"enum": ["user", "assistant"]})
    text: Text = Field("", json_schema_extra={"maxLength": TEXT_MAX})
    pages: Numbers = Field([])
    replaces: Number = 0
    confidence: Confidence = 0.7
    attribute: Text = Field("", description='Slug if only one can be true ("home"), or ""')
    section: Text = ""


class FactsReply(Reply):
    """What is asked for; empty where nothing is worth keeping."""

    facts: Annotated[list[FactItem], BeforeValidator(distinct(MOST_FACTS))] = Field(
        json_schema_extra={"maxItems": MOST_OF_A_PAGE}
    )


@dataclass(frozen=True, slots=True)
class JudgedFacts:
    """The usable statements of a reply, and why the others are not taken."""

    drafts: tuple[FactDraft, ...]
    refused: tuple[Refusal, ...]


def facts_question(
    pages: Sequence[Page], known: Sequence[Fact], zone: tzinfo = UTC
) -> Question[FactsReply]:
    """The question for pages to digest, oldest first, beside facts known so far.

    Args:
        zone: in which times are shown, and "yesterday" is meant.
    """
    lines = [
        f"({number}) {_ABOUT[fact.about]}{as_data(fact.text, 200)}"
        for number, fact in enumerate(known[:KNOWN_MAX], 1)
    ]
    shown = "\n".join(["<known>", *lines, "</known>", ""]) if lines else ""
    return Question(
        kind="facts",
        system=_system(_EXAMPLES.get(language_of(pages), _EXAMPLES[""])),
        text=shown + shown_pages(pages, user=1500, assistant=500, zone=zone),
        reply=FactsReply,
        pages=len(pages),
        max_tokens=longest_answer(len(pages)),
    )


def recites_facts(reply: FactsReply, pages: Sequence[Page], known: Sequence[Fact]) -> bool:
    """Whether a reply holds what was shown as known in the place of what the pages say."""
    return is_recital([item.text for item in reply.facts], [fact.text for fact in known], pages)


def judge_facts(
    reply: FactsReply, pages: Sequence[Page], known: Sequence[Fact], zone: tzinfo = UTC
) -> JudgedFacts:
    """The usable statements of a reply, each once, and why the others are none.

    What small models copy of a turn becomes a fact for each of its statements. Refused: without a
    valid page, with a confidence beyond 0..1, empty, longer than `TEXT_MAX`, about nobody, no
    statement (`quality.py`), or said twice in the reply. What a known fact says already confirms
    that fact, so it is kept. A number in `replaces` that is none of a known fact about the same
    subject counts as 0. Whether a draft may replace a fact of later date is not decided here.

    Args:
        pages: as they were shown, that is readable.
    """
    drafts: dict[str, FactDraft] = {}
    attributes: list[str] = []
    refused = []
    # Those about the user first: what is said of both sides is theirs.
    items = [one for item in reply.facts for one in _one_by_one(item)]
    for item in sorted(items, key=lambda item: _about(item.about) is About.ASSISTANT):
        made = _judged(item, pages, known, zone)
        for draft in made if not isinstance(made, Reason) else ():
            key = normalised(draft.text)
            if key not in drafts and len(drafts) < MOST_FACTS:
                drafts[key] = draft
                attributes.append(_slug(item.attribute))
            else:
                made = _why_not(draft, drafts.get(key))
        if isinstance(made, Reason):
            refused.append(refusal(made, item.text, chosen(item.pages, item.text, pages)))
    if refused:
        _log.info("%d of %d facts not taken", len(refused), len(reply.facts))
    return JudgedFacts(tuple(_with_own_attributes([*drafts.values()], attributes)), tuple(refused))


def _one_by_one(item: FactItem) -> list[FactItem]:
    """The statements of an item; what it replaces and what only one can be true of, it says of one
    statement, and which of several is not known.
    """
    texts = statements(tidy(item.text)) if not item.replaces else [item.text]
    if len(texts) == 1:
        return [item]
    return [item.model_copy(update={"text": text, "attribute": ""}) for text in texts]


def _why_not(draft: FactDraft, same: FactDraft | None) -> Reason:
    if same is None:
        return Reason.TOO_MANY
    return Reason.REPEATED if same.about is draft.about else Reason.OTHER_SIDE


def _with_own_attributes(drafts: Sequence[FactDraft], given: Sequence[str]) -> Iterator[FactDraft]:
    """Without attributes that many facts of one answer share: such a model means kinds of facts,
    and facts of one kind would replace each other.

    Args:
        given: the attributes by the model. Of those that rules have read only one can be true.
    """
    shared = Counter(
        (draft.about, attribute) for draft, attribute in zip(drafts, given, strict=True)
    )
    for draft, attribute in zip(drafts, given, strict=True):
        many = attribute and shared[draft.about, attribute] >= SHARED_BY_MANY
        yield replace(draft, attribute="") if many else draft


def _judged(
    item: FactItem, pages: Sequence[Page], known: Sequence[Fact], zone: tzinfo
) -> Sequence[FactDraft] | Reason:
    about, text = _about(item.about), tidy(item.text)
    sources = chosen(item.pages, text, pages)
    confidence = confidence_of(item.confidence)
    if fault := unusable(text, TEXT_MAX, sources, confidence):
        return fault
    if about is None:
        return Reason.ABOUT_NOBODY
    said = said_by_user(sources) if about is About.USER else said_by_both(sources)
    if is_one_word(text, 4):
        return Reason.ONE_WORD
    if fault := fault_of(text, said, _TOLD, *_EXAMPLE_NAMES):
        return fault
    if about is About.ASSISTANT and (_of_user().match(text) or is_of_user(text, sources)):
        return Reason.OTHER_SIDE
    if fault := talk_in(text, pages):
        return fault
    if about is About.ASSISTANT and is_small_talk(text, pages):
        return Reason.SMALL_TALK
    # By all that was shown: models name a neighbouring page now and then.
    held = [fact.text for fact in known]
    if is_invented(text, [*said_by_both(pages), *held]):
        return Reason.INVENTED
    others = is_passed_on(text, pages) or is_of_others(text, [*said_by_user(pages), *held])
    if about is About.USER and others:
        return Reason.OF_OTHERS
    at = max(page.at for page in sources)
    said_at = in_zone(at, zone)
    draft = FactDraft(
        about=about,
        text=quoted(text, about, said_at),
        at=at,
        source_keys=tuple(page.key for page in sources),
        confidence=confidence or 0.0,
        attribute=_slug(item.attribute),
        section=tidy(item.section).casefold()[:40],
        replaces=_replaced(item.replaces, about, known),
    )
    return _by_rules(draft, text, said_at) if about is About.USER else [draft]


def _by_rules(draft: FactDraft, text: str, at: datetime) -> list[FactDraft]:
    """A copy in the first person as the statements that rules read in it, if these say all of it.

    Rules know of what only one can be true; a model that copies does not.
    """
    told = restated(text, at)
    read = told or restated(text, at, loosely=True)
    if len(read) > 1 and not draft.replaces:
        return [
            replace(draft, text=one.text, attribute=one.attribute, ended=one.ended) for one in read
        ]
    if len(read) != 1:
        return [draft]
    (one,) = read
    attribute = draft.attribute or one.attribute
    return [
        replace(draft, text=one.text if told else draft.text, attribute=attribute, ended=one.ended)
    ]


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
    usable = re.fullmatch(r"[a-z][a-z0-9_]{0,39}", slug) and slug not in _KINDS
    return slug if usable else ""


@cache
def _of_user() -> re.Pattern[str]:
    return re.compile(r"(?:the )?user\b|用户|ユーザー", re.I)
