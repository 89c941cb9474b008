"""The client against a real endpoint on the loopback, and each of its faults."""

from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from datetime import UTC, datetime

import anyio
import anyio.to_thread
import pytest
from pydantic import BaseModel

from memory_core.backends.llm import Question, Spent
from memory_core.backends.openai_errors import retry_after
from memory_core.backends.openai_llm import OpenAIModel
from memory_core.errors import ModelRefused, ModelReplyInvalid, ModelUnavailable, StorageError
from memory_core.prompts.topics import TopicsReply
from tests.stub_llm import StubLLM

KEY = "sk-very-secret"
SECRET = "I hid the treasure under the oak"
PROMPT = f"<pages>\n[1] 2024-05-01 09:00 Wed\n  User: {SECRET}.\n[2] 2024-05-02 09:00 Thu\n</pages>"


class Numbered(BaseModel):
    """Answer to a question of a kind the stub has no idea of."""

    numbers: list[int]


def question(kind: str = "topics", text: str = PROMPT) -> Question[TopicsReply]:
    return Question(kind=kind, system="File the pages.", text=text, reply=TopicsReply)


@asynccontextmanager
async def model_of(
    stub: StubLLM,
    *,
    seconds: float = 10.0,
    max_parallel: int = 4,
    report: Callable[[Spent], Awaitable[None]] | None = None,
) -> AsyncIterator[OpenAIModel]:
    model = OpenAIModel("stub-1", stub.base_url, KEY, seconds, max_parallel, report=report)
    try:
        yield model
    finally:
        await model.close()


async def test_a_valid_answer_comes_typed() -> None:
    with StubLLM() as stub:
        async with model_of(stub) as model:
            reply = await model.ask(question())
            assert [topic.pages for topic in reply.topics] == [[1, 2]]
            assert model.name == "stub-1"
        assert [call.form for call in stub.calls] == ["json_schema"]
        assert stub.calls[0].body["temperature"] == 0


@pytest.mark.parametrize("behaviour", ["fenced", "think", "list", "no_usage", "out_of_range"])
async def test_odd_clothes_around_a_valid_answer_cost_no_second_call(behaviour: str) -> None:
    with StubLLM(behaviour=behaviour) as stub:
        async with model_of(stub) as model:
            assert (await model.ask(question())).topics
        assert len(stub.calls) == 1


class Ledger:
    """Keeps what is reported; `failure` is raised after that."""

    def __init__(self, failure: Exception | None = None) -> None:
        self.spent: list[Spent] = []
        self._failure = failure

    async def report(self, spent: Spent) -> None:
        self.spent.append(spent)
        if self._failure:
            raise self._failure


async def test_each_answer_is_reported_with_what_it_cost() -> None:
    ledger = Ledger()
    with StubLLM() as stub:
        async with model_of(stub, report=ledger.report) as model:
            await model.ask(question())
            await model.write("Be kind.", "你好")
        assert [spent.kind for spent in ledger.spent] == ["topics", "write"]
        assert [spent.prompt_tokens for spent in ledger.spent] == [
            call.prompt_tokens for call in stub.calls
        ]
    assert all(spent.completion_tokens > 0 for spent in ledger.spent)


@pytest.mark.parametrize("behaviour", ["prose", "truncated", "wrong_types"])
async def test_an_unusable_answer_has_cost_as_much(behaviour: str) -> None:
    ledger = Ledger()
    with StubLLM() as stub:
        stub.enqueue(behaviour)
        async with model_of(stub, report=ledger.report) as model:
            await model.ask(question())
    assert len(ledger.spent) == 2
    assert all(spent.prompt_tokens > 0 for spent in ledger.spent)


async def test_who_counts_no_tokens_is_counted_for() -> None:
    ledger = Ledger()
    with StubLLM(behaviour="no_usage") as stub:
        async with model_of(stub, report=ledger.report) as model:
            await model.ask(question())
    (spent,) = ledger.spent
    assert spent.prompt_tokens > 20 and spent.completion_tokens > 10


@pytest.mark.parametrize("behaviour", ["html", "no_choices"])
async def test_an_answer_that_is_none_is_counted(behaviour: str) -> None:
    ledger = Ledger()
    with StubLLM() as stub:
        stub.enqueue(behaviour)
        async with model_of(stub, report=ledger.report) as model:
            await model.ask(question())
    assert ledger.spent[0] == Spent(kind="topics", prompt_tokens=0, completion_tokens=0)


