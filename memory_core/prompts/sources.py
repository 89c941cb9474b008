"""Where a returned statement comes from, and whose it is."""

import re
from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from functools import cache

from memory_core.dates import resolve_relative
from memory_core.heuristic import facts_of
from memory_core.heuristic.prose import own_words
from memory_core.prompts import language_of
from memory_core.records import About, FactDraft, Page
from memory_core.sentences import sentences
from memory_core.text import HAN, HIRAGANA, KATAKANA, content_terms, normalised
from memory_core.writing import script_of

SAID_SHARE = 0.6
"""Share of a statement's words that somebody must have said for the statement to be theirs."""

LONGEST_TURN, MOST_STATEMENTS = 500, 8
"""Characters and statements of a copied turn that is taken apart."""

RECITED_FROM = 3
"""Statements out of what was shown as known that make an answer a recital."""

HARDLY_SAID = 0.34
"""Share of a statement's words below which pages do not say it again."""

STEM = 4
"""Letters by which words are compared, without a last "s": "live" and "lives", "eat" and "eats"."""


def chosen(numbers: Sequence[int], text: str, pages: Sequence[Page]) -> list[Page]:
    """The pages of these numbers, in their own order; numbers out of range are passed over.

    Small models number pages wrongly. Where none is left, it is the page that says most of the
    text, if one does.
    """
    named = [page for number, page in enumerate(pages, 1) if number in numbers]
    if named or not pages:
        return named
    said = [_share(text, f"{page.user_input}\n{page.agent_response}") for page in pages]
    best = max(range(len(pages)), key=said.__getitem__)
    return [pages[best]] if said[best] >= SAID_SHARE else []


def said_by_user(pages: Iterable[Page]) -> list[str]:
    """What users say in these pages, or the assistant where they say nothing."""
    return [page.user_input if page.user_input.strip() else page.agent_response for page in pages]


def said_by_both(pages: Iterable[Page]) -> list[str]:
    return [text for page in pages for text in (page.user_input, page.agent_response)]


def is_of_user(text: str, sources: Sequence[Page]) -> bool:
    """Whether a statement about "the assistant" is what the user said, and names no assistant."""
    if names_assistant().search(text):
        return False
    by_user = _share(text, "\n".join(page.user_input for page in sources))
    by_assistant = _share(text, "\n".join(page.agent_response for page in sources))
    return by_user >= SAID_SHARE and by_user > by_assistant


def self_contained(text: str, about: About, at: datetime) -> str:
    """A statement in the first person, as small models copy it, in the third, or with who said it;
    with the dates of "yesterday" and the like.

    at: when it was said, in the zone of who said it.
    """
    told = restated(text, at) if about is About.USER else []
    return told[0].text if len(told) == 1 else quoted(text, about, at)


def quoted(text: str, about: About, at: datetime) -> str:
    """The same, always with who said it."""
    return resolve_relative(_with_speaker(text, about), at)


def restated(text: str, at: datetime, *, loosely: bool = False) -> list[FactDraft]:
    """What rules make of a statement in the first person, if they leave out nothing of it.

    loosely: they may leave out "again", "since May" and the like, which do not make it another one.
    """
    drafts = read_by_rules(text, at)
    whole = _without_weight().sub("", text) if loosely else text
    return drafts if _share(whole, " ".join(draft.text for draft in drafts)) == 1 else []


def read_by_rules(text: str, at: datetime) -> list[FactDraft]:
    """What rules make of a statement in the first person of the user."""
    if not first_person().match(text):
        return []
    page = Page(
        key=0,
        id="",
        user_input=text,
        agent_response="",
        at=at.astimezone(UTC),
        meta_data={},
        segment_key=None,
    )
    return [draft for draft in facts_of([page], at.tzinfo or UTC) if draft.about is About.USER]


def statements(text: str) -> list[str]:
    """The statements of a copied turn ("I'm 37. I live in Coimbra."), as small models copy turns
    whole.

    The text itself where one leans on another ("I had a cat. I called her ..."), where it may be
    no more than supposed or told, and where it is longer than any turn of statements.
    """
    first, *others = dict.fromkeys(sentences(text[: LONGEST_TURN + 1])) or [text]
    whole = len(text) > LONGEST_TURN or len(others) >= MOST_STATEMENTS or _unreal().search(text)
    lean = any(not first_person().match(said) or _leans().search(said) for said in others)
    return [text] if whole or lean else [first, *others]


