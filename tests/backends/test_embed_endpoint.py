"""The endpoint embedder against a real HTTP server on loopback."""

import json
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import numpy as np
import pytest

from memory_core.backends.embed_endpoint import EndpointEmbedder
from memory_core.errors import EmbedderError

KEY = "sk-very-secret-0123456789"
TEXT = "I am allergic to peanuts"
DIMENSION = 4

Answer = tuple[int, Any]


def vector_of(text: str) -> list[float]:
    codes = [float(ord(character)) for character in text[:DIMENSION].ljust(DIMENSION)]
    return [10 * code for code in codes]


def vectors(body: dict[str, Any]) -> Answer:
    rows = [
        {"object": "embedding", "index": index, "embedding": vector_of(text)}
        for index, text in enumerate(body["input"])
    ]
    return 200, {"object": "list", "model": body["model"], "data": rows}


@dataclass
class Endpoint:
    """What the server answers with, and what it was asked."""

    answer: Callable[[dict[str, Any]], Answer] = vectors
    asked: list[dict[str, Any]] = field(default_factory=list)
    keys: list[str] = field(default_factory=list)
    paths: list[str] = field(default_factory=list)
    url: str = ""


@contextmanager
def serving(endpoint: Endpoint) -> Iterator[Endpoint]:
    class Handler(BaseHTTPRequestHandler):
        def handle(self) -> None:
            with suppress(ConnectionError):  # a client that did not wait
                super().handle()

        def do_POST(self) -> None:
            body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
            endpoint.asked.append(body)
            endpoint.paths.append(self.path)
            endpoint.keys.append(self.headers["Authorization"])
            status, reply = endpoint.answer(body)
            page = isinstance(reply, str)
            payload = reply.encode() if page else json.dumps(reply).encode()
            self.send_response(status)
            self.send_header("Content-Type", "text/html" if page else "application/json")
            self.send_header("Content-Length", str(len(payload)))
            self.send_header("retry-after-ms", "1")
            self.end_headers()
            self.wfile.write(payload)

        def log_message(self, format: str, *args: object) -> None:
            """Nothing: the test's output is the test's."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.01})
    thread.start()
    endpoint.url = f"http://127.0.0.1:{server.server_port}/v1"
    try:
        yield endpoint
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


@pytest.fixture
def endpoint() -> Iterator[Endpoint]:
    with serving(Endpoint()) as served:
        yield served


async def failure(embedder: EndpointEmbedder) -> str:
    """The message of a query that fails; that it gives nothing away is checked each time."""
    with pytest.raises(EmbedderError) as caught:
        await embedder.embed_query(TEXT)
    await embedder.close()
    message = str(caught.value)
    assert KEY not in message and TEXT not in message
    return message


async def test_vectors_come_back_in_order_and_of_unit_length(endpoint: Endpoint) -> None:
    embedder = EndpointEmbedder("small", endpoint.url, KEY)
    await embedder.load()
    rows = await embedder.embed_documents(["abcd", "zzzz", "花生"])
    await embedder.close()
    assert rows.shape == (3, DIMENSION)
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0)
    expected = [np.array(vector_of(text)) for text in ("abcd", "zzzz", "花生")]
    np.testing.assert_allclose(rows, [row / np.linalg.norm(row) for row in expected], atol=1e-6)


async def test_loading_learns_the_dimension_with_one_call(endpoint: Endpoint) -> None:
    embedder = EndpointEmbedder("small", endpoint.url, KEY)
    await embedder.load()
    await embedder.load()
    await embedder.close()
    assert (embedder.name, embedder.dimension) == ("endpoint/small/4", 4)
    assert embedder.similarity_threshold is None
    assert len(endpoint.asked) == 1


def test_what_is_not_yet_known_is_said_to_be() -> None:
    with pytest.raises(EmbedderError, match="not been asked yet"):
        _ = EndpointEmbedder("small").name


async def test_requests_carry_model_key_and_plain_numbers(endpoint: Endpoint) -> None:
    embedder = EndpointEmbedder("small", endpoint.url, KEY)
    await embedder.load()
    await embedder.close()
    assert endpoint.asked[0]["model"] == "small"
    assert endpoint.asked[0]["encoding_format"] == "float"
    assert endpoint.keys == [f"Bearer {KEY}"]


async def test_no_key_is_none_of_anybody(endpoint: Endpoint) -> None:
    embedder = EndpointEmbedder("small", endpoint.url)
    await embedder.load()
    await embedder.close()
    assert endpoint.keys == ["Bearer unused"]


async def test_many_texts_go_in_batches_and_keep_their_order(endpoint: Endpoint) -> None:
    embedder = EndpointEmbedder("small", endpoint.url, KEY)
    await embedder.load()
    texts = [f"{number:04}" for number in range(150)]
    rows = await embedder.embed_documents(texts)
    await embedder.close()
    assert [len(body["input"]) for body in endpoint.asked[1:]] == [64, 64, 22]
    expected = np.array([vector_of(text) for text in texts])
    np.testing.assert_allclose(rows[149], expected[149] / np.linalg.norm(expected[149]), atol=1e-6)


async def test_rows_are_put_in_order_by_their_index(endpoint: Endpoint) -> None:
    def reversed_rows(body: dict[str, Any]) -> Answer:
        status, reply = vectors(body)
        return status, {**reply, "data": reply["data"][::-1]}

    embedder = EndpointEmbedder("small", endpoint.url, KEY)
    straight = await embedder.embed_documents(["abcd", "zzzz"])
    endpoint.answer = reversed_rows
    np.testing.assert_array_equal(await embedder.embed_documents(["abcd", "zzzz"]), straight)
    await embedder.close()


async def test_no_texts_are_no_rows(endpoint: Endpoint) -> None:
    embedder = EndpointEmbedder("small", endpoint.url, KEY)
    assert (await embedder.embed_documents([])).shape == (0, DIMENSION)
    await embedder.close()


async def test_odd_text_is_sent_as_something_that_can_be_embedded(endpoint: Endpoint) -> None:
    embedder = EndpointEmbedder("small", endpoint.url, KEY)
    rows = await embedder.embed_documents(["", "\0", "\ud83d", "x" * 2_000_000])
    await embedder.close()
    assert np.linalg.norm(rows, axis=1) == pytest.approx(1.0)
    assert all(0 < len(text) <= embedder.window for text in endpoint.asked[-1]["input"])


@pytest.mark.parametrize(
    ("status", "hint"),
    [(401, "key"), (404, "name"), (429, "again"), (500, "again")],
)
async def test_a_refusal_says_status_and_what_to_do(
    endpoint: Endpoint, status: int, hint: str
) -> None:
    endpoint.answer = lambda body: (status, {"error": {"message": f"no: {KEY} {body['input']}"}})
    message = await failure(EndpointEmbedder("small", endpoint.url, KEY))
    assert str(status) in message and hint in message


async def test_it_recovers_when_the_endpoint_does(endpoint: Endpoint) -> None:
    endpoint.answer = lambda body: (401, {"error": {"message": "no"}})
    embedder = EndpointEmbedder("small", endpoint.url, KEY)
    with pytest.raises(EmbedderError):
        await embedder.load()
    endpoint.answer = vectors
    await embedder.load()
    await embedder.close()
    assert embedder.dimension == DIMENSION


@pytest.mark.parametrize(
    "reply",
    [
        "<html>hello</html>",
        {"data": []},
        {"data": None},
        {"detail": "nothing here"},
        [],
        {"data": [{"index": 0}]},
        {"data": [{"index": 0, "embedding": []}]},
        {"data": [{"index": 0, "embedding": "AACAPw=="}]},
        {"data": [{"index": 0, "embedding": [1.0]}, {"index": 1, "embedding": [1.0]}]},
        {"data": [{"index": 0, "embedding": ["one", None]}]},
    ],
    ids=str,
)
async def test_an_answer_without_one_vector_a_text_is_refused(
    endpoint: Endpoint, reply: object
) -> None:
    endpoint.answer = lambda body: (200, reply)
    assert "one vector a text" in await failure(EndpointEmbedder("small", endpoint.url, KEY))


async def test_vectors_of_another_length_than_before_are_refused(endpoint: Endpoint) -> None:
    embedder = EndpointEmbedder("small", endpoint.url, KEY)
    await embedder.load()
    endpoint.answer = lambda body: (200, {"data": [{"index": 0, "embedding": [1.0, 2.0]}]})
    assert "one vector a text" in await failure(embedder)


async def test_an_endpoint_that_is_down_is_said_to_be() -> None:
    with serving(Endpoint()) as gone:
        pass
    assert "cannot be reached" in await failure(EndpointEmbedder("small", gone.url, KEY))


async def test_an_endpoint_that_hangs_is_given_up(endpoint: Endpoint) -> None:
    release = threading.Event()

    def hang(body: dict[str, Any]) -> Answer:
        release.wait(30)
        return vectors(body)

    embedder = EndpointEmbedder("small", endpoint.url, KEY, timeout=0.5)
    await embedder.load()
    endpoint.answer = hang
    try:
        assert "within 0.5 seconds" in await failure(embedder)
    finally:
        release.set()


async def test_after_close_it_connects_again(endpoint: Endpoint) -> None:
    embedder = EndpointEmbedder("small", endpoint.url, KEY)
    before = await embedder.embed_query(TEXT)
    await embedder.close()
    np.testing.assert_array_equal(await embedder.embed_query(TEXT), before)
    await embedder.close()


@pytest.mark.parametrize("url", ["localhost:1234", "ftp://example", "http://"])
async def test_a_base_url_that_cannot_be_one_is_refused(url: str) -> None:
    assert "http://" in await failure(EndpointEmbedder("small", url, KEY))
