from dataclasses import replace
from datetime import UTC, datetime

import numpy as np

from memory_core import long_term
from memory_core.records import About, Fact, FactDraft, Page
from memory_core.short_term import batched

NOW = datetime(2026, 5, 1, tzinfo=UTC)
HOME = FactDraft(
    about=About.USER,
    text="The user lives in Porto.",
    at=NOW,
    source_keys=(1,),
    attribute="home",
    section="identity",
)
TASTE = replace(HOME, text="The user likes tea.", attribute="taste:tea", section="preferences")


def fact(key: int, text: str, attribute: str = "", about: About = About.USER) -> Fact:
    return Fact(
        key=key,
        id=f"fact_{key}",
        about=about,
        text=text,
        at=NOW,
        recorded_at=NOW,
        confidence=1.0,
        attribute=attribute,
        section="",
        made_by="heuristic",
        pinned=False,
        superseded_by=None,
        source_ids=(),
    )


def page(key: int) -> Page:
    return Page(
        key=key, id=str(key), user_input="u", agent_response="", at=NOW, meta_data={}, segment_key=1
    )


def test_who_the_user_is_is_news_and_a_taste_is_not() -> None:
    assert long_term.is_news([HOME], [])
    assert not long_term.is_news([TASTE], [])
    assert not long_term.is_news([], [fact(1, "The user lives in Porto.", "home")])


def test_what_contradicts_is_news_and_what_repeats_is_not() -> None:
    assert long_term.is_news([TASTE], [fact(1, "The user dislikes tea.", "taste:tea")])
    assert not long_term.is_news([TASTE], [fact(1, "The user likes tea.", "taste:tea")])
    assert not long_term.is_news([HOME], [fact(1, "The user lives in Porto.", "home")])
    other_side = fact(1, "The assistant dislikes tea.", "taste:tea", About.ASSISTANT)
    assert not long_term.is_news([TASTE], [other_side])


def test_a_contradiction_of_what_is_not_digested_yet_is_news() -> None:
    earlier = replace(TASTE, text="The user dislikes tea.")
    assert long_term.is_news([TASTE], [], [earlier])
    assert not long_term.is_news([TASTE], [], [TASTE])


def test_pages_go_to_the_model_in_bounded_runs_in_order() -> None:
    runs = batched([page(key) for key in range(23)], 10)
    assert [len(run) for run in runs] == [10, 10, 3]
    assert [p.key for run in runs for p in run] == [*range(23)]


def test_profile_questions_are_bounded_in_pages_and_in_length() -> None:
    short = [page(key) for key in range(23)]
    runs = long_term.profile_batches(short, 10)
    assert [len(run) for run in runs] == [10, 10, 3]
    assert [p.key for run in runs for p in run] == [*range(23)]
    long = [replace(page(key), user_input="word " * 10_000) for key in range(23)]
    assert [len(run) for run in long_term.profile_batches(long, 40)] == [10, 10, 3]
    assert long_term.profile_batches([], 10) == []


def test_the_known_facts_shown_are_those_nearest_to_any_page() -> None:
    axes = np.eye(4, dtype=np.float32)
    known = [fact(key, f"fact {key}") for key in range(4)]
    vectors = {key: axes[key] for key in range(4)}
    shown = long_term.known_nearby(known, vectors, {10: axes[3], 11: axes[1]}, limit=2)
    assert {f.key for f in shown} == {3, 1}
    assert long_term.known_nearby(known, vectors, {}, limit=2) == (known[2], known[3])
    assert long_term.known_nearby(known, {}, {}, limit=9) == tuple(known)
