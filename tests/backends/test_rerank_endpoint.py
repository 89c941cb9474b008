"""The endpoint reranker against a real HTTP server on loopback."""

import math
import threading
from collections.abc import Iterator, Sequence
from typing import Any

import anyio
import pytest

from memory_core.backends.rerank_endpoint import EndpointReranker, scores_in
from memory_core.errors import RerankerError
from tests.backends.test_embed_endpoint import KEY, Answer, Endpoint, serving

QUERY = "Where do I live?"
TEXTS = ["I live in Lisbon", "I am allergic to peanuts", "花生"]


def share(query: str, text: str) -> float:
    words = set(query.lower().rstrip("?").split())
    return len(words.intersection(text.lower().split())) / len(words)


def common(body: dict[str, Any]) -> Answer:
    """As Jina, Cohere, vLLM and llama.cpp answer: best first, with what they add."""
    rows: list[dict[str, Any]] = [
        {"index": index, "relevance_score": share(body["query"], text), "document": {"text": text}}
        for index, text in enumerate(body["documents"])
    ]
    rows.sort(key=lambda row: -row["relevance_score"])
    return 200, {"model": body["model"], "results": rows, "usage": {"total_tokens": 9}}


def of_tei(body: dict[str, Any]) -> Answer:
    """As Text Embeddings Inference answers."""
    if "texts" not in body:
        return 422, "Failed to deserialize the JSON body: missing field `texts`"
    rows = [{"index": i, "score": share(body["query"], t)} for i, t in enumerate(body["texts"])]
    return 200, rows[::-1]


def scored(*rows: tuple[object, object]) -> dict[str, Any]:
    return {"results": [{"index": index, "relevance_score": score} for index, score in rows]}


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving(Endpoint(answer=common)) as served:
        yield served


async def scores_of(
    endpoint: Endpoint, texts: Sequence[str] = TEXTS, query: str = QUERY
) -> list[float]:
    reranker = EndpointReranker("judge", endpoint.url, KEY)
    try:
        return await reranker.scores(query, texts)
    finally:
        await reranker.close()


async def failure(reranker: EndpointReranker) -> str:
    """The message of a question that fails; that it gives nothing away is checked each time."""
    with pytest.raises(RerankerError) as caught:
        await reranker.scores(QUERY, TEXTS)
    await reranker.close()
    message = str(caught.value)
    assert not any(secret in message for secret in (KEY, QUERY, *TEXTS))
    return message


async def test_scores_come_back_in_the_order_of_the_texts(endpoint: Endpoint) -> None:
    assert await scores_of(endpoint) == [0.5, 0.25, 0.0]
    assert await scores_of(endpoint, TEXTS[::-1]) == [0.0, 0.25, 0.5]


async def test_the_request_has_the_form_that_servers_know(endpoint: Endpoint) -> None:
    await scores_of(endpoint)
    assert endpoint.asked == [{"model": "judge", "query": QUERY, "documents": TEXTS, "top_n": 3}]
    assert endpoint.keys == [f"Bearer {KEY}"]
    assert endpoint.paths == ["/v1/rerank"]


async def test_an_address_may_be_pasted_with_its_path_and_needs_no_key(endpoint: Endpoint) -> None:
    reranker = EndpointReranker("judge", f"{endpoint.url}/rerank/")
    await reranker.load()
    await reranker.load()
    await reranker.close()
    assert (endpoint.paths, endpoint.keys) == (["/v1/rerank"], ["Bearer unused"])
    assert reranker.name == "endpoint/judge"


async def test_the_form_of_text_embeddings_inference_is_learnt(endpoint: Endpoint) -> None:
    endpoint.answer = of_tei
    reranker = EndpointReranker("judge", endpoint.url)
    assert await reranker.scores(QUERY, TEXTS) == [0.5, 0.25, 0.0]
    assert await reranker.scores(QUERY, TEXTS[:1]) == [0.5]
    await reranker.close()
    assert ["texts" in body for body in endpoint.asked] == [False, True, True]
    assert endpoint.asked[-1] == {"query": QUERY, "texts": TEXTS[:1], "truncate": True}


async def test_logits_become_shares_and_are_known_from_then_on(endpoint: Endpoint) -> None:
    reranker = EndpointReranker("judge", endpoint.url)
    endpoint.answer = lambda body: (200, scored((0, 7.5), (1, -11.0), (2, 900)))
    first = await reranker.scores(QUERY, TEXTS)
    assert 0.0 < first[1] < 0.001 < 0.999 < first[0] < first[2] <= 1.0
    endpoint.answer = lambda body: (200, scored((0, 0.0)))
    assert await reranker.scores(QUERY, TEXTS[:1]) == [0.5]
    await reranker.close()


async def test_scores_under_data_are_taken_too(endpoint: Endpoint) -> None:
    rows = scored((1, 0.2), (0, 1), (2, 0))["results"]
    endpoint.answer = lambda body: (200, {"object": "list", "data": rows})
    assert await scores_of(endpoint) == [1.0, 0.2, 0.0]


async def test_odd_text_is_sent_as_something_that_can_be_read(endpoint: Endpoint) -> None:
    odd = ["", "\0", "\ud83d", "👩‍👩‍👧", "花生" * 500_000]
    assert len(await scores_of(endpoint, odd, query="\ud83d?\0")) == len(odd)
    assert all(0 < len(text) <= 4_000 for text in endpoint.asked[0]["documents"])


