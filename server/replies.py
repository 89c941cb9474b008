"""What the tools return, as data: the models behind the output schemas, and records to models."""

import json
from collections.abc import Iterable, Mapping
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict, Field

from memory_core import Added, Fact, FactHit, PageHit, Profile, ProfileView, Recollection
from server.framing import without_surrogates
from server.timestamps import format_timestamp

LONGEST_SIDE = 100_000
"""Characters of a side: a fuse, far beyond what the memory gives within its budget of tokens."""

LONGEST_FACT = 4_000
LONGEST_META_DATA = 1_000
IDS_LISTED = 10
LEAST_SHARE = 0.005
LONGEST_ECHO = 200
"""Characters of the query in the reply to it; who asked knows the rest."""


class Reply(BaseModel):
    model_config = ConfigDict(frozen=True)


class AddReply(Reply):
    """The turn is stored, for good."""

    id: str = Field(description="Id of the stored turn.")
    timestamp: str = Field(description="When the turn happened, ISO 8601 in UTC.")
    short_term_count: int = Field(description="Turns in short-term memory.")
    pending: int = Field(description="Turns that wait to be sorted into topics.")


class PageItem(Reply):
    """A turn of a conversation."""

    id: str
    user_input: str
    agent_response: str
    timestamp: str
    meta_data: dict[str, Any]
    tier: Literal["short", "mid", "long"]
    truncated: bool = Field(description="An excerpt; all can be read by its id.")


class PageHitItem(PageItem):
    """A turn that was found."""

    superseded_by: list[str] = Field(description="What is true now instead.")
    guess: bool = Field(description="It may not fit.")
    score: float = Field(description="0 to 1; 0: it does not fit the query.")
    why: dict[str, float] = Field(description="Shares of the score.")


class FactItem(Reply):
    """A statement about the user or the assistant."""

    id: str
    text: str
    timestamp: str = Field(description="When it became true.")
    tier: Literal["long"]
    sources: list[str] = Field(description="Ids of its turns, oldest first.")
    made_by: str = Field(description='A model, or "heuristic".')
    confidence: float
    superseded_by: str = Field(description="Id of what is true instead.")


class FactHitItem(FactItem):
    """A statement that was found."""

    score: float = Field(description="0 to 1, best first.")
    why: dict[str, float] = Field(description="Shares of the score.")


class Totals(Reply):
    short_term: int
    pages: int
    user_knowledge: int
    assistant_knowledge: int


class RetrieveReply(Reply):
    """What all tiers of the memory know about the query."""

    query: str
    timestamp: str
    user_profile: str = Field(description="Its most useful lines.")
    user_profile_version: int = Field(description="0 while there is none.")
    short_term_memory: list[PageHitItem] = Field(description="The latest turns, oldest first.")
    retrieved_pages: list[PageHitItem]
    retrieved_user_knowledge: list[FactHitItem]
    retrieved_assistant_knowledge: list[FactHitItem]
    pending: int = Field(description="Turns that wait to be sorted into topics.")
    notes: list[str] = Field(description="What is missing, and why.")
    totals: Totals
    left_out: list[str] = Field(description="Ids of the best that did not fit.")


class ProfileReply(Reply):
    """Who the user is, with the facts behind it."""

    user_profile: str = Field(description="Empty while there is none.")
    version: int = Field(description="0 while there is none.")
    timestamp: str = Field(description="When this version was made.")
    made_by: str = Field(description='The model that made it, or "heuristic".')
    user_knowledge: list[FactItem] = Field([], description="Only when asked for.")
    assistant_knowledge: list[FactItem] = Field([], description="Only when asked for.")
    pending: int = Field(description="Turns that wait to be sorted into topics.")
    notes: list[str] = Field(description="What is missing, and why.")


class ConsolidateReply(Reply):
    """How far sorting has come."""

    done: bool = Field(description="False: it goes on in the background.")
    pending: int = Field(description="Turns that wait to be sorted into topics.")
    notes: list[str] = Field(description="What could not be done, and why.")


def output_schema(reply: type[BaseModel]) -> dict[str, Any]:
    """The JSON schema with every definition in place of its reference, and without titles, which
    are the keys once more: definitions take room from the conversation.
    """
    schema = reply.model_json_schema()
    definitions = schema.pop("$defs", {})
    inlined: dict[str, Any] = _inline(schema, definitions)
    return inlined


def _inline(node: Any, definitions: Mapping[str, Any]) -> Any:
    if isinstance(node, list):
        return [_inline(item, definitions) for item in node]
    if not isinstance(node, dict):
        return node
    if "$ref" in node:
        return _inline(definitions[node["$ref"].rsplit("/", 1)[1]], definitions)
    return {
        key: _inline(item, definitions)
        for key, item in node.items()
        if not (key == "title" and isinstance(item, str))
        and not (key == "additionalProperties" and item is True)
    }