async def test_what_got_no_answer_is_not_reported() -> None:
    ledger = Ledger()
    with StubLLM() as stub:
        stub.enqueue("rate_limited", "no_temperature")
        async with model_of(stub, report=ledger.report) as model:
            await model.ask(question())
            stub.behaviour = "unauthorized"
            with pytest.raises(ModelRefused):
                await model.ask(question())
    assert len(ledger.spent) == 1


@pytest.mark.parametrize("failure", [StorageError("The disk is full."), ZeroDivisionError()])
async def test_a_report_that_fails_loses_no_answer(
    failure: Exception, caplog: pytest.LogCaptureFixture
) -> None:
    ledger = Ledger(failure)
    with StubLLM() as stub:
        async with model_of(stub, report=ledger.report) as model:
            assert (await model.ask(question())).topics
            assert model.state == "answered"
    assert "missing from the usage" in caplog.text
    assert SECRET not in caplog.text


async def test_the_state_says_how_the_last_question_went() -> None:
    with StubLLM() as stub:
        async with model_of(stub) as model:
            assert model.state == "not asked yet"
            stub.behaviour = "unauthorized"
            with pytest.raises(ModelRefused) as caught:
                await model.ask(question())
            assert model.state == f"failed: {caught.value}"
            assert "401" in model.state and KEY not in model.state
            stub.behaviour = "prose"
            with pytest.raises(ModelReplyInvalid):
                await model.ask(question())
            assert "asked twice" in model.state
            stub.behaviour = "ok"
            await model.write("Be kind.", "Hello?")
            assert model.state == "answered"


UNUSABLE = ["prose", "truncated", "cut_json", "wrong_types", "empty", "no_choices", "html"]


@pytest.mark.parametrize("behaviour", UNUSABLE)
async def test_an_unusable_answer_is_asked_for_once_more(behaviour: str) -> None:
    with StubLLM() as stub:
        stub.enqueue(behaviour)
        async with model_of(stub) as model:
            assert (await model.ask(question())).topics
        first, second = stub.calls
        assert "could not be used" in second.text and second.text.startswith(first.text)
        assert '"topics"' in second.system


@pytest.mark.parametrize("behaviour", UNUSABLE)
async def test_two_unusable_answers_are_refused_without_quoting_anything(behaviour: str) -> None:
    with StubLLM(behaviour=behaviour) as stub:
        async with model_of(stub) as model:
            with pytest.raises(ModelReplyInvalid) as caught:
                await model.ask(question())
        assert len(stub.calls) == 2
        assert_discreet(caught.value)


async def test_of_a_second_answer_the_items_that_are_sound_are_taken() -> None:
    with StubLLM(behaviour="one_faulty") as stub:
        async with model_of(stub) as model:
            faulty = await model.ask(question())
            stub.behaviour = "ok"
            assert await model.ask(question()) == faulty
    assert len(stub.calls) == 3


async def test_a_truncated_answer_gets_more_room_and_is_asked_to_be_shorter() -> None:
    with StubLLM() as stub:
        stub.enqueue("truncated")
        async with model_of(stub) as model:
            await model.ask(question())
        first, second = stub.calls
        assert second.body["max_tokens"] == 2 * first.body["max_tokens"]
        assert "shorter" in second.text


async def test_an_endpoint_that_ignores_its_schema_is_shown_it_from_then_on() -> None:
    with StubLLM() as stub:
        stub.enqueue("prose")
        async with model_of(stub) as model:
            await model.ask(question())
            await model.ask(question())
        assert ['"topics"' in call.system for call in stub.calls] == [False, True, True]


async def test_a_truncated_answer_does_not_count_as_an_ignored_schema() -> None:
    with StubLLM() as stub:
        stub.enqueue("truncated")
        async with model_of(stub) as model:
            await model.ask(question())
            await model.ask(question())
        assert ['"topics"' in call.system for call in stub.calls] == [False, True, False]


