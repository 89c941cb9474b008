"""Facts of a reply: only those that hold, each with its sources."""

import logging
from typing import Any

import pytest

from memory_core.junk import Reason, Side
from memory_core.prompts.facts import (
    KNOWN_MAX,
    MOST_FACTS,
    FactsReply,
    facts_question,
    judge_facts,
)
from memory_core.records import About, FactDraft
from tests.prompts.pages import fact, page, pages

PAGES = pages("I live in Kyoto", "I moved to Osaka yesterday", "我对花生过敏")
KNOWN = [fact(1, "The user lives in Nara."), fact(2, "It is called Robo.", About.ASSISTANT)]


def drafts(*items: dict[str, Any]) -> list[FactDraft]:
    return list(judge_facts(FactsReply.model_validate({"facts": list(items)}), PAGES, KNOWN).drafts)


def item(text: str = "The user lives in Osaka.", **more: Any) -> dict[str, Any]:
    return {"about": "user", "text": text, "pages": [2], "confidence": 0.9, **more}


def test_a_fact_comes_with_its_sources_and_the_time_of_the_newest() -> None:
    made = drafts(item(pages=[3, 1], attribute="home", section="Identity", replaces=1))
    assert made == [
        FactDraft(
            about=About.USER,
            text="The user lives in Osaka.",
            at=PAGES[2].at,
            source_keys=(10, 30),
            confidence=0.9,
            attribute="home",
            section="identity",
            replaces=(100,),
        )
    ]


def test_a_copied_turn_becomes_a_fact_for_each_statement() -> None:
    said = pages("I'm Odile. I'm 37 years old. I live in Coimbra.")
    copied = item(said[0].user_input, pages=[1], attribute="about_me")
    reply = FactsReply.model_validate({"facts": [copied]})
    made = judge_facts(reply, said, ()).drafts
    assert [(draft.text, draft.attribute) for draft in made] == [
        ("The user's name is Odile.", "name"),
        ("The user is 37 years old.", "age"),
        ("The user lives in Coimbra.", "home"),
    ]


@pytest.mark.parametrize(
    ("said", "made"),
    [
        (
            "I live in Galway and I work for Corrib Foods.",
            [
                ("The user lives in Galway.", "home"),
                ("The user works for Corrib Foods.", "employer"),
            ],
        ),
        # Rules leave something out: as it was said, and still one of two homes.
        (
            "I live in Galway since the flood.",
            [('The user said: "I live in Galway since the flood."', "home")],
        ),
        ("I never trust a heron.", [('The user said: "I never trust a heron."', "")]),
        (
            "I eat fish again, so I'm not vegan anymore.",
            [("The user eats fish again.", "food:fish"), ("The user is not vegan.", "diet")],
        ),
        ("Rosalind and I broke up.", [("The user broke up with Rosalind.", "relationship status")]),
        ("My dog Rex died.", [("The user's dog Rex died.", "pet rex")]),
        (
            "I gave up learning Romansh.",
            [("The user gave up learning Romansh.", "learning:romansh")],
        ),
        # What is left out makes it another statement.
        ("I live in Capri in summer.", [('The user said: "I live in Capri in summer."', "")]),
        (
            "我住在南京，在一家出版社上班。",
            [("用户住在南京。", "home"), ("用户在一家出版社上班。", "employer")],
        ),
    ],
)
def test_rules_know_of_what_only_one_can_be_true(said: str, made: list[tuple[str, str]]) -> None:
    reply = FactsReply.model_validate({"facts": [item(said, pages=[1])]})
    kept = judge_facts(reply, pages(said), ()).drafts
    assert [(draft.text, draft.attribute) for draft in kept] == made


def test_the_name_that_a_model_has_for_an_attribute_comes_first() -> None:
    said = "My favourite colour is green."
    reply = FactsReply.model_validate(
        {"facts": [item(said, pages=[1], attribute="favorite_color")]}
    )
    (draft,) = judge_facts(reply, pages(said), ()).drafts
    assert draft.text == "The user's favourite colour is green."
    assert draft.attribute == "favorite_color"


def test_what_is_only_over_says_so() -> None:
    said = "I live in Oslo now. I no longer live in Rome."
    reply = FactsReply.model_validate({"facts": [item(said, pages=[1])]})
    made = judge_facts(reply, pages(said), ()).drafts
    assert [(draft.text, draft.attribute, draft.ended) for draft in made] == [
        ('The user said: "I live in Oslo now."', "home", ""),
        ("The user no longer lives in Rome.", "home", "Rome"),
    ]


