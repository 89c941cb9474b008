"""The reply as it is read, held to the tokens that were asked for."""

from dataclasses import replace
from datetime import timedelta, timezone

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core import Recollection
from memory_core.token_budget import fit, fit_whole
from memory_core.tokens import estimate_tokens
from server.compact import items_text, recollection_text
from server.wording import NOTHING_FITS
from tests.test_token_budget import EMPTY, fact_hit, page, page_hit, profile, recollections

LONG_NAME = timezone(timedelta(0), "America/Argentina/ComodRivadavia")
SOME = "We met at the station in Porto, had coffee, and talked about the new job of my sister. "


def guaranteed(everything: Recollection) -> int:
    """Tokens of what is in a reply whatever happens, as text."""
    least = fit(everything, 100)
    return estimate_tokens(recollection_text(replace(least, left_out=()), LONG_NAME))


@settings(max_examples=60, deadline=None)
@given(recollections(), st.integers(100, 3_000))
def test_a_reply_takes_no_more_than_was_asked_for_but_for_what_is_always_there(
    everything: Recollection, max_tokens: int
) -> None:
    text = recollection_text(fit(everything, max_tokens), LONG_NAME)
    assert estimate_tokens(text) <= max(max_tokens, guaranteed(everything) + 65)


def test_a_small_budget_holds_with_a_profile_of_many_lines() -> None:
    everything = replace(
        EMPTY,
        query="zebra",
        profile=profile(*[("identity", "I live in Lisbon.")] * 5),
        short_term=(page_hit(page(100, "I live in Lisbon.", "I live in Lisbon."), 0.0),),
        pages=(page_hit(page(200, "I live in Lisbon.", "I live in Lisbon."), 0.0),),
    )
    assert estimate_tokens(recollection_text(fit(everything, 181), LONG_NAME)) <= 181


@settings(max_examples=40, deadline=None)
@given(recollections(), st.integers(500, 10_000))
def test_so_does_a_reply_with_items_that_were_asked_for_by_id(
    everything: Recollection, max_tokens: int
) -> None:
    asked = replace(everything, profile=None, short_term=())
    assert estimate_tokens(items_text(fit_whole(asked, max_tokens), LONG_NAME)) <= max_tokens


def test_where_only_what_is_always_shown_is_shown_it_says_that_nothing_fits() -> None:
    shown = replace(
        EMPTY,
        profile=profile(("identity", "The user is called Ana.")),
        short_term=(page_hit(page(1, "Rain again.", ""), 0.0),),
    )
    assert recollection_text(shown).endswith(NOTHING_FITS)
    for found in (
        replace(shown, pages=(page_hit(page(2, "Tea.", ""), 0.5),)),
        replace(shown, user_facts=(fact_hit(3, "The user drinks tea.", 0.5),)),
        replace(shown, short_term=(page_hit(page(1, "Rain again.", ""), 0.4),)),
    ):
        assert NOTHING_FITS not in recollection_text(found)


@pytest.mark.parametrize(
    "said", [SOME, "我们在波尔图的车站见面，喝了咖啡。", "駅で会って、話しました。🎉"]
)
def test_a_full_memory_fills_the_reply(said: str) -> None:
    everything = replace(
        EMPTY,
        profile=profile(*[("identity", f"{n} {said}") for n in range(50)]),
        short_term=tuple(page_hit(page(900 + n, said * 3, said), 0.0) for n in range(7)),
        pages=tuple(page_hit(page(n, said, said * 2), 0.9 - n / 100) for n in range(40)),
        user_facts=tuple(fact_hit(500 + n, said, 0.9 - n / 100) for n in range(40)),
        notes=("Answered by words only.",),
    )
    tokens = estimate_tokens(recollection_text(fit(everything, 1_500)))
    assert 1_250 < tokens <= 1_500