def is_recital(texts: Sequence[str], known: Sequence[str], pages: Sequence[Page]) -> bool:
    """Whether at least half of an answer says what was shown as known, and not what pages say.

    Small models go through the known statements, one a page, in the place of the pages. In another
    script than the pages' a statement may well confirm what they say.
    """
    script = language_of(pages)
    held = [told for text in known if (told := normalised(text)) and script_of(text) == script]
    said = "\n".join(said_by_both(pages))
    recited = [
        text
        for text in texts
        if any(_is_most_of(normalised(text), one) for one in held)
        and _share(text, said) < HARDLY_SAID
    ]
    return len(recited) >= RECITED_FROM and 2 * len(recited) >= len(texts)


def _is_most_of(told: str, known: str) -> bool:
    """Whether it is the known text, or that without who said it."""
    return told in known and 2 * len(told) >= len(known)


def is_passed_on(text: str, pages: Iterable[Page]) -> bool:
    """Whether a statement in the first person is a copy of what users only pass on: somebody's
    mail, a text to proofread.
    """
    if not first_person().match(text):
        return False
    said = [page.user_input for page in pages]
    return is_copy(text, said) and not is_copy(text, map(own_words, said))


def is_copy(text: str, said: Iterable[str]) -> bool:
    """Whether somebody said a text word for word."""
    copy = normalised(text)
    return any(copy in normalised(part) for part in said)


def _with_speaker(text: str, about: About) -> str:
    if not first_person().match(text):
        return text
    if _kana().search(text):
        return f"{'ユーザー' if about is About.USER else 'アシスタント'}の発言：「{text}」"
    if re.search(f"[{HAN}]", text):
        return f"{'用户' if about is About.USER else '助手'}说：“{text}”"
    return f'The {about} said: "{text}"'


def _share(text: str, said: str) -> float:
    """The share of a text's content words that were said."""
    words, theirs = _stems(text), _stems(said)
    return len(words & theirs) / len(words) if words else 0.0


def _stems(text: str) -> set[str]:
    return {term.removesuffix("s")[:STEM] for term in content_terms(text)}


@cache
def names_assistant() -> re.Pattern[str]:
    return re.compile(r"\bassistant\b|\bAI\b|助手|アシスタント|人工智能", re.I)


@cache
def first_person() -> re.Pattern[str]:
    return re.compile(
        r"(?:I|I['’](?:m|ve|d|ll)|My|We|Our|[A-Z][\w-]+ and I)\b|我|私(?![立有鉄的])|僕|俺"
    )


@cache
def _without_weight() -> re.Pattern[str]:
    """What may be left out without making a statement another one."""
    return re.compile(
        r",? *\b(?:again|any ?more|now|currently|these days|nowadays|finally|actually|by now"
        r"|since [\w ]+?)(?=[.,!;]|$)|\b(?:now|again|currently) (?=\w)"
        "|(?<=我)(?:又|现在|如今|已经)",
        re.I,
    )


@cache
def _unreal() -> re.Pattern[str]:
    """A word of what is supposed, dreamt or told of somebody else, or was so once."""
    return re.compile(
        r"\b(?:if|would|could|might|dream(?:s|t|ed)?|novels?|stor(?:y|ies)|games?|plays?|lyrics|pretend"
        r"|suppose|imagine|maybe|perhaps|when i was|as a child|used to|wish)\b"
        "|如果|要是|假如|也许|梦|夢|小说|小説|故事|游戏|会|小时候|もし|かも|物語",
        re.I,
    )


@cache
def _leans() -> re.Pattern[str]:
    """A word for what another sentence is about."""
    return re.compile(
        r"\b(?:he|him|his|she|her|hers|it|its|they|them|their|this|that|these|those|there|then|so"
        r"|too|also|one|ones|both|neither|not)\b|[他她它這这那哪也]|それ|これ|あれ|そこ|ここ|彼",
        re.I,
    )


@cache
def _kana() -> re.Pattern[str]:
    return re.compile(f"[{HIRAGANA}{KATAKANA}]")
