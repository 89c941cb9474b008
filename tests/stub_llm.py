"""A real HTTP server on 127.0.0.1 that speaks Chat Completions, well or badly.

    with StubLLM(delay=2.0, behaviour="ok") as stub:
        ...  # stub.base_url, stub.calls, stub.peak
        stub.behaviour = "prose"  # may change while it runs
        stub.by_kind["facts"] = "server_error"
        stub.enqueue("rate_limited", "ok")  # the next two requests, then as above

Behaviour "ok" answers what was asked with valid JSON made from the numbered pages in the prompt.
It knows the wire and nothing of this project's code.
"""

import json
import re
import select
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import MSG_PEEK, SHUT_RDWR, socket
from types import TracebackType
from typing import Any, Self

from tests import stub_zoo
from tests.stub_answers import plausible as plausible

BEHAVIOURS = stub_zoo.ZOO | frozenset(
    {
        "ok",
        "fenced",  # the JSON in a Markdown fence, between sentences
        "think",  # a <think> block before the JSON
        "list",  # the bare list instead of the object
        "out_of_range",  # valid, with numbers of pages that are not there
        "no_usage",  # valid, without token counts
        "prose",
        "truncated",  # cut in the middle, finish_reason "length"
        "cut_json",  # cut in the middle, finish_reason "stop"
        "wrong_types",
        "empty",
        "no_choices",
        "html",  # a page with status 200
        "rate_limited",  # 429 with Retry-After
        "server_error",  # 500
        "unauthorized",  # 401, with the key in the message
        "not_found",  # 404
        "bad_request",  # 400 about nothing that could be adapted, quoting the prompt
        "no_json_schema",  # refuses that response_format, otherwise ok
        "no_response_format",  # refuses each response_format, otherwise ok
        "no_max_tokens",  # wants max_completion_tokens, otherwise ok
        "no_temperature",  # refuses it, otherwise ok
        "disconnect",  # closes the connection without an answer
    }
)
_KINDS = {"topics": "topics", "facts": "facts", "changes": "profile"}


@dataclass(slots=True)
class Call:
    """One request. started, ended: seconds of `time.monotonic`; form: of `response_format`."""

    kind: str
    behaviour: str
    body: Mapping[str, Any]
    started: float
    ended: float = 0.0
    status: int = 0
    prompt_tokens: int = 0

    @property
    def form(self) -> str:
        """Type of the asked `response_format`, or "" without one."""
        return str(self.body.get("response_format", {}).get("type", ""))

    @property
    def system(self) -> str:
        return str(self.body["messages"][0]["content"])

    @property
    def text(self) -> str:
        return str(self.body["messages"][-1]["content"])


@dataclass(frozen=True, slots=True)
class _Answer:
    status: int
    content: str
    type: str = "application/json"
    headers: Mapping[str, str] = field(default_factory=dict)


