"""The nouns: what the tiers hold and what recall returns.

All are frozen. Times are aware UTC datetimes. `key` is the row in the store, `id` the public name.
A draft is what a decision produces; the record of the same name is what the store made of it.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from typing import Any

HEURISTIC = "heuristic"
"""`made_by` of whatever was distilled by rules; otherwise it is the model's name."""


class Kind(StrEnum):
    """Kinds of memory that are searched. One id space and one index hold them all."""

    PAGE = "page"
    SEGMENT = "segment"
    FACT = "fact"


class Tier(StrEnum):
    """Where an item is in the walk short -> mid -> long."""

    SHORT = "short"
    MID = "mid"
    LONG = "long"


class About(StrEnum):
    """Whom a fact is about."""

    USER = "user"
    ASSISTANT = "assistant"


def require_utc(value: datetime, name: str) -> None:
    """Refuse a naive datetime: it means another moment on every machine."""
    if value.tzinfo is None or value.utcoffset() != UTC.utcoffset(None):
        raise ValueError(f"{name} must be an aware UTC datetime, got {value!r}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """Whose memory: one user with one assistant, within a cube (namespace)."""

    user_id: str
    assistant_id: str
    cube: str = "default"


@dataclass(frozen=True, slots=True, kw_only=True)
class PageDraft:
    """One dialogue turn as it comes in; one of the two sides may be empty."""

    user_input: str
    agent_response: str
    at: datetime
    meta_data: Mapping[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        require_utc(self.at, "at")


@dataclass(frozen=True, slots=True, kw_only=True)
class Page:
    """A stored dialogue turn, verbatim (paper 3.2: dialogue page).

    Without a segment it is short-term memory, with one mid-term.
    """

    key: int
    id: str
    user_input: str
    agent_response: str
    at: datetime
    meta_data: Mapping[str, Any]
    segment_key: int | None

    @property
    def tier(self) -> Tier:
        return Tier.SHORT if self.segment_key is None else Tier.MID

    @property
    def text(self) -> str:
        """Both sides, as they are embedded and shown to a model."""
        return both_sides(self.user_input, self.agent_response)


def both_sides(user_input: str, agent_response: str) -> str:
    """A turn as one text, without a side that is empty."""
    sides = (("User", user_input), ("Assistant", agent_response))
    return "\n".join(f"{name}: {side}" for name, side in sides if side)


@dataclass(frozen=True, slots=True, kw_only=True)
class Topic:
    """Pages of one batch that belong together, with what was distilled from them."""

    title: str
    summary: str
    keywords: tuple[str, ...]
    page_keys: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Segment:
    """A topic and its pages (paper 3.2: segment).

    visits: recalls since the last digest (N_visit); undigested: pages not yet digested
    (L_interaction); last_visit_at: newest recall or page. Heat is computed from these three.
    news: an undigested page states something that long-term memory must not be without.
    """

    key: int
    id: str
    title: str
    summary: str
    keywords: tuple[str, ...]
    visits: int
    last_visit_at: datetime
    pages: int
    undigested: int
    news: bool
    made_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class FactDraft:
    """A statement worth keeping, before the store knows it.

    attribute: what of its subject it states, when that can have one value only ("home"), else "".
    replaces: keys of current facts that this one makes untrue.
    ended: what is over, when that is all that is said: what else has the attribute stands.
    """

    about: About
    text: str
    at: datetime
    source_keys: tuple[int, ...]
    confidence: float = 1.0
    attribute: str = ""
    section: str = ""
    replaces: tuple[int, ...] = ()
    ended: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Fact:
    """A stored statement about the user or the assistant.

    at: when it became true, as far as its source tells; superseded_by: id of the fact that is
    true instead, or None while it is current; source_ids: pages it comes from, oldest first.
    """

    key: int
    id: str
    about: About
    text: str
    at: datetime
    recorded_at: datetime
    confidence: float
    attribute: str
    section: str
    made_by: str
    pinned: bool
    superseded_by: str | None
    source_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileLine:
    """One statement of a profile, with its section and the pages it comes from."""

    section: str
    text: str
    at: datetime
    confidence: float
    source_ids: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Profile:
    """One version of what is known about the user. Versions are never overwritten."""

    id: str
    version: int
    lines: tuple[ProfileLine, ...]
    at: datetime
    made_by: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Added:
    """The answer to an add: the page is committed.

    short_term_count: pages in the window; pending: pages beyond it that wait for consolidation.
    """

    id: str
    at: datetime
    short_term_count: int
    pending: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Excerpt:
    """What is shown of a long page: whole sentences, with "…" for what is left out."""

    user_input: str
    agent_response: str


@dataclass(frozen=True, slots=True, kw_only=True)
class PageHit:
    """A recalled page; score in 0..1, best first; why: each channel's share of the score.

    superseded_by: current statements that have replaced something this page says.
    guess: nothing makes sure that it has to do with the question.
    shown: what of the page goes into a reply; None: all of it.
    """

    page: Page
    score: float
    why: Mapping[str, float]
    superseded_by: tuple[str, ...] = ()
    guess: bool = False
    shown: Excerpt | None = None

    @property
    def sides(self) -> tuple[str, str]:
        """What the user and the assistant said, as it is shown."""
        shown = self.shown or self.page
        return shown.user_input, shown.agent_response

    @property
    def excerpt(self) -> str:
        """The page as it is shown, in the form of `Page.text`."""
        return both_sides(*self.sides)


@dataclass(frozen=True, slots=True, kw_only=True)
class FactHit:
    """A recalled fact; score and why as in `PageHit`."""

    fact: Fact
    score: float
    why: Mapping[str, float]


@dataclass(frozen=True, slots=True, kw_only=True)
class Recollection:
    """What all tiers know about a query, as far as it fits the tokens that were asked for.

    short_term: the window, oldest first; pages in it that do not fit the query score 0.
    notes: sentences for a person about what is missing and why ("answered by words only, ...").
    left_out: ids of what else was found, best first; `MemoryCore.read_memory` gives them.
    profile_lines_left_out: how many lines of the profile are not in `profile`.
    """

    query: str
    at: datetime
    profile: Profile | None
    short_term: tuple[PageHit, ...]
    pages: tuple[PageHit, ...]
    user_facts: tuple[FactHit, ...]
    assistant_facts: tuple[FactHit, ...]
    pending: int
    notes: tuple[str, ...]
    left_out: tuple[str, ...] = ()
    profile_lines_left_out: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class ProfileView:
    """The profile with the facts behind it; `profile` is None before the first digest."""

    profile: Profile | None
    user_facts: tuple[Fact, ...]
    assistant_facts: tuple[Fact, ...]
    pending: int
    notes: tuple[str, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Response:
    """An answer by the model, and the recollection it was given."""

    text: str
    recollection: Recollection


@dataclass(frozen=True, slots=True, kw_only=True)
class FailedJob:
    """Work that failed and waits for its next try, or is parked for good (not_before None)."""

    kind: str
    attempts: int
    last_error: str
    not_before: datetime | None