def add_reply(added: Added) -> AddReply:
    return AddReply(
        id=added.id,
        timestamp=format_timestamp(added.at),
        short_term_count=added.short_term_count,
        pending=added.pending,
    )


def retrieve_reply(found: Recollection) -> RetrieveReply:
    return RetrieveReply(
        query=cut(found.query, LONGEST_ECHO),
        timestamp=format_timestamp(found.at),
        user_profile=profile_text(found.profile),
        user_profile_version=found.profile.version if found.profile else 0,
        short_term_memory=[_page_hit(hit) for hit in found.short_term],
        retrieved_pages=[_page_hit(hit) for hit in found.pages],
        retrieved_user_knowledge=[_fact_hit(hit) for hit in found.user_facts],
        retrieved_assistant_knowledge=[_fact_hit(hit) for hit in found.assistant_facts],
        pending=found.pending,
        notes=list(found.notes),
        totals=Totals(
            short_term=len(found.short_term),
            pages=len(found.pages),
            user_knowledge=len(found.user_facts),
            assistant_knowledge=len(found.assistant_facts),
        ),
        left_out=list(found.left_out[:IDS_LISTED]),
    )


def profile_reply(view: ProfileView, *, user_facts: bool, assistant_facts: bool) -> ProfileReply:
    """The profile; lists that were not asked for stay unset."""
    profile = view.profile
    asked: dict[str, list[FactItem]] = {}
    if user_facts:
        asked["user_knowledge"] = _facts(view.user_facts)
    if assistant_facts:
        asked["assistant_knowledge"] = _facts(view.assistant_facts)
    return ProfileReply(
        user_profile=profile_text(profile),
        version=profile.version if profile else 0,
        timestamp=format_timestamp(profile.at) if profile else "",
        made_by=profile.made_by if profile else "",
        pending=view.pending,
        notes=list(view.notes),
        **asked,
    )


def profile_text(profile: Profile | None) -> str:
    """The lines of a profile under the headings of their sections; empty text for none."""
    sections: dict[str, list[str]] = {}
    for line in profile.lines if profile else ():
        sections.setdefault(clean(line.section), []).append(f"- {clean(line.text)}")
    return "\n\n".join(
        "\n".join([f"## {name}", *lines] if name else lines) for name, lines in sections.items()
    )


def cut(text: str, limit: int) -> str:
    """At most `limit` characters, with an ellipsis for what is gone."""
    text = clean(text[: limit + 1])
    return text if len(text) <= limit else text[: limit - 1] + "…"


def clean(text: str) -> str:
    """The text without lone surrogates, which JSON cannot carry."""
    return text if text.isascii() else str(without_surrogates(text))


def _page_hit(hit: PageHit) -> PageHitItem:
    page = hit.page
    meta_data = without_surrogates(dict(page.meta_data))
    meta_fits = len(json.dumps(meta_data, ensure_ascii=False, default=str)) <= LONGEST_META_DATA
    user_input, agent_response = hit.sides
    return PageHitItem(
        id=page.id,
        user_input=cut(user_input, LONGEST_SIDE),
        agent_response=cut(agent_response, LONGEST_SIDE),
        timestamp=format_timestamp(page.at),
        meta_data=meta_data if meta_fits else {},
        tier=page.tier.value,
        truncated=is_excerpt(hit) or not meta_fits,
        superseded_by=[clean(text) for text in hit.superseded_by],
        guess=hit.guess,
        score=round(hit.score, 3),
        why=_why(hit.why),
    )


def is_excerpt(hit: PageHit) -> bool:
    """Whether a part of the turn is missing where it is shown."""
    return hit.shown is not None or any(len(side) > LONGEST_SIDE for side in hit.sides)


def _facts(facts: Iterable[Fact]) -> list[FactItem]:
    return [FactItem(**_fact(fact)) for fact in facts]


def _fact(fact: Fact) -> dict[str, Any]:
    return {
        "id": fact.id,
        "text": cut(fact.text, LONGEST_FACT),
        "timestamp": format_timestamp(fact.at),
        "tier": "long",
        "sources": list(fact.source_ids),
        "made_by": fact.made_by,
        "confidence": round(fact.confidence, 4),
        "superseded_by": fact.superseded_by or "",
    }


def _fact_hit(hit: FactHit) -> FactHitItem:
    return FactHitItem(**_fact(hit.fact), score=round(hit.score, 3), why=_why(hit.why))


def _why(parts: Mapping[str, float]) -> dict[str, float]:
    """Those shares that move anything: each name and digit takes room from the conversation."""
    return {name: round(share, 2) for name, share in parts.items() if abs(share) >= LEAST_SHARE}


def consolidate_reply(view: ProfileView, done: bool) -> ConsolidateReply:
    return ConsolidateReply(done=done, pending=view.pending, notes=list(view.notes))
