"""The server process, the official client and an endpoint over HTTP, all of them real."""

import random
from collections import Counter
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path
from typing import Any

import anyio
import pytest
from anyio import to_thread
from mcp import Client
from mcp.client.stdio import StdioServerParameters

from tests.end_to_end.turns import (
    EAGER,
    LINES,
    SAID,
    STATED,
    arguments,
    bullet_lines,
    turn,
    turns_of,
)
from tests.server.process import command, environment, started
from tests.stub_llm import StubLLM

PATIENCE_SECONDS = 90.0

Reply = dict[str, Any]
Ready = Callable[[Reply], bool]


def tells(words: str, reply: Reply) -> bool:
    return any(words in note for note in reply["notes"])


def is_filled(view: Reply) -> bool:
    return view["version"] > 0 and not view["pending"]


class Session:
    """A client of a server of its own. `call` fails on any tool error."""

    def __init__(self, client: Client) -> None:
        self._client = client

    async def call(self, tool: str, **given: Any) -> Reply:
        result = await self._client.call_tool(tool, given)
        assert not result.is_error, result.content
        reply: Reply = result.structured_content
        return reply

    async def add_all(self, first: int = 0, **whose: str) -> set[str]:
        """Add what is said, as turns from this number on."""
        replies = [
            await self.call("add_memory", **turn(said, number), **whose)
            for number, said in enumerate(SAID, first)
        ]
        return {reply["id"] for reply in replies}

    async def profile_when(self, ready: Ready, **whose: str) -> Reply:
        """The profile as soon as it is as the caller waits for."""
        while True:
            view = await self.call("get_user_profile", **whose)
            if ready(view):
                return view
            await anyio.sleep(0.05)


@asynccontextmanager
async def session(home: Path, **settings: Any) -> AsyncIterator[Session]:
    """A server without an embedding model, unless the settings name one."""
    program, *rest = command(home / "data", *arguments(**settings))
    parameters = StdioServerParameters(command=program, args=rest, env=environment(home), cwd=home)
    with anyio.fail_after(PATIENCE_SECONDS):
        async with Client(parameters) as client:
            yield Session(client)


def model_settings(stub: StubLLM, **more: Any) -> dict[str, Any]:
    return EAGER | {"openai_base_url": stub.base_url, "llm_model": "stub-1"} | more


async def test_faults_of_the_endpoint_are_seen_by_the_client(tmp_path: Path) -> None:
    """One server; each fault meets a user of its own, since failed work waits per user."""
    notes = {"server_error": "500", "rate_limited": "429", "prose": "no usable answer"}
    with StubLLM() as stub:
        async with session(tmp_path, **model_settings(stub)) as client:
            for behaviour, note in notes.items():
                stub.behaviour = behaviour
                ids = await client.add_all(user_id=behaviour)
                view = await client.profile_when(partial(tells, note), user_id=behaviour)
                found = await client.call(
                    "retrieve_memory", query="turn", max_results=50, user_id=behaviour
                )
                assert tells(note, found), found["notes"]
                assert (view["user_profile"], view["user_knowledge"]) == ("", [])
                assert {item["id"] for item in turns_of(found)} == ids


async def test_an_endpoint_that_is_too_slow_is_seen_by_the_client(tmp_path: Path) -> None:
    with StubLLM(delay=5) as stub:
        settings = model_settings(stub, llm_timeout_seconds=1)
        async with session(tmp_path, **settings) as client:
            await client.add_all()
            view = await client.profile_when(partial(tells, "did not answer within 1 seconds"))
    assert (view["user_profile"], view["user_knowledge"]) == ("", [])


