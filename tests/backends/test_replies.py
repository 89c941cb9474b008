"""From an answer to the asked type: what is taken, and what is refused."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from memory_core.backends.replies import (
    parse_reply,
    read_completion,
    read_prose,
    read_usage,
    strict_schema,
    strip_thoughts,
    whole_text,
)
from memory_core.errors import ModelReplyInvalid


class Item(BaseModel):
    text: str
    page: int = 0


class Items(BaseModel):
    items: list[Item]


class Pair(BaseModel):
    left: list[Item]
    right: list[Item]


ONE = Items(items=[Item(text="a", page=3)])
OBJECT = '{"items": [{"text": "a", "page": 3}]}'


@pytest.mark.parametrize(
    "text",
    [
        OBJECT,
        '{"items": [{"text": "a", "page": "3"}]}',
        f"```json\n{OBJECT}\n```",
        f"```\n{OBJECT}\n```",
        f"Voilà :\n```json\n{OBJECT}\n```\nС уважением",
        f"好的，结果如下：{OBJECT}。还需要什么吗？",
        f"Sets like {{x}} and notes [1] first. {OBJECT} And {{more}}.",
        f'<think>{{}} hmm "\n</think>{OBJECT}',
        f"<THOUGHT kind='deep'>…</THOUGHT>\n\n{OBJECT}",
        f"<reasoning>一</reasoning><think></think>{OBJECT}",
        f"Okay, the user wants {{...\n</think>\n{OBJECT}",
        f"<think>\nOkay, that is easy:\n{OBJECT}\n",
        f"\ufeff{OBJECT}",
        '[{"text": "a", "page": 3}]',
        f"{OBJECT}{OBJECT}",
    ],
)
def test_the_first_whole_object_is_taken(text: str) -> None:
    assert parse_reply(text, Items) == ONE


@pytest.mark.parametrize(
    "text",
    [
        "",
        "   \n",
        "对不起，我不能回答。",
        "I live in [brackets] and {braces}.",
        OBJECT[:-1],
        OBJECT[:-3],
        '{"items": [{"text": "a", "page": 3}, {"text": "half a sen',
        '[{"text": "a", "page": 3}, {"text": "b',
        '```json\n{"items": [{"text": "a", "page": 3}',
        '{"items": "none"}',
        '{"items": [{"page": 3}]}',
        '{"items": [{"text": "a", "page": "three"}]}',
        '{"other": []}',
        "{}",
        "null",
        "3",
        "<think>I never come to an end",
        "<think>" + OBJECT + " or not?",
        "[" * 5000 + "]" * 5000,
        '{"a":' * 5000 + "1" + "}" * 5000,
    ],
)
def test_what_is_not_whole_or_of_another_form_is_refused(text: str) -> None:
    with pytest.raises(ModelReplyInvalid):
        parse_reply(text, Items)


@pytest.mark.parametrize(
    "faulty", ["7", "null", '"a"', "[]", "{}", '{"text": 7}', '{"text": "b", "page": "three"}']
)
def test_of_an_answer_in_part_the_sound_items_are_taken(faulty: str) -> None:
    text = f'{{"items": [{faulty}, {{"text": "a", "page": 3}}, {faulty}]}}'
    assert parse_reply(text, Items, partly=True) == ONE
    with pytest.raises(ModelReplyInvalid, match=r"items\.0"):
        parse_reply(text, Items)


@pytest.mark.parametrize(
    ("text", "reply"),
    [
        ('{"items": [{}, {"text": 7}]}', Items),  # none is sound
        ('{"items": 7}', Items),
        ('{"items": null}', Items),
        ("{}", Items),
        ('{"left": [{}, {"text": "a"}], "right": []}', Pair),  # which list is it about?
        ('{"items": [{"text": "a"}', Items),
        (f'{{"items": [{{"text": "a"}}], "x": {"[" * 300}{"]" * 300}}}', Items),
    ],
)
def test_nothing_is_taken_of_an_answer_in_part_where_nothing_is_sound(
    text: str, reply: type[BaseModel]
) -> None:
    with pytest.raises(ModelReplyInvalid):
        parse_reply(text, reply, partly=True)


@pytest.mark.parametrize("end", range(len(OBJECT)))
def test_a_cut_answer_is_never_salvaged(end: int) -> None:
    with pytest.raises(ModelReplyInvalid):
        parse_reply(OBJECT[:end], Items)


def test_an_empty_list_is_an_answer() -> None:
    assert parse_reply("[]", Items) == Items(items=[])


def test_a_list_does_not_stand_for_a_type_with_two_lists() -> None:
    with pytest.raises(ModelReplyInvalid):
        parse_reply('[{"text": "a"}]', Pair)


def test_tags_within_the_json_are_text() -> None:
    text = json.dumps({"items": [{"text": "asks what <think>x</think> means </think>"}]})
    assert parse_reply(text, Items).items[0].text == "asks what <think>x</think> means </think>"


def test_surrogates_are_joined_or_replaced() -> None:
    text = '{"items": [{"text": "\\ud83d\\ude00 \\ud83d"}]}'
    assert parse_reply(text, Items).items[0].text == "😀 \ufffd"
    assert parse_reply('{"items": [{"text": "\ud83d"}]}', Items).items[0].text == "\ufffd"


def test_the_sentence_about_a_wrong_form_names_fields_and_quotes_nothing() -> None:
    with pytest.raises(ModelReplyInvalid) as caught:
        parse_reply('{"items": [{"text": "a", "page": "my secret"}]}', Items)
    assert "items.0.page" in str(caught.value)
    assert "secret" not in str(caught.value)
    assert caught.value.__cause__ is None


@given(st.text(max_size=200))
def test_no_text_breaks_the_parser(text: str) -> None:
    try:
        assert isinstance(parse_reply(text, Items), Items)
    except ModelReplyInvalid as error:
        assert str(error)


@given(
    st.lists(st.text(max_size=30), max_size=4, unique_by=whole_text),
    st.text(alphabet="abc .\n你", max_size=20),
)
def test_any_whole_object_survives_prose_around_it(texts: list[str], prose: str) -> None:
    items = Items(items=[Item(text=whole_text(text)) for text in texts])
    assert parse_reply(f"{prose}{items.model_dump_json()}{prose}", Items) == items


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("plain", "plain"),
        ("<think>a</think> b", "b"),
        ("a</think> b", "b"),
        ("<think>a", ""),
        ("b <think>a", "b"),
        ("<thinking>a</thinking><reflection>b</reflection>c", "c"),
        ("2 < 3 and <b>bold</b>", "2 < 3 and <b>bold</b>"),
    ],
)
def test_thoughts_are_taken_out(text: str, rest: str) -> None:
    assert strip_thoughts(text) == rest


def test_prose_that_is_only_thought_is_refused() -> None:
    with pytest.raises(ModelReplyInvalid):
        read_prose("<think>well</think>\n")


def completion(message: object, **more: object) -> str:
    return json.dumps({"choices": [{"message": message}], **more})


@pytest.mark.parametrize(
    ("message", "text"),
    [
        ({"content": "hello"}, "hello"),
        ({"content": None}, ""),
        ({}, ""),
        ({"content": [{"type": "thinking"}, {"type": "text", "text": "a"}]}, "a"),
        ({"content": "", "reasoning_content": f"So:\n{OBJECT}"}, OBJECT),
        ({"content": None, "reasoning_content": "I wonder"}, ""),
        ({"content": "a", "reasoning_content": "b"}, "a"),
    ],
)
def test_the_content_is_found_where_endpoints_put_it(message: object, text: str) -> None:
    assert read_completion(completion(message)).text == text


@pytest.mark.parametrize(
    "usage", [None, {}, "many", {"prompt_tokens": None}, {"prompt_tokens": "x"}]
)
def test_usage_may_be_absent_or_odd(usage: object) -> None:
    assert read_usage(completion({"content": "a"}, usage=usage)) == (0, 0)


@pytest.mark.parametrize("body", ["", "<html>", "[]", "null", "1", '{"usage": []}', "[" * 100_000])
def test_what_is_no_answer_names_no_usage(body: str) -> None:
    assert read_usage(body) == (0, 0)


def test_usage_is_read_of_an_answer_without_a_choice() -> None:
    usage = '{"prompt_tokens": 7, "completion_tokens": -1}'
    assert read_usage(f'{{"choices": [], "usage": {usage}}}') == (7, 0)


@pytest.mark.parametrize(
    "body",
    [
        "",
        "<html>",
        "[]",
        "null",
        "{}",
        '{"choices": []}',
        '{"choices": [{}]}',
        '{"choices": [{"message": null}]}',
    ],
)
def test_a_body_that_is_no_completion_is_refused(body: str) -> None:
    with pytest.raises(ModelReplyInvalid):
        read_completion(body)


def test_the_schema_is_strict_and_self_contained() -> None:
    item = {
        "type": "object",
        "properties": {"text": {"type": "string"}, "page": {"type": "integer"}},
        "required": ["text", "page"],
        "additionalProperties": False,
    }
    assert strict_schema(Items) == {
        "type": "object",
        "properties": {"items": {"type": "array", "items": item}},
        "required": ["items"],
        "additionalProperties": False,
    }
