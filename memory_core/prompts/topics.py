"""Which topics do these pages talk about?"""

from collections.abc import Iterable, Sequence
from datetime import UTC, tzinfo
from typing import Annotated

from pydantic import BeforeValidator, Field

from memory_core.backends.llm import Question
from memory_core.prompts import DATA_RULES, Numbers, Reply, Text, Words, distinct, shown_pages, tidy
from memory_core.records import Page, Topic

KEYWORDS_MAX = 8
PAGES_MAX = 50
LONGEST_ANSWER = 1_500
"""Tokens: ten topics take about 1,000; a small model in a loop is stopped."""
TITLE_MAX = 120
TOPICS_MAX = 20

_SYSTEM = f"""File a conversation of a user and an assistant for a memory.
Group the pages by topic, by their numbers. Pages on one subject belong together, also with other \
pages between them. Every page belongs to exactly one topic.
"summary": one to three sentences on what was said, with names, numbers, dates, decisions and \
preferences, clear without the pages.
{DATA_RULES}"""


class TopicItem(Reply):
    """One topic of the batch."""

    title: Text = Field("", description="A few words")
    summary: Text = ""
    keywords: Words = Field(
        [],
        description=f"Up to {KEYWORDS_MAX} words to search by",
        json_schema_extra={"maxItems": KEYWORDS_MAX},
    )
    pages: Numbers = Field([], json_schema_extra={"maxItems": PAGES_MAX})


class TopicsReply(Reply):
    """What is asked for."""

    topics: Annotated[list[TopicItem], BeforeValidator(distinct(TOPICS_MAX))] = Field(
        json_schema_extra={"maxItems": TOPICS_MAX}
    )


def topics_question(pages: Sequence[Page], zone: tzinfo = UTC) -> Question[TopicsReply]:
    """The question for a batch of pages, oldest first."""
    return Question(
        kind="topics",
        system=_SYSTEM,
        text=shown_pages(pages, user=1000, assistant=400, zone=zone),
        reply=TopicsReply,
        max_tokens=LONGEST_ANSWER,
    )


def topics_from(reply: TopicsReply, pages: Sequence[Page]) -> list[Topic]:
    """The topics of a batch, by their first page. Every page is in exactly one of them.

    The first topic to claim a page has it. A page that none claims goes with the page before it;
    where there is none, it makes a topic of its own.
    """
    owner: dict[int, int] = {}
    for index, item in enumerate(reply.topics):
        for number in item.pages:
            if 1 <= number <= len(pages):
                owner.setdefault(number, index)
    own = len(reply.topics)  # stands for the topic made of unclaimed pages at the beginning
    for number in range(1, len(pages) + 1):
        owner.setdefault(number, owner.get(number - 1, own))
    topics: dict[int, list[Page]] = {}
    for number, page in enumerate(pages, 1):
        topics.setdefault(owner[number], []).append(page)
    items = [*reply.topics, TopicItem.model_validate({})]
    return [_topic(items[index], members) for index, members in topics.items()]


def _topic(item: TopicItem, pages: Sequence[Page]) -> Topic:
    return Topic(
        title=_start(tidy(item.title), TITLE_MAX) or heading(pages),
        summary=tidy(item.summary) or _start(tidy(" ".join(p.text for p in pages)), 300),
        keywords=_keywords(item.keywords),
        page_keys=tuple(page.key for page in pages),
    )


def heading(pages: Sequence[Page]) -> str:
    """A title out of the pages' own text, for a topic that has none."""
    said = (tidy(page.user_input) or tidy(page.agent_response) for page in pages)
    return next((_start(text, 60) for text in said if text), "…")


def _start(text: str, limit: int) -> str:
    return text if len(text) <= limit else f"{text[: limit - 1].rstrip()}…"


def _keywords(words: Iterable[str]) -> tuple[str, ...]:
    tidied = (tidy(word).casefold() for word in words)
    return tuple(dict.fromkeys(word for word in tidied if word and len(word) <= 60))[:KEYWORDS_MAX]
