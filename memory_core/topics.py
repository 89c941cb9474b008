"""Topics by rule: what a batch is about when no model is asked."""

from collections.abc import Sequence

from memory_core.keywords import keywords, summarise, title
from memory_core.records import Page, Topic


def topics_by_rule(pages: Sequence[Page]) -> list[Topic]:
    """One topic a page: placement then joins what belongs together."""
    return [_topic(page) for page in pages]


def _topic(page: Page) -> Topic:
    texts = [side for side in (page.user_input, page.agent_response) if side]
    return Topic(
        title=title(texts),
        summary=summarise(texts),
        keywords=keywords(texts),
        page_keys=(page.key,),
    )
