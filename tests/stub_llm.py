"""A real HTTP server on 127.0.0.1 that speaks Chat Completions, well or badly.

    with StubLLM(delay=2.0, behaviour="ok") as stub:
        ...  # stub.base_url, stub.calls, stub.peak
        stub.behaviour = "prose"  # may change while it runs
        stub.by_kind["facts"] = "server_error"
        stub.enqueue("rate_limited", "ok")  # the next two requests, then as above

Behaviours, such as "ok", which answers with valid JSON made from the numbered pages in the prompt,
are in `stub_behaviours.py`.
"""

import json
import select
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from socket import MSG_PEEK, SHUT_RDWR, socket
from types import TracebackType
from typing import Any, Self

from tests.stub_behaviours import BEHAVIOURS, Answer, Call, answer_to, error, kind_of, tokens_of


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

    def answer(self, body: Mapping[str, Any], key: str, gone: Callable[[], bool]) -> Answer | None:
        """What to send, after its time; None to hang up. gone: whether the client is."""
        call = self._arrived(body)
        try:
            self._open.wait()
            if not self._work(gone):
                return None
            answer = answer_to(call, key, self.retry_after)
            call.status = answer.status if answer else 0
            return answer
        finally:
            with self._lock:
                self.in_flight -= 1
            call.ended = time.monotonic()

    def list_models(self) -> Answer:
        """What `GET /models` answers: status `listed`, names `models`."""
        if self.listed != 200:
            return error(self.listed, "no list for you")
        return Answer(200, json.dumps({"data": [{"id": name} for name in self.models]}))

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
        kind = kind_of(body)
        with self._lock:
            behaviour = (
                self._next.popleft() if self._next else self.by_kind.get(kind, self.behaviour)
            )
            if self.busy_beyond is not None and self.in_flight >= self.busy_beyond:
                behaviour = "rate_limited"
            if behaviour not in BEHAVIOURS:
                raise ValueError(f"no such behaviour: {behaviour}")
            call = Call(kind, behaviour, body, time.monotonic(), prompt_tokens=tokens_of(body))
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
        answer: Answer | None = error(404, "no such path")
        if self._path() == "/v1/chat/completions":
            key = self.headers.get("Authorization", "")
            answer = self.server.stub.answer(body, key, self._is_gone)
        self._send(answer)

    def do_GET(self) -> None:
        listing = self._path() == "/v1/models"
        self._send(self.server.stub.list_models() if listing else error(404, "no such path"))

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

    def _send(self, answer: Answer | None) -> None:
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