class StubLLM:
    """The server, as a context manager.

    Args:
        delay: seconds each answer takes.
        behaviour: one of `BEHAVIOURS`, for each request.
        retry_after: what a 429 asks to wait, in seconds.
        slots: answers at work at the same time; other requests wait, and are dropped when the
            client goes. None: any number.
        busy_beyond: with so many at work already a request gets a 429. None: never.

    Attributes:
        calls: every request, in order of arrival.
        in_flight, peak: requests under way, now and at most.
    """

    def __init__(
        self,
        *,
        delay: float = 0.0,
        behaviour: str = "ok",
        retry_after: float = 0.01,
        slots: int | None = None,
        busy_beyond: int | None = None,
    ) -> None:
        self.delay = delay
        self.behaviour = behaviour
        self.by_kind: dict[str, str] = {}
        self.retry_after = retry_after
        self.busy_beyond = busy_beyond
        self.models = ("stub-1", "stub-embed")
        self.listed = 200
        self.queries: list[str] = []
        self.calls: list[Call] = []
        self.in_flight = 0
        self.peak = 0
        self._slots = threading.Semaphore(1000 if slots is None else slots)
        self._next: deque[str] = deque()
        self._lock = threading.Condition()
        self._open = threading.Event()
        self._open.set()
        self._stopped = threading.Event()
        self._server = _Server(self)
        self._thread = threading.Thread(
            target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, name="stub-llm"
        )

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def prompt_tokens(self) -> int:
        """Estimated tokens of all prompts that got an answer."""
        return sum(call.prompt_tokens for call in list(self.calls) if call.status == 200)

    def enqueue(self, *behaviours: str) -> None:
        """Behaviours of the next requests, before `by_kind` and `behaviour` count."""
        self._next.extend(behaviours)

    def count(self, kind: str) -> int:
        """Requests of this kind so far."""
        return sum(call.kind == kind for call in list(self.calls))

    def hold(self) -> None:
        """Let requests wait, until `release`."""
        self._open.clear()

    def release(self) -> None:
        """Answer those that wait, and all later ones at once."""
        self._open.set()

    def wait_in_flight(self, number: int, seconds: float = 10.0) -> bool:
        """Block (in a thread of yours) until so many requests are under way; False: in vain."""
        with self._lock:
            return self._lock.wait_for(lambda: self.in_flight >= number, seconds)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._stopped.set()
        self._open.set()
        self._server.shutdown()
        self._thread.join()
        self._server.hang_up()
        self._server.server_close()

    def answer(self, body: Mapping[str, Any], key: str, gone: Callable[[], bool]) -> _Answer | None:
        """What to send, after its time; None to hang up. gone: whether the client is."""
        call = self._arrived(body)
        try:
            self._open.wait()
            if not self._work(gone):
                return None
            answer = _answer(call, key, self.retry_after)
            call.status = answer.status if answer else 0
            return answer
        finally:
            with self._lock:
                self.in_flight -= 1
            call.ended = time.monotonic()

    def list_models(self) -> _Answer:
        """What `GET /models` answers: status `listed`, names `models`."""
        if self.listed != 200:
            return _error(self.listed, "no list for you")
        return _Answer(200, json.dumps({"data": [{"id": name} for name in self.models]}))

    def _work(self, gone: Callable[[], bool]) -> bool:
        """Take a slot and the time an answer takes; false: the client has gone meanwhile."""
        while not self._slots.acquire(timeout=0.02):
            if gone() or self._stopped.is_set():
                return False
        try:
            end = time.monotonic() + self.delay
            while (left := end - time.monotonic()) > 0 and not self._stopped.wait(min(left, 0.05)):
                if gone():
                    return False
            return True
        finally:
            self._slots.release()

    def _arrived(self, body: Mapping[str, Any]) -> Call:
        kind = _kind(body)
        with self._lock:
            behaviour = (
                self._next.popleft() if self._next else self.by_kind.get(kind, self.behaviour)
            )
            if self.busy_beyond is not None and self.in_flight >= self.busy_beyond:
                behaviour = "rate_limited"
            if behaviour not in BEHAVIOURS:
                raise ValueError(f"no such behaviour: {behaviour}")
            call = Call(kind, behaviour, body, time.monotonic(), prompt_tokens=_tokens(body))
            self.calls.append(call)
            self.in_flight += 1
            self.peak = max(self.peak, self.in_flight)
            self._lock.notify_all()
        return call


class _Server(ThreadingHTTPServer):
    daemon_threads = False
    block_on_close = True
    request_queue_size = 128

    def __init__(self, stub: StubLLM) -> None:
        self.stub = stub
        self._connections: set[socket] = set()
        self._guard = threading.Lock()
        super().__init__(("127.0.0.1", 0), _Handler)

    def connected(self, connection: socket) -> None:
        with self._guard:
            self._connections.add(connection)

    def disconnected(self, connection: socket) -> None:
        with self._guard:
            self._connections.discard(connection)

    def hang_up(self) -> None:
        """End the connections that clients keep alive, so that their threads end."""
        with self._guard:
            for connection in self._connections:
                try:
                    connection.shutdown(SHUT_RDWR)
                except OSError:
                    continue  # the client was faster