def test_a_fact_that_replaces_another_stays_in_one_piece() -> None:
    (made,) = drafts(item("I live in Kyoto. I moved to Osaka.", pages=[1, 2], replaces=1))
    assert made.replaces == (100,)


@pytest.mark.parametrize(
    "odd",
    [
        {"pages": []},
        {"pages": [0, 4, -1]},
        {"pages": None},
        {"text": ""},
        {"text": "\x00 \n"},
        {"text": None},
        {"text": "x" * 501},
        {"confidence": 950},
        {"confidence": "surely"},
        {"confidence": None},
        {"about": "the neighbour"},
        {"about": ""},
    ],
)
def test_an_odd_item_is_dropped_alone_and_only_counted(
    odd: dict[str, Any], caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.INFO):
        made = drafts(item("我对花生过敏。", pages=[3]), item(**odd))
    assert [draft.text for draft in made] == ["用户对花生过敏。"]
    assert "1 of 2 facts not taken" in caplog.text
    assert "lives" not in caplog.text


REFUSED = [
    ({"text": ""}, Reason.EMPTY),
    ({"text": "x" * 501}, Reason.TOO_LONG),
    ({"about": "the neighbour"}, Reason.ABOUT_NOBODY),
    ({"pages": [9]}, Reason.NO_SOURCE),
    ({"confidence": "who knows"}, Reason.BAD_CONFIDENCE),
    ({"text": "Where does the user live?"}, Reason.QUESTION),
    ({"text": "Does the user live in Osaka"}, Reason.QUESTION),
    ({"text": "用户住在大阪吗？", "pages": [3]}, Reason.QUESTION),
    ({"text": "ユーザーは大阪に住んでいますか", "pages": [3]}, Reason.QUESTION),
    ({"text": "Osaka"}, Reason.ONE_WORD),
    ({"text": "花生", "pages": [3]}, Reason.ONE_WORD),
    ({"text": "プログラマー", "pages": [3]}, Reason.ONE_WORD),
    ({"text": "The user moved to Zwolle on 2019-03-04."}, Reason.REPEATS_PROMPT),
    ({"text": "The user lives in Zwolle."}, Reason.REPEATS_PROMPT),
    ({"text": "用户2019-03-04搬到了兹沃勒。"}, Reason.REPEATS_PROMPT),
    ({"text": "Invent nothing."}, Reason.REPEATS_PROMPT),
    ({"text": "identity, people, work, health, tastes, possessions"}, Reason.REPEATS_PROMPT),
    (
        {"about": "assistant", "text": "What it is, promised, explained or recommended"},
        Reason.REPEATS_PROMPT,
    ),
    ({"text": "No new facts were found."}, Reason.REPEATS_PROMPT),
    ({"text": "没有新的事实。", "pages": [3]}, Reason.REPEATS_PROMPT),
    ({"text": '{"about": "user", "text": "lives here", "pages": [1]}'}, Reason.JUNK),
    ({"text": "The user sent [code, 120 lines] to the assistant."}, Reason.JUNK),
    ({"text": "As fact_0123456789ab says, the user lives in Osaka."}, Reason.JUNK),
    ({"text": "The user is allergic to peanuts.", "pages": [3]}, Reason.OTHER_LANGUAGE),
    ({"text": "用户搬到了大阪。"}, Reason.OTHER_LANGUAGE),
    ({"text": "ユーザーはピーナッツアレルギーです。", "pages": [3]}, Reason.OTHER_LANGUAGE),
    ({"text": "Пользователь живёт в Осаке."}, Reason.OTHER_LANGUAGE),
]


@pytest.mark.parametrize(("odd", "reason"), REFUSED)
def test_what_is_no_statement_of_the_pages_is_refused_with_its_reason(
    odd: dict[str, Any], reason: Reason
) -> None:
    reply = FactsReply.model_validate({"facts": [item(), item(**odd)]})
    judged = judge_facts(reply, PAGES, KNOWN)
    assert [draft.text for draft in judged.drafts] == ["The user lives in Osaka."]
    (refused,) = judged.refused
    assert (refused.reason, refused.side) == (reason, Side.MODEL)
    pages = odd.get("pages", [2])
    assert refused.page_key == (None if pages == [9] else pages[0] * 10)
    assert refused.characters == len(odd.get("text", "The user lives in Osaka."))


