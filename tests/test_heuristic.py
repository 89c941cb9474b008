"""Facts that are read without a language model: what must come out, and what must not."""

import json
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from memory_core.heuristic import facts_of, profile_lines
from memory_core.records import About, Fact, FactDraft, Page

AT = datetime(2023, 5, 9, 12, 0, tzinfo=UTC)
GOLDEN: dict[str, list[tuple[str, list[str]]]] = json.loads(
    Path(__file__).with_name("golden_facts.json").read_text(encoding="utf-8")
)


def page(said: str = "", answered: str = "", key: int = 1, at: datetime = AT) -> Page:
    return Page(
        key=key,
        id=f"page-{key}",
        user_input=said,
        agent_response=answered,
        at=at,
        meta_data={},
        segment_key=None,
    )


def texts(*pages: Page) -> list[str]:
    return [draft.text for draft in facts_of(pages)]


def only(said: str = "", answered: str = "") -> FactDraft:
    (draft,) = facts_of([page(said, answered)])
    return draft


def fact(key: int, section: str, *, pinned: bool = False, by: str | None = None) -> Fact:
    return Fact(
        key=key,
        id=f"fact-{key}",
        about=About.USER,
        text=f"Statement {key}.",
        at=AT + timedelta(days=key),
        recorded_at=AT,
        confidence=0.6,
        attribute="",
        section=section,
        made_by="heuristic",
        pinned=pinned,
        superseded_by=by,
        source_ids=(f"page-{key}",),
    )


@pytest.mark.parametrize(
    ("said", "facts"),
    [
        pytest.param(*case, id=f"{name}-{n}")
        for name in GOLDEN
        for n, case in enumerate(GOLDEN[name])
    ],
)
def test_a_message_states_exactly_these_facts(said: str, facts: list[str]) -> None:
    assert texts(page(said)) == facts


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("I live in Lisbon.", "Actually, I now live in Ghent."),
        ("I live in Lisbon.", "I don't live in Lisbon anymore."),
        ("I live in Lisbon.", "我搬到成都了。"),
        ("I like coffee.", "I no longer like coffee."),
        ("I love watching movies.", "I don't enjoy movies."),
        ("I don't eat meat.", "I eat meat again."),
        ("I'm allergic to cats.", "I'm no longer allergic to cats."),
        ("I'm vegan.", "I'm not vegan anymore."),
        ("I work as a nurse.", "I became a teacher."),
        ("I work for Acme.", "I no longer work for Acme."),
        ("My favourite colour is teal.", "My favorite colour is grey."),
        ("My name is Ana.", "我叫李雪。"),
        ("I don't smoke.", "I stopped smoking."),
        ("Please always answer in French.", "From now on, answer in German."),
        ("我住在杭州。", "我不再住在杭州了。"),
        ("我喜欢喝咖啡。", "我不再喜欢咖啡了。"),
        ("我最喜欢的颜色是红色。", "我最喜欢的颜色是蓝色。"),
        ("我今年28岁。", "我今年29岁。"),
        ("请以后都用中文回答。", "以后请用英文回答。"),
        ("東京に住んでいます。", "大阪に引っ越しました。"),
        ("I work for Acme.", "I left Acme."),
        ("I work as a baker.", "I quit Acme last month."),
        ("I work as a baker.", "I no longer work for Acme."),
        ("I work for Acme.", "I quit my job."),
        ("I work for Acme.", "I joined Globex last month."),
        ("I work for Acme.", "I've got a new job at Globex!"),
        ("I don't eat pork.", "I started eating pork again."),
        ("I stopped smoking.", "I started smoking again."),
        ("I'm married.", "I broke up with Tom."),
        ("My name is Al.", "My name isn't Al."),
        ("I live in Lisbon.", "We moved to Dresden last weekend!"),
        ("我在阿里工作。", "我离职了。"),
        ("我是一名老师。", "我从实验中学离职了。"),
        ("我在阿里工作。", "我换到美团工作了。"),
        ("我不吃猪肉。", "我又开始吃猪肉了。"),
        ("我戒烟了。", "我又开始抽烟了。"),
        ("我结婚了。", "我和男朋友分手了。"),
    ],
)
def test_a_newer_statement_shares_the_attribute_it_supersedes(before: str, after: str) -> None:
    old, now = only(before), {draft.attribute: draft for draft in facts_of([page(after)])}
    assert old.attribute
    assert now[old.attribute].text != old.text


@pytest.mark.parametrize(
    ("said", "section"),
    [
        ("My name is Ana.", "identity"),
        ("I love jazz.", "preferences"),
        ("I want to learn Basque.", "goals"),
        ("I'm married.", "relationships"),
        ("I work as a nurse.", "work"),
        ("I have asthma.", "health"),
        ("I prefer short answers.", "communication style"),
        ("Never use emojis.", "standing instructions"),
        ("I own a sailboat.", "other"),
        ("请以后都用中文回答。", "standing instructions"),
        ("我有高血压。", "health"),
        ("我打算考研。", "goals"),
    ],
)
def test_a_fact_is_put_into_its_section(said: str, section: str) -> None:
    assert only(said).section == section