class _Handler(BaseHTTPRequestHandler):
    server: _Server
    protocol_version = "HTTP/1.1"
    disable_nagle_algorithm = True
    wbufsize = -1

    def setup(self) -> None:
        super().setup()
        self.server.connected(self.connection)

    def handle(self) -> None:
        try:
            super().handle()
        except ConnectionError:
            self.close_connection = True  # a client that was cancelled

    def finish(self) -> None:
        self.server.disconnected(self.connection)
        try:
            super().finish()
        except ConnectionError:
            self.close_connection = True

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        answer: _Answer | None = _error(404, "no such path")
        if self._path() == "/v1/chat/completions":
            key = self.headers.get("Authorization", "")
            answer = self.server.stub.answer(body, key, self._is_gone)
        self._send(answer)

    def do_GET(self) -> None:
        listing = self._path() == "/v1/models"
        self._send(self.server.stub.list_models() if listing else _error(404, "no such path"))

    def _path(self) -> str:
        path, _, query = self.path.partition("?")
        self.server.stub.queries += [query] if query else []
        return path

    def _is_gone(self) -> bool:
        """Whether the client has closed its side."""
        if not select.select([self.connection], [], [], 0)[0]:
            return False
        try:
            return not self.connection.recv(1, MSG_PEEK)
        except OSError:
            return True

    def _send(self, answer: _Answer | None) -> None:
        if answer is None:
            self.close_connection = True
            return
        content = answer.content.encode("utf-8", "replace")
        self.send_response(answer.status)
        for name, value in {"Content-Type": answer.type, **answer.headers}.items():
            self.send_header(name, value)
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)
        self.wfile.flush()

    def log_message(self, format: str, *args: object) -> None:
        return


def _kind(body: Mapping[str, Any]) -> str:
    schema = body.get("response_format", {}).get("json_schema", {})
    if schema:
        return str(schema.get("name"))
    said = str(body["messages"][0]["content"])
    # The first field, or the one inside the entries of an answer page by page.
    shown = re.search(r'"properties":\{(?:"pages":.*?"page":\{[^}]*\},)?"(\w+)"', said)
    return _KINDS.get(shown[1], shown[1]) if shown else "write"


def _tokens(body: Mapping[str, Any]) -> int:
    """A rough count: four characters of Latin script a token, one of any other."""
    schema = body.get("response_format", {}).get("json_schema", "")
    text = "".join(str(m["content"]) for m in body["messages"]) + (
        json.dumps(schema) if schema else ""
    )
    latin = sum(char.isascii() for char in text)
    return latin // 4 + len(text) - latin


def _answer(call: Call, key: str, retry_after: float) -> _Answer | None:
    match call.behaviour:
        case "disconnect":
            return None
        case "rate_limited":
            headers = {"Retry-After": f"{retry_after:g}"}
            return _error(429, "slow down", code="rate_limit_exceeded", headers=headers)
        case "server_error":
            return _error(500, "out of order")
        case "unauthorized":
            return _error(401, f"Incorrect API key provided: {key}", code="invalid_api_key")
        case "not_found":
            return _error(404, f"The model {call.body['model']} does not exist")
        case "bad_request":
            return _error(400, f"Cannot process: {call.text}")
        case "html":
            return _Answer(200, "<html><body>Please log in</body></html>", "text/html")
        case "no_choices":
            return _Answer(200, json.dumps({"object": "chat.completion", "choices": []}))
    return _refused_parameter(call) or _refused_by_zoo(call) or _completion(call)


def _refused_by_zoo(call: Call) -> _Answer | None:
    refused = stub_zoo.refused(call.behaviour, call.body, call.prompt_tokens)
    return _Answer(refused[0], json.dumps(refused[1])) if refused else None