@pytest.mark.parametrize(
    ("said", "answered", "about", "text"),
    [
        ("I live in 北京市朝阳区", "", "user", "The user lives in 北京市朝阳区."),
        ("我用 Python 和 Rust 写代码", "", "user", "用户用 Python 和 Rust 写代码。"),
        ("我住在苏黎世 since 2019", "", "user", "用户自2019年起住在苏黎世。"),
        ("我住在苏黎世 since 2019", "", "user", "The user has lived in 苏黎世 since 2019."),
        ("東京に住んでいます", "", "user", "ユーザーは東京に住んでいる。"),
        ("東京在住です", "", "user", "ユーザーは東京在住。"),
        ("你好", "I am Wren, your assistant.", "assistant", "The assistant is called Wren."),
        ("", "You told me that you live in Oslo.", "user", "The user lives in Oslo."),
        ("서울에 살아요", "", "user", "사용자는 서울에 산다."),
        ("42 😀", "", "user", "The user is 42."),
        ("I was born in Zwolle", "", "user", "The user was born in Zwolle."),
        ("Call me Does.", "", "user", "Does is what the user wants to be called."),
        ("喝茶", "", "user", "用户喝茶。"),
        ("我31了", "", "user", "用户31岁。"),
        ("ฉันอยู่กรุงเทพ", "", "user", "ผู้ใช้อาศัยอยู่ในกรุงเทพ"),
    ],
)
def test_names_and_mixed_languages_are_no_reason_to_refuse(
    said: str, answered: str, about: str, text: str
) -> None:
    one = {"about": about, "text": text, "pages": [1], "confidence": 0.9}
    judged = judge_facts(FactsReply.model_validate({"facts": [one]}), [page(1, said, answered)], [])
    assert [draft.text for draft in judged.drafts] == [text]
    assert judged.refused == ()


def test_a_list_without_end_is_cut_and_not_refused() -> None:
    many = [item(f"The user has been to Osaka, on tour {number}.") for number in range(200)]
    assert len(drafts(*many)) == MOST_FACTS


def test_what_a_model_says_again_and_again_does_not_crowd_out_the_rest() -> None:
    again = [item(f"The user mentions thing {number % 7} again.") for number in range(300)]
    assert drafts(*again, item())[-1].text == "The user lives in Osaka."


def test_what_is_said_twice_is_refused_once() -> None:
    judged = judge_facts(
        FactsReply.model_validate({"facts": [item(), item(pages=[1])]}), PAGES, KNOWN
    )
    assert [refused.reason for refused in judged.refused] == [Reason.REPEATED]


def test_a_fact_said_twice_is_taken_once() -> None:
    assert len(drafts(item(), item("the user lives in OSAKA", pages=[1]))) == 1


def test_what_is_said_of_the_user_is_no_fact_about_the_assistant() -> None:
    both = [item(about="assistant"), item(), item("I moved to Osaka", about="assistant")]
    judged = judge_facts(FactsReply.model_validate({"facts": both}), PAGES, KNOWN)
    assert [(draft.about, draft.text) for draft in judged.drafts] == [
        (About.USER, "The user lives in Osaka."),
    ]
    assert [refused.reason for refused in judged.refused] == [Reason.OTHER_SIDE] * 2


def test_a_kind_of_fact_is_no_attribute_of_which_one_can_be_true() -> None:
    kinds = ("Preferences", "identity", "goal", "standing instructions", "None")
    assert {drafts(item(attribute=kind))[0].attribute for kind in kinds} == {""}
    assert drafts(item(attribute="Home town"))[0].attribute == "home_town"
    many = [item(f"The user lives in Osaka {n}.", attribute="place") for n in ("now", "too", "x")]
    assert [draft.attribute for draft in drafts(*many)] == ["", "", ""]
    assert [draft.attribute for draft in drafts(*many[:2])] == ["place", "place"]


def test_a_name_that_nobody_named_is_invented() -> None:
    made_up = [item("Name: John Doe"), item("Home: New York City"), item("Age: 30")]
    judged = judge_facts(FactsReply.model_validate({"facts": made_up}), PAGES, KNOWN)
    assert {refused.reason for refused in judged.refused} == {Reason.INVENTED}


@pytest.mark.parametrize("number", [0, 3, -1, "none", None, 2])
def test_a_number_that_is_no_known_fact_about_the_same_replaces_nothing(number: Any) -> None:
    assert drafts(item(replaces=number))[0].replaces == ()


@pytest.mark.parametrize(
    ("written", "slug"),
    [
        ("home", "home"),
        (" Home Town ", "home_town"),
        ("first-name", "first_name"),
        ("住所", ""),
        ("none", ""),
        (None, ""),
        ("drop table; --", ""),
    ],
)
def test_an_attribute_is_a_slug_or_nothing(written: Any, slug: str) -> None:
    assert drafts(item(attribute=written))[0].attribute == slug


