"""The junk guard: what of a page is worth reading.

Pages are kept word for word. For questions to a model, and for rules, passages are left out that
say nothing of the user: what came out of this memory, orders to it, code, logs, dumps, files that
set an assistant up. A short mark stands in their place, and the rest is read. Pure functions,
linear in the text.
"""

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from memory_core.junk.boot import boot_spans, tag_spans
from memory_core.junk.lines import line_spans
from memory_core.junk.orders import order_spans
from memory_core.junk.reasons import Reason, Refusal, Side, Span
from memory_core.junk.recalled import recalled_spans
from memory_core.junk.spans import fence_spans, inline_spans, json_spans
from memory_core.records import Fact, Page, Profile
from memory_core.text import normalised

__all__ = ["Readable", "Reason", "Refusal", "Side", "is_junk", "known_texts", "readable"]

LONGEST = 60_000
"""Characters of a side that are looked at, half from each end: questions show far less."""


@dataclass(frozen=True, slots=True)
class Readable:
    """A page as it is to be read, and what was left out of it. Never stored in the page's place."""

    page: Page
    refused: tuple[Refusal, ...]


def known_texts(facts: Iterable[Fact], profile: Profile | None) -> frozenset[str]:
    """What memory would give back word for word, in the form that `readable` compares."""
    texts = [fact.text for fact in facts] + [
        line.text for line in (profile.lines if profile else ())
    ]
    return frozenset(map(normalised, texts))


def readable(page: Page, known: frozenset[str] = frozenset()) -> Readable:
    """The page without what is not worth reading.

    Args:
        known: of `known_texts`. Word for word on the assistant's side, or quoted by the user, such
            a text is recalled; said by the user it confirms, and stays.
    """
    user, refused = _read(page.user_input, Side.USER, page.key, known)
    assistant, more = _read(page.agent_response, Side.ASSISTANT, page.key, known)
    if not refused and not more:
        return Readable(page, ())
    shown = replace(page, user_input=user, agent_response=assistant)
    return Readable(shown, (*refused, *more))


def is_junk(text: str) -> bool:
    """Whether a short text, such as a model's fact, is or holds something of that kind."""
    refused = _read(text, Side.ASSISTANT, None, frozenset())[1]
    return bool(refused) or any(line_spans(text, alone=True))


def _read(
    text: str, side: Side, page_key: int | None, known: frozenset[str]
) -> tuple[str, list[Refusal]]:
    shown = (
        text if len(text) <= LONGEST else f"{text[: LONGEST // 2]}\n[…]\n{text[-LONGEST // 2 :]}"
    )
    refused: list[Refusal] = []
    passes: tuple[Callable[[str], Iterator[Span]], ...] = (
        lambda text: recalled_spans(text, side, known),
        order_spans,
        # What reaches furthest comes first: rules files hold code, and code holds JSON.
        *(tag_spans, boot_spans, fence_spans, json_spans, inline_spans, line_spans),
    )
    for find in passes:
        shown, spans = _without(shown, find(shown))
        refused += [
            Refusal(page_key=page_key, side=side, reason=reason, characters=length)
            for reason, length in spans
        ]
    return (shown if refused else text), refused


def _without(text: str, spans: Iterable[Span]) -> tuple[str, list[tuple[Reason, int]]]:
    """The text with a mark in the place of each span, and the reasons and lengths of these."""
    kept: list[str] = []
    gone: list[tuple[Reason, int]] = []
    done = 0
    for span in sorted(spans, key=lambda span: span.start):
        if span.start < done:
            continue
        passage = text[span.start : span.end]
        kept += [text[done : span.start], _mark(span.reason, passage)]
        gone.append((span.reason, len(passage)))
        done = span.end
    return ("".join((*kept, text[done:])), gone) if gone else (text, gone)


def _mark(reason: Reason, passage: str) -> str:
    lines = passage.rstrip().count("\n") + 1
    size = f"{lines:,} lines" if lines > 1 else f"{len(passage):,} characters"
    tail = "\n" if passage.endswith("\n") else ""
    return f"[{reason}, {size}]{tail}"