async def test_a_model_fills_the_tiers_within_the_bound_on_parallel_calls(
    tmp_path: Path,
) -> None:
    users = [f"user{number}" for number in range(4)]
    with StubLLM(delay=0.05, behaviour="think") as stub:
        settings = model_settings(stub, llm_max_parallel=2)
        async with session(tmp_path, **settings) as client:
            async with anyio.create_task_group() as group:
                for user in users:
                    group.start_soon(partial(client.add_all, user_id=user))
            for user in users:
                view = await client.profile_when(is_filled, user_id=user)
                assert view["made_by"] == "stub-1"
                assert {fact["made_by"] for fact in view["user_knowledge"]} == {"stub-1"}
                assert {fact["text"] for fact in view["user_knowledge"]} <= STATED
                assert set(bullet_lines(view["user_profile"])) <= LINES
        assert stub.peak == 2
        assert {call.kind for call in stub.calls} == {"topics", "facts", "profile"}


async def test_no_add_waits_for_a_model(tmp_path: Path) -> None:
    with StubLLM() as stub:
        stub.hold()
        async with session(tmp_path, **model_settings(stub)) as client:
            await client.add_all()
            assert await to_thread.run_sync(stub.wait_in_flight, 1, PATIENCE_SECONDS)
            await client.add_all(len(SAID))
            found = await client.call("retrieve_memory", query="turn", max_results=50)
            assert len(turns_of(found)) == 2 * len(SAID)
            assert [call.ended for call in stub.calls if call.ended] == []
            stub.release()
            await client.profile_when(is_filled)


async def test_two_hundred_adds_at_once_are_two_hundred_turns(tmp_path: Path) -> None:
    ids: list[str] = []

    async def add(client: Session, number: int) -> None:
        ids.append((await client.call("add_memory", **turn(f"Fact {number}.", number)))["id"])

    async with session(tmp_path) as client:
        async with anyio.create_task_group() as group:
            for number in range(200):
                group.start_soon(add, client, number)
        found: set[str] = set()
        for number in range(200):
            reply = await client.call("retrieve_memory", query=f"fact {number}", max_results=5)
            found |= {item["id"] for item in turns_of(reply)}
    assert len(set(ids)) == 200
    assert found == set(ids)


def mixed_requests(number: int) -> tuple[str, dict[str, Any]]:
    """A request of some kind, right or wrong: (method, parameters)."""
    said = SAID[number % len(SAID)]
    calls: tuple[tuple[str, Any], ...] = (
        ("add_memory", turn(said, number)),
        ("add_memory", turn("长" * 20_000 + said, number)),
        ("retrieve_memory", {"query": said, "max_results": 3}),
        ("get_user_profile", {"include_assistant_knowledge": True}),
        ("add_memory", {}),
        ("retrieve_memory", {"query": said, "max_results": -1}),
        ("no_such_tool", {"x": [1, None, "\ud800"]}),
        ("add_memory", "no object"),
    )
    if number % 25 == 0:
        return ("no/such/method", {})
    name, given = calls[number % len(calls)]
    return ("tools/call", {"name": name, "arguments": given})


def test_five_hundred_mixed_requests_get_one_reply_each_and_nothing_else_is_written(
    tmp_path: Path,
) -> None:
    numbers = list(range(1000, 1500))
    random.Random(7).shuffle(numbers)
    with started(tmp_path, "--embedding-model-name", "bundled") as server:
        server.greet()
        for number in numbers:
            method, params = mixed_requests(number)
            server.send(id=number, method=method, params=params)
        replies = [server.receive() for _ in numbers]
        server.end_input()
        assert server.wait() == 0
        assert server.rest() == []
    assert Counter(reply["id"] for reply in replies) == Counter(numbers)
    assert all(("result" in reply) != ("error" in reply) for reply in replies)
    stored = [
        reply for reply in replies if "id" in reply.get("result", {}).get("structuredContent", {})
    ]
    assert len(stored) > 100


@pytest.mark.parametrize("embedder", ["none", "bundled"])
async def test_what_is_added_is_found_at_once(tmp_path: Path, embedder: str) -> None:
    async with session(tmp_path, embedding_model_name=embedder) as client:
        for number, said in enumerate(SAID):
            added = await client.call("add_memory", **turn(said, number))
            found = await client.call("retrieve_memory", query=said)
            scores = {item["id"]: item["score"] for item in turns_of(found)}
            assert scores[added["id"]] > 0