@pytest.mark.parametrize(
    ("behaviour", "status", "requests"),
    [("rate_limited", "429", 3), ("server_error", "500", 3)],
)
async def test_a_busy_endpoint_is_tried_thrice_and_is_then_unavailable(
    behaviour: str, status: str, requests: int
) -> None:
    with StubLLM(behaviour=behaviour) as stub:
        async with model_of(stub) as model:
            with pytest.raises(ModelUnavailable, match=status) as caught:
                await model.ask(question())
        assert len(stub.calls) == requests
        assert caught.value.retry_after == (0.01 if status == "429" else None)
        assert_discreet(caught.value)


async def test_a_short_outage_passes_unnoticed() -> None:
    with StubLLM() as stub:
        stub.enqueue("rate_limited", "server_error")
        async with model_of(stub) as model:
            assert (await model.ask(question())).topics
        assert len(stub.calls) == 3


async def test_a_long_wait_is_handed_to_the_caller_instead_of_being_sat_out() -> None:
    with StubLLM(behaviour="rate_limited", retry_after=3600) as stub:
        async with model_of(stub) as model:
            with pytest.raises(ModelUnavailable) as caught:
                await model.ask(question())
        assert (len(stub.calls), caught.value.retry_after) == (1, 3600)


@pytest.mark.parametrize(
    ("behaviour", "words"),
    [("unauthorized", "401.*key"), ("not_found", "404.*name"), ("bad_request", "400")],
)
async def test_a_refusal_is_final_and_says_what_to_do(behaviour: str, words: str) -> None:
    with StubLLM(behaviour=behaviour) as stub:
        async with model_of(stub) as model:
            with pytest.raises(ModelRefused, match=words) as caught:
                await model.ask(question())
        assert len(stub.calls) == 1
        assert_discreet(caught.value)


async def test_an_endpoint_that_hangs_is_given_up_in_bounded_time() -> None:
    with StubLLM() as stub:
        stub.hold()
        async with model_of(stub, seconds=0.2) as model:
            with anyio.fail_after(5), pytest.raises(ModelUnavailable, match=r"within 0\.2 seconds"):
                await model.ask(question())
        stub.release()


async def test_a_dropped_connection_is_unavailable() -> None:
    with StubLLM(behaviour="disconnect") as stub:
        async with model_of(stub) as model:
            with pytest.raises(ModelUnavailable, match="cannot be reached"):
                await model.ask(question())
        assert len(stub.calls) == 3


async def test_an_endpoint_that_is_not_there_is_unavailable() -> None:
    with StubLLM() as stub:
        url = stub.base_url
    model = OpenAIModel("gone", url)
    with pytest.raises(ModelUnavailable, match="Check that it runs"):
        await model.ask(question())
    await model.close()


@pytest.mark.parametrize("url", ["localhost:11434", "ftp://a/v1", "http://a:99999/v1", "http://["])
async def test_a_base_url_that_is_none_is_refused_at_the_first_question(url: str) -> None:
    with pytest.raises(ModelRefused, match="must look like"):
        await OpenAIModel("any", url).ask(question())


@pytest.mark.parametrize("key", ["“sk-1”", "sk-\n1"])
async def test_a_key_with_stray_characters_is_refused_and_not_shown(key: str) -> None:
    with pytest.raises(ModelRefused, match="copy it once more") as caught:
        await OpenAIModel("any", "http://127.0.0.1:9/v1", key).ask(question())
    assert key not in str(caught.value)


async def test_a_refused_json_schema_is_not_tried_again() -> None:
    with StubLLM(behaviour="no_json_schema") as stub:
        async with model_of(stub) as model:
            for _ in range(3):
                assert (await model.ask(question())).topics
        forms = [call.form for call in stub.calls]
        assert forms == ["json_schema", "json_object", "json_object", "json_object"]
        assert all('"topics"' in call.system for call in stub.calls[1:])


async def test_an_endpoint_without_response_formats_is_asked_in_words() -> None:
    with StubLLM(behaviour="no_response_format") as stub:
        async with model_of(stub) as model:
            for _ in range(2):
                assert (await model.ask(question())).topics
        assert [call.form for call in stub.calls] == ["json_schema", "json_object", "", ""]
        assert stub.calls[-1].kind == "topics"