def _refused_parameter(call: Call) -> _Answer | None:
    def unsupported(name: str, instead: str) -> _Answer:
        message = f"Unsupported parameter: '{name}' is not supported with this model. {instead}"
        return _error(400, message, code="unsupported_parameter", param=name)

    refused = {"no_json_schema": ("json_schema",), "no_response_format": (call.form,)}
    if call.form and call.form in refused.get(call.behaviour, ()):
        return _error(400, f"This response_format type ({call.form}) is unavailable now")
    if call.behaviour == "no_max_tokens" and "max_tokens" in call.body:
        return unsupported("max_tokens", "Use 'max_completion_tokens' instead.")
    if call.behaviour == "no_temperature" and "temperature" in call.body:
        return unsupported("temperature", "Only the default (1) value is supported.")
    return None


def _completion(call: Call) -> _Answer:
    content = _content(call)
    thinking = stub_zoo.thinks(call.behaviour, call.body)
    # Somebody who counts to ten thousand before speaking.
    message = {"role": "assistant", "content": "" if thinking else content}
    if thinking:
        name = "reasoning" if call.behaviour == "ollama_thinker" else "reasoning_content"
        message[name] = "One, two, three, "
    shortened = stub_zoo.cut(call.behaviour, content) if _has_items(call, content) else None
    if shortened is not None:
        message["content"] = shortened
    stopped = thinking or shortened is not None or call.behaviour == "truncated"
    choice = {"index": 0, "message": message, "finish_reason": "length" if stopped else "stop"}
    counted = call.prompt_tokens
    if call.behaviour == "silent_cut":
        counted = min(counted, stub_zoo.WINDOW)
    answer = {"object": "chat.completion", "model": call.body["model"], "choices": [choice]}
    if call.behaviour != "no_usage":
        answer["usage"] = {"prompt_tokens": counted, "completion_tokens": len(content) // 4 + 1}
    before = "\n\n" if call.behaviour == "keep_alive" else ""
    return _Answer(200, before + json.dumps(answer))


def _has_items(call: Call, content: str) -> bool:
    return call.kind in _KINDS.values() and "[{" in content


def _content(call: Call) -> str:
    shift = 1000 if call.behaviour == "out_of_range" else 0
    value = plausible(call.kind, call.text, shift)
    if value is None:
        text = "天空是蓝色的。" if "天空" in call.text else "This is what I know about it."
    else:
        value = stub_zoo.reshaped(call.behaviour, value)
        if call.behaviour not in ("list", "wrong_types"):
            value = _as_asked(call.body, value)
        text = json.dumps(value, ensure_ascii=False)
    match call.behaviour:
        case "prose":
            return "I am sorry, but I would rather talk about the weather."
        case "empty":
            return ""
        case "truncated" | "cut_json":
            return text[: len(text) * 2 // 3]
        case "fenced":
            return f"Sure! Here it is:\n```json\n{text}\n```\nAnything else?"
        case "think":
            return f'<think>\nMaybe {{"facts": []}}? No.\n</think>\n{text}'
        case "list" if value:
            return json.dumps(next(iter(value.values())), ensure_ascii=False)
        case "wrong_types" if value:
            return json.dumps(dict.fromkeys(value, "none"))
    return text


def _as_asked(body: Mapping[str, Any], value: dict[str, Any]) -> dict[str, Any]:
    """The same page by page where the schema is of that form, with an entry for each page."""
    asked = json.dumps(body.get("response_format", {})) + str(body["messages"][0]["content"])
    entries = re.search(r'"minItems": ?(\d+)', asked)
    if not entries:
        return value
    ((name, items),) = value.items()
    numbers = {*range(1, int(entries[1]) + 1), *(item["pages"][0] for item in items)}
    held: dict[int, list[Any]] = {number: [] for number in sorted(numbers)}
    for item in items:
        held[item["pages"][0]].append({key: of for key, of in item.items() if key != "pages"})
    return {"pages": [{"page": number, name: said} for number, said in held.items()]}


def _error(
    status: int,
    message: str,
    *,
    code: str | None = None,
    param: str | None = None,
    headers: Mapping[str, str] | None = None,
) -> _Answer:
    error = {"message": message, "type": "invalid_request_error", "code": code, "param": param}
    return _Answer(status, json.dumps({"error": error}), headers=headers or {})