async def test_no_texts_are_no_question(endpoint: Endpoint) -> None:
    assert await scores_of(endpoint, []) == []
    assert endpoint.asked == []


@pytest.mark.parametrize(
    "reply",
    [
        "<html>hello</html>",
        "",
        [],
        {},
        {"results": None},
        {"results": "none"},
        scored(),
        scored((0, 0.5), (1, 0.5)),
        scored((0, 0.5), (1, 0.5), (1, 0.5)),
        scored((0, 0.5), (1, 0.5), (3, 0.5)),
        scored((0, 0.5), (1, 0.5), (-1, 0.5)),
        scored((0, 0.5), (1, 0.5), ("2", 0.5)),
        scored((0, 0.5), (1, 0.5), (2.0, 0.5)),
        scored((0, 0.5), (True, 0.5), (2, 0.5)),
        scored((0, 0.5), (1, 0.5), (2, None)),
        scored((0, 0.5), (1, 0.5), (2, True)),
        scored((0, 0.5), (1, 0.5), (2, "0.5")),
        scored((0, 0.5), (1, 0.5), (2, math.nan)),
        scored((0, 0.5), (1, 0.5), (2, math.inf)),
        {"results": [{"index": 0}, {"relevance_score": 1}, None]},
        scored((0, 0.5), (1, 0.5), (2, 0.5), (3, 0.5)),
    ],
    ids=str,
)
async def test_an_answer_without_one_score_a_text_is_refused(
    endpoint: Endpoint, reply: object
) -> None:
    endpoint.answer = lambda body: (200, reply)
    assert "one score a text" in await failure(EndpointReranker("judge", endpoint.url, KEY))


def test_a_number_too_large_for_a_float_is_no_score() -> None:
    assert (
        scores_in('{"results": [{"index": 0, "relevance_score": 1' + "0" * 400 + "}]}", 1) is None
    )
    assert scores_in("[" * 100_000, 1) is None


@pytest.mark.parametrize(
    ("status", "hint"),
    [(401, "key"), (404, "base URL"), (413, "reranker_candidates"), (429, "again"), (503, "again")],
)
async def test_a_refusal_says_what_to_do(endpoint: Endpoint, status: int, hint: str) -> None:
    endpoint.answer = lambda body: (status, {"error": {"message": f"no: {KEY} {body['query']}"}})
    assert hint in await failure(EndpointReranker("judge", endpoint.url, KEY))


async def test_a_batch_that_is_too_long_is_said_to_be(endpoint: Endpoint) -> None:
    complaint = "input is too large to process, maximum context length is 512"
    endpoint.answer = lambda body: (400, {"error": {"message": complaint}})
    assert "reranker_candidates" in await failure(EndpointReranker("judge", endpoint.url, KEY))


async def test_an_error_inside_a_good_answer_is_one(endpoint: Endpoint) -> None:
    endpoint.answer = lambda body: (200, {"error": {"code": 401, "message": f"bad {KEY}"}})
    assert "401" in await failure(EndpointReranker("judge", endpoint.url, KEY))


async def test_what_passes_in_a_moment_is_asked_once_more(endpoint: Endpoint) -> None:
    def busy_once(body: dict[str, Any]) -> Answer:
        return (429, {}) if len(endpoint.asked) == 1 else common(body)

    endpoint.answer = busy_once
    assert await scores_of(endpoint) == [0.5, 0.25, 0.0]


async def test_it_recovers_when_the_endpoint_does(endpoint: Endpoint) -> None:
    endpoint.answer = lambda body: (422, {"detail": "out of order"})
    reranker = EndpointReranker("judge", endpoint.url, KEY)
    assert "422" in await failure(reranker)
    endpoint.answer = common
    assert await reranker.scores(QUERY, TEXTS) == [0.5, 0.25, 0.0]
    await reranker.close()


async def test_an_endpoint_that_is_down_is_said_to_be() -> None:
    with serving(Endpoint()) as gone:
        pass
    assert "cannot be reached" in await failure(EndpointReranker("judge", gone.url, KEY))


async def test_an_endpoint_that_hangs_is_given_up_and_can_be_cancelled(endpoint: Endpoint) -> None:
    release = threading.Event()

    def hang(body: dict[str, Any]) -> Answer:
        release.wait(30)
        return common(body)

    reranker = EndpointReranker("judge", endpoint.url, KEY, timeout=0.5)
    await reranker.load()
    endpoint.answer = hang
    try:
        with anyio.move_on_after(0.1) as scope:
            await reranker.scores(QUERY, TEXTS)
        assert scope.cancelled_caught
        assert "within 0.5 seconds" in await failure(reranker)
    finally:
        release.set()


@pytest.mark.parametrize(
    ("url", "key"), [("localhost:1234", ""), ("ftp://example", ""), ("http://example", "schlüssel")]
)
async def test_an_address_or_key_that_cannot_be_one_is_refused(url: str, key: str) -> None:
    assert "reranker_base_url" in await failure(EndpointReranker("judge", url, key))


async def test_without_an_address_it_says_which_setting_has_it() -> None:
    assert "set reranker_base_url" in await failure(EndpointReranker("judge", "", KEY))