def test_known_facts_are_numbered_as_they_are_read_back() -> None:
    asked = facts_question([page(1, "hello")], KNOWN)
    assert "(1) The user lives in Nara." in asked.text
    assert "(2) assistant: It is called Robo." in asked.text
    assert "<known>" not in facts_question([page(1, "hello")], []).text


def test_known_facts_beyond_those_shown_cannot_be_replaced() -> None:
    many = [fact(number, f"Fact {number}.") for number in range(1, KNOWN_MAX + 5)]
    reply = FactsReply.model_validate({"facts": [item(replaces=KNOWN_MAX + 1)]})
    assert f"({KNOWN_MAX + 1})" not in facts_question(PAGES, many).text
    assert judge_facts(reply, PAGES, many).drafts[0].replaces == ()


@pytest.mark.parametrize(
    ("about", "text", "reason"),
    [
        ("assistant", "Many would.", Reason.SMALL_TALK),
        ("assistant", "I am Robo and I will remind you.", None),
        ("assistant", "The assistant agreed that many would.", None),
        ("assistant", "Tarragon grows best in dry soil with much sun.", None),
        ("user", "If I lived in Monaco I would need another salary.", Reason.SUPPOSED),
        ("user", "Maybe I'll buy a motorbike, maybe not.", Reason.SUPPOSED),
        ("user", "要是我有船就好了。", Reason.SUPPOSED),
        ("user", "我教化学。", None),
        ("user", "我是秦始皇。开玩笑的。", Reason.SUPPOSED),
        ("user", "早上好，谢谢！", Reason.SMALL_TALK),
        ("user", "Good morning :)", Reason.SMALL_TALK),
        ("user", "ok thanks", Reason.SMALL_TALK),
        ("user", "Good morning runs are my habit", None),
        ("user", "Good night, Cosima.", Reason.SMALL_TALK),
        ("user", "Tell me a joke about time", Reason.QUESTION),
        ("user", "讲个笑话。", Reason.QUESTION),
        ("user", "Always tell me a joke first", None),
        ("user", "Show me code first, then explain", None),
        ("user", "Hello Kitty", None),
        ("user", "说一口流利的日语", None),
        ("user", "I'm a bit tired and hungry today.", Reason.SMALL_TALK),
        ("user", "The user is busy now.", Reason.SMALL_TALK),
        ("user", "我今天有点累了。", Reason.SMALL_TALK),
        ("user", "I'm always tired since the flu", None),
        ("user", "我很怕冷。", None),
        ("user", "The user would need another salary in Monaco.", None),
        ("user", "If I ask for code, give me TypeScript.", None),
        ("user", "I teach chemistry.", None),
    ],
)
def test_copied_small_talk_and_suppositions_are_no_facts(
    about: str, text: str, reason: Reason | None
) -> None:
    chinese = page(
        1, "早上好，谢谢！要是我有船就好了。我教化学。我今天有点累了。我很怕冷。讲个笑话。"
    )
    joke = page(1, "我是秦始皇。开玩笑的。")
    english = page(
        1,
        "If I lived in Monaco I would need another salary. Maybe I'll buy a motorbike, maybe not. "
        "If I ask for code, give me TypeScript. I teach chemistry. Good morning :) ok thanks "
        "Good morning runs are my habit. I'm a bit tired and hungry today. I am busy now. "
        "I'm always tired since the flu. Good night, Cosima. Tell me a joke about time. "
        "Always tell me a joke first. Show me code first, then explain. Hello Kitty",
        "Many would. I am Robo and I will remind you. "
        "Tarragon grows best in dry soil with much sun.",
    )
    reply = FactsReply.model_validate({"facts": [item(text, about=about, pages=[1])]})
    said = english if text.isascii() else joke if "秦" in text else chinese
    judged = judge_facts(reply, [said], [])
    assert [refused.reason for refused in judged.refused] == ([reason] if reason else [])
    assert len(judged.drafts) == (reason is None)


def test_what_rules_know_of_stays_one_thing_however_many_say_it() -> None:
    said = ("I'm vegan.", "I'm not vegan anymore.", "I'm vegan again since New Year.")
    reply = FactsReply.model_validate(
        {"facts": [item(text, pages=[n]) for n, text in enumerate(said, 1)]}
    )
    kept = judge_facts(reply, pages(*said), ()).drafts
    assert [draft.attribute for draft in kept] == ["diet"] * 3
