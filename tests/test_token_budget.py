"""What goes into a reply of so many tokens."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

from hypothesis import given, settings
from hypothesis import strategies as st

from memory_core.records import (
    About,
    Fact,
    FactHit,
    Page,
    PageHit,
    Profile,
    ProfileLine,
    Recollection,
)
from memory_core.token_budget import fit, fit_whole
from memory_core.tokens import estimate_tokens

NOON = datetime(2024, 5, 31, 12, tzinfo=UTC)
LONG = "The weather was nice today and we walked along the river for an hour or two. "
TEXTS = [
    *(
        "I live in Lisbon.",
        "我住在里斯本，我的狗叫托比。",
        "昨日、寿司を食べました。",
        "🎉👩‍👩‍👧🇵🇹",
    ),
    *(LONG * 20, "今天天气很好，我们沿着河散步。" * 30, "x" * 3_000, "line\n" * 300),
]
SECTIONS = ["identity", "standing instructions", "interests"]


def page(key: int, user_input: str = "I live in Lisbon.", agent_response: str = "") -> Page:
    return Page(
        key=key,
        id=f"page_{key:012}",
        user_input=user_input,
        agent_response=agent_response,
        at=NOON + timedelta(minutes=key),
        meta_data={},
        segment_key=None,
    )


def page_hit(made: Page, score: float = 0.5, since: tuple[str, ...] = ()) -> PageHit:
    return PageHit(page=made, score=score, why={}, superseded_by=since)


def fact_hit(key: int, text: str, score: float = 0.5, about: About = About.USER) -> FactHit:
    fact = Fact(
        key=key,
        id=f"fact_{key:012}",
        about=about,
        text=text,
        at=NOON,
        recorded_at=NOON,
        confidence=1.0,
        attribute="",
        section="",
        made_by="stub",
        pinned=False,
        superseded_by=None,
        source_ids=(),
    )
    return FactHit(fact=fact, score=score, why={})


def profile(*lines: tuple[str, str]) -> Profile:
    made = tuple(
        ProfileLine(section=section, text=text, at=NOON, confidence=1.0, source_ids=())
        for section, text in lines
    )
    return Profile(id="profile_1", version=12, lines=made, at=NOON, made_by="heuristic")


EMPTY = Recollection(
    query="Where does the zebra live?",
    at=NOON,
    profile=None,
    short_term=(),
    pages=(),
    user_facts=(),
    assistant_facts=(),
    pending=0,
    notes=(),
)


def texts(found: Recollection) -> list[str]:
    assert found.profile is not None
    return [line.text for line in found.profile.lines]


def test_what_fits_is_shown_as_it_is() -> None:
    everything = replace(
        EMPTY,
        profile=profile(("identity", "Lives in Lisbon.")),
        short_term=(page_hit(page(9), 0.0),),
        pages=(page_hit(page(1)), page_hit(page(2))),
        user_facts=(fact_hit(3, "The user lives in Lisbon."),),
        notes=("A note.",),
    )
    assert fit(everything, 1_500) == everything


def test_the_best_of_each_kind_comes_before_the_second_of_any() -> None:
    pages = tuple(page_hit(page(n, LONG * 3), 0.9 - n / 100) for n in range(20))
    facts = tuple(fact_hit(100 + n, LONG, 0.2 - n / 100) for n in range(10))
    shown = fit(replace(EMPTY, pages=pages, user_facts=facts[:5], assistant_facts=facts[5:]), 500)
    assert shown.pages == pages[: len(shown.pages)]
    assert shown.user_facts == facts[: len(shown.user_facts)]
    assert abs(len(shown.pages) - len(shown.user_facts)) <= 1
    assert shown.left_out[0] == pages[len(shown.pages)].page.id
    assert len(shown.left_out) == 30 - len(shown.pages) - len(shown.user_facts)


def test_of_pages_that_fit_alike_the_shorter_ones_come_first() -> None:
    long = [page_hit(page(n, LONG * 3), 0.80) for n in range(5)]
    short = [page_hit(page(10 + n), 0.79) for n in range(5)]
    shown = fit(replace(EMPTY, pages=(*long, *short)), 240)
    # The best page is always there; a list keeps the order of its scores.
    assert [hit.page.key for hit in shown.pages] == [0, 10, 11, 12, 13, 14][: len(shown.pages)]
    assert len(shown.pages) >= 4


def test_a_page_that_fits_far_better_comes_first_however_long() -> None:
    pages = [page_hit(page(n, LONG * 3), 0.9) for n in range(3)]
    pages += [page_hit(page(10 + n), 0.5) for n in range(9)]
    shown = fit(replace(EMPTY, pages=tuple(pages)), 400)
    assert {0, 1, 2} <= {hit.page.key for hit in shown.pages}


def test_the_best_page_is_there_though_a_shorter_one_is_worth_more() -> None:
    pages = (page_hit(page(1, LONG * 30), 0.80), page_hit(page(2), 0.79))
    assert fit(replace(EMPTY, pages=pages), 100).pages[0].page.key == 1


def test_a_turn_of_the_window_that_fits_the_question_has_the_place_of_its_score() -> None:
    window = tuple(page_hit(page(50 + n, LONG * 3), 0.0) for n in range(6))
    related = (*window[:2], page_hit(page(52, LONG * 3), 0.85), *window[3:])
    pages = tuple(page_hit(page(n, LONG * 3), 0.9 - n / 10) for n in range(6))
    shown = fit(replace(EMPTY, short_term=related, pages=pages), 350)
    assert [hit.page.key for hit in shown.short_term] == [52, 55]
    assert [hit.page.key for hit in shown.pages] == [0]


def test_the_rest_of_the_window_is_filled_from_its_newest_turn() -> None:
    window = tuple(page_hit(page(n, LONG * 3), 0.0) for n in range(7))
    shown = fit(replace(EMPTY, short_term=window), 400)
    assert shown.short_term == window[-len(shown.short_term) :]
    assert 1 < len(shown.short_term) < 7
    assert shown.left_out == tuple(
        hit.page.id for hit in reversed(window[: -len(shown.short_term)])
    )


def test_standing_instructions_best_hit_newest_turn_and_notes_are_always_there() -> None:
    everything = replace(
        EMPTY,
        profile=profile(*[("standing instructions", f"{n}: {LONG}") for n in range(20)]),
        short_term=(page_hit(page(8), 0.0), page_hit(page(9), 0.0)),
        pages=(page_hit(page(1, LONG * 50)), page_hit(page(2))),
        notes=("A note. " * 20,),
    )
    shown = fit(everything, 100)
    assert (shown.profile, shown.notes) == (everything.profile, everything.notes)
    assert [hit.page.key for hit in (*shown.short_term, *shown.pages)] == [9, 1]


def test_a_guess_does_not_take_the_place_of_the_best_hit_that_is_none() -> None:
    guess = replace(page_hit(page(1, LONG * 50), 0.6), guess=True)
    everything = replace(EMPTY, pages=(guess, page_hit(page(2, LONG * 50), 0.3)))
    assert [hit.page.key for hit in fit(everything, 100).pages] == [2]
    only = fit(replace(EMPTY, pages=(guess,)), 100)
    assert [hit.page.key for hit in only.pages] == [1]


def test_the_profile_takes_a_fifth_and_begins_with_what_was_asked_about() -> None:
    lines = [("identity", f"{n}: {LONG}") for n in range(30)]
    lines[20] = ("interests", "Likes zebras.")
    lines[25] = ("standing instructions", "Answer briefly.")
    everything = replace(EMPTY, profile=profile(*lines))
    shown = fit(everything, 1_000)
    assert {"Likes zebras.", "Answer briefly.", f"0: {LONG}"} <= set(texts(shown))
    assert texts(shown) == [text for _, text in lines if text in texts(shown)]
    assert 100 < sum(map(estimate_tokens, texts(shown))) < 230
    assert shown.profile_lines_left_out == 30 - len(texts(shown))


def test_a_long_page_does_not_eat_the_budget_but_may_have_what_nobody_needs() -> None:
    long = page_hit(page(1, LONG * 300 + "The zebra lives in Kenya. " + LONG * 300))
    others = tuple(page_hit(page(n, LONG * 4), 0.4) for n in range(2, 30))
    crowded = fit(replace(EMPTY, pages=(long, *others)), 1_500)
    alone = fit(replace(EMPTY, pages=(long,)), 1_500)
    assert len(crowded.pages) > 8
    assert "The zebra lives in Kenya." in crowded.pages[0].excerpt
    assert estimate_tokens(crowded.pages[0].excerpt) < 200
    assert 300 < estimate_tokens(alone.pages[0].excerpt) < 510
    assert alone.pages[0].page == long.page


def test_items_asked_for_by_id_are_whole_while_there_is_room() -> None:
    pages = tuple(page_hit(page(n, LONG * 30), 0.0) for n in range(9))
    shown = fit_whole(replace(EMPTY, pages=pages, user_facts=(fact_hit(99, LONG),)), 2_000)
    assert shown.pages == pages[: len(shown.pages)]
    assert len(shown.user_facts) == 1 and 1 < len(shown.pages) < 9
    assert shown.left_out == tuple(hit.page.id for hit in pages[len(shown.pages) :])


def test_a_page_that_no_reply_can_hold_is_read_in_part() -> None:
    long = page_hit(page(1, "今天天气很好，我们沿着河散步。" * 14_000 + "斑马住在肯尼亚。"), 0.0)
    (hit,) = fit_whole(replace(EMPTY, query="斑马住在哪里？", pages=(long,)), 10_000).pages
    assert hit.shown is not None
    assert "斑马住在肯尼亚。" in hit.excerpt
    assert estimate_tokens(hit.excerpt) <= 10_000


some_text = st.sampled_from(TEXTS)
some_score = st.sampled_from([0.0, 0.2, 0.5, 0.9])


@st.composite
def recollections(draw: st.DrawFn) -> Recollection:
    def pages(first: int) -> tuple[PageHit, ...]:
        drawn = draw(st.lists(st.tuples(some_text, some_text, some_score), max_size=8))
        since = draw(st.sampled_from([(), ("The user lives in Porto now.",)]))
        return tuple(
            page_hit(page(first + n, user, agent), score, since)
            for n, (user, agent, score) in enumerate(drawn)
        )

    def facts(first: int, about: About) -> tuple[FactHit, ...]:
        drawn = draw(st.lists(st.tuples(st.sampled_from(TEXTS[:4]), some_score), max_size=8))
        hits = [fact_hit(first + n, *each, about) for n, each in enumerate(drawn)]
        return tuple(sorted(hits, key=lambda hit: -hit.score))

    lines = draw(
        st.lists(st.tuples(st.sampled_from(SECTIONS), st.sampled_from(TEXTS[:4])), max_size=20)
    )
    return replace(
        EMPTY,
        query=draw(st.sampled_from(["zebra", "里斯本", "Where do I live?"])),
        profile=profile(*lines) if lines else None,
        short_term=pages(100),
        pages=tuple(sorted(pages(200), key=lambda hit: -hit.score)),
        user_facts=facts(300, About.USER),
        assistant_facts=facts(400, About.ASSISTANT),
        notes=draw(st.sampled_from([(), ("Answered by words only.",)])),
    )


def ids(found: Recollection) -> list[str]:
    pages = [hit.page.id for hit in (*found.short_term, *found.pages)]
    return pages + [hit.fact.id for hit in (*found.user_facts, *found.assistant_facts)]


@settings(max_examples=60, deadline=None)
@given(recollections(), st.integers(100, 3_000))
def test_nothing_is_lost_or_doubled_and_each_list_keeps_its_order(
    everything: Recollection, max_tokens: int
) -> None:
    shown = fit(everything, max_tokens)
    assert sorted([*ids(shown), *shown.left_out]) == sorted(ids(everything))
    assert ids(shown) == [id for id in ids(everything) if id in ids(shown)]
    if everything.short_term:
        assert shown.short_term[-1].page == everything.short_term[-1].page