@pytest.mark.parametrize(
    ("answered", "text"),
    [
        ("I'm your travel planner.", "The assistant is the user's travel planner."),
        ("My name is Juno.", "The assistant's name is Juno."),
        (
            "I'll remind you about the visa.",
            "The assistant promised to remind the user about the visa.",
        ),
        ("I recommend trying yoga.", "The assistant suggested trying yoga."),
        (
            "I suggest that you rest your knee.",
            "The assistant suggested that the user rest the user's knee.",
        ),
        ("我会提醒你明天开会。", "助手答应提醒用户明天（2023-05-10）开会。"),
        ("那我推荐《小王子》。", "助手向用户推荐《小王子》。"),
        ("我建议你每天散步。", "助手建议用户每天散步。"),
        ("我是你的AI伴侣。", "助手是用户的AI伴侣。"),
    ],
)
def test_an_answer_states_what_the_assistant_is_and_promises(answered: str, text: str) -> None:
    draft = only(answered=answered)
    assert (draft.about, draft.text) == (About.ASSISTANT, text)


@pytest.mark.parametrize(
    "answered",
    [
        "Would you like me to recommend a film?",
        "I live in the cloud and I like helping.",
        "As an AI, I can't go for a walk.",
        "我可以推荐一些书给你。",
        "你喜欢绘画吗？",
    ],
)
def test_small_talk_of_the_assistant_states_nothing(answered: str) -> None:
    assert facts_of([page(answered=answered)]) == []


def test_a_fact_carries_its_page_its_time_and_a_modest_confidence() -> None:
    draft = only("I live in Lisbon.")
    assert (draft.about, draft.at, draft.source_keys) == (About.USER, AT, (1,))
    assert 0 < draft.confidence < 1


def test_a_repeated_statement_gathers_its_sources() -> None:
    later = page("I love tea!", key=2, at=AT + timedelta(days=1))
    (draft,) = facts_of([later, page("I love tea.")])
    assert draft.source_keys == (1, 2)
    assert draft.at == AT


def test_a_statement_that_returns_after_its_opposite_is_told_again() -> None:
    said = ("I like coffee.", "I no longer like coffee.", "I like coffee.")
    pages = [page(text, key=n, at=AT + timedelta(days=n)) for n, text in enumerate(said)]
    assert texts(*pages) == [
        "The user likes coffee.",
        "The user no longer likes coffee.",
        "The user likes coffee.",
    ]


def test_the_later_of_two_statements_in_one_message_counts() -> None:
    assert texts(page("I live in Lyon. Sorry, I live in Nice.")) == ["The user lives in Nice."]


def test_leaving_one_employer_does_not_end_the_next() -> None:
    assert texts(page("I joined Globex. I no longer work for Acme.")) == [
        "The user joined Globex.",
        "The user left their previous job.",
    ]


def test_a_long_pasted_text_states_nothing_but_its_short_ends_may() -> None:
    novel = "It was late. My name is Ishmael. I live in Nantucket. " * 100
    assert texts(page(novel)) == []
    assert texts(page(f"I live in Oslo.\n\n{novel}\n\nI love whales.")) == [
        "The user lives in Oslo.",
        "The user loves whales.",
    ]


def test_no_page_has_more_facts_than_a_reader_would_want() -> None:
    boast = " ".join(f"I love game{n}." for n in range(99))
    assert len(facts_of([page(boast)])) <= 12


@pytest.mark.parametrize(
    "text",
    [
        *("", "\ud800", "\0\x07", "😀" * 999, "@" * 5000, "。" * 5000, "I like " + "a, " * 3000),
        *("我喜欢" + "、" * 3000, "I am very " * 900, "```" * 999, '"' * 5000, "x" * 500_000),
        *(
            "please always " * 500,
            "我是我的" * 900,
            "私は" * 2000,
            "<a>" * 2000,
            "I live in " * 900,
        ),
        *("he wrote " * 900, "I left " + "Acme of " * 900, "Emma is allergic to " * 400),
        *("just kidding, " * 900, "haha, " * 1300, "哈" * 8000, "Hi,\n" * 2000, "这是" * 4000),
        *("bio of " * 1200, "my dog Rex, " * 900, "Dear " * 1600, "a:\n" * 3000, "not, " * 2000),
    ],
)
def test_no_message_is_too_odd_or_too_long(text: str) -> None:
    started = time.process_time()
    assert len(facts_of([page(text, text)])) <= 15
    assert time.process_time() - started < 2


def test_the_profile_begins_with_standing_instructions_and_the_newest() -> None:
    sections = ("goals", "standing instructions", "identity", "identity", "no such section")
    lines = profile_lines([fact(n, section) for n, section in enumerate(sections)])
    assert [(line.section, line.text) for line in lines] == [
        ("standing instructions", "Statement 1."),
        ("identity", "Statement 3."),
        ("identity", "Statement 2."),
        ("goals", "Statement 0."),
        ("other", "Statement 4."),
    ]
    assert lines[0].source_ids == ("page-1",)


def test_the_profile_holds_current_facts_about_the_user_only() -> None:
    assert profile_lines([fact(1, "goals", by="fact-2")]) == ()
    assert profile_lines([]) == ()


def test_a_crowded_profile_keeps_pinned_facts_instructions_and_health() -> None:
    crowd = [fact(n, "preferences") for n in range(10, 99)]
    kept = [fact(1, "goals", pinned=True), fact(2, "health"), fact(3, "standing instructions")]
    lines = profile_lines([*kept, *crowd])
    assert len(lines) == 40
    assert {"Statement 1.", "Statement 2.", "Statement 3.", "Statement 98."} <= {
        line.text for line in lines
    }