@pytest.mark.parametrize(
    ("behaviour", "refused"), [("no_max_tokens", "max_tokens"), ("no_temperature", "temperature")]
)
async def test_a_refused_parameter_is_adapted_once(behaviour: str, refused: str) -> None:
    with StubLLM(behaviour=behaviour) as stub:
        async with model_of(stub) as model:
            for _ in range(3):
                assert (await model.ask(question())).topics
        assert [refused in call.body for call in stub.calls] == [True, False, False, False]
        assert ("max_completion_tokens" in stub.calls[-1].body) == (refused == "max_tokens")


async def test_calls_side_by_side_learn_from_each_other() -> None:
    with StubLLM(behaviour="no_json_schema") as stub:
        async with model_of(stub, max_parallel=4) as model:
            async with anyio.create_task_group() as group:
                for _ in range(4):
                    group.start_soon(model.ask, question())
            await model.ask(question())
        assert stub.calls[-1].form == "json_object"
        assert "" not in {call.form for call in stub.calls}


async def test_parallel_calls_reach_the_bound_and_never_pass_it() -> None:
    with StubLLM() as stub:
        stub.hold()
        async with model_of(stub, max_parallel=3) as model:
            with anyio.fail_after(20):
                async with anyio.create_task_group() as group:
                    for _ in range(10):
                        group.start_soon(model.ask, question())
                    assert await anyio.to_thread.run_sync(stub.wait_in_flight, 3)
                    stub.release()
        assert (stub.peak, len(stub.calls)) == (3, 10)


async def test_a_cancelled_call_leaves_the_client_usable() -> None:
    with StubLLM() as stub:
        stub.hold()
        async with model_of(stub, max_parallel=1) as model:
            with anyio.fail_after(20):
                async with anyio.create_task_group() as group:
                    group.start_soon(model.ask, question())
                    assert await anyio.to_thread.run_sync(stub.wait_in_flight, 1)
                    group.cancel_scope.cancel()
                stub.release()
                assert (await model.ask(question())).topics


async def test_prose_comes_without_thoughts_and_without_json_parameters() -> None:
    with StubLLM(behaviour="think") as stub:
        async with model_of(stub) as model:
            assert await model.write("Be kind.", "Hello?") == "This is what I know about it."
        assert [call.kind for call in stub.calls] == ["write"]
        assert not {"response_format", "temperature"} & set(stub.calls[0].body)


async def test_empty_prose_is_asked_for_once_more_and_then_refused() -> None:
    with StubLLM(behaviour="empty") as stub:
        async with model_of(stub) as model:
            with pytest.raises(ModelReplyInvalid):
                await model.write("Be kind.", "Hello?")
        assert len(stub.calls) == 2


@pytest.mark.parametrize(
    "text",
    [
        "",
        "你好，明天见",
        "日本語のテスト",
        "👩‍👩‍👧 and \ud83d alone",
        "\x00\x07\u2028",
        "x" * 300_000,
    ],
)
async def test_any_text_can_be_sent(text: str) -> None:
    with StubLLM() as stub:
        async with model_of(stub) as model:
            assert (await model.ask(question(text=text))).topics == []
        assert stub.calls[0].text == text.replace("\ud83d", "\ufffd")


async def test_a_closed_client_opens_again_when_asked() -> None:
    with StubLLM() as stub:
        async with model_of(stub) as model:
            await model.ask(question())
            await model.close()
            await model.close()
            assert (await model.ask(question())).topics


@pytest.mark.parametrize(
    ("headers", "seconds"),
    [
        ({}, None),
        ({"retry-after": "7"}, 7.0),
        ({"retry-after": "1.5"}, 1.5),
        ({"retry-after-ms": "250", "retry-after": "9"}, 0.25),
        ({"retry-after": "Wed, 01 May 2024 09:00:30 GMT"}, 30.0),
        ({"retry-after": "Wed, 01 May 2024 08:00:00 GMT"}, 0.0),
        ({"retry-after": "-3"}, None),
        ({"retry-after": "inf"}, None),
        ({"retry-after": "soon"}, None),
    ],
)
def test_the_asked_wait_is_read_in_each_of_its_forms(
    headers: dict[str, str], seconds: float | None
) -> None:
    assert retry_after(headers, datetime(2024, 5, 1, 9, tzinfo=UTC)) == seconds


def assert_discreet(error: Exception) -> None:
    assert KEY not in str(error)
    assert "treasure" not in str(error)
    assert KEY not in repr(error)
