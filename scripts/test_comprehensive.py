"""Is this installation sound? Checks the running command from outside, with the official client.

    python scripts/test_comprehensive.py --command "memstrata"

Without --command the server of this interpreter is checked. The memory is in a temporary
directory, and no language model is asked unless the command names one. Exit code 0: every check
holds; 1: one does not; 2: the command is no MCP server.
"""

import argparse
import json
import logging
import os
import shlex
import shutil
import signal
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterable
from contextlib import asynccontextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import anyio
from anyio.streams.buffered import BufferedByteReceiveStream
from mcp import Client, MCPError, StdioServerParameters

OWN_SERVER = shlex.join([sys.executable, "-P", "-m", "server"])
# Writes its process id, then becomes the server: so that it can be killed.
LAUNCHER = "import os, sys; open(sys.argv[1], 'w').write(str(os.getpid())); os.execvp(sys.argv[2], sys.argv[2:])"  # noqa: E501
FACTS = (
    ("I live in Lisbon.", "A bright city."),
    ("My dog is called Toby.", "Hello Toby!"),
    ("I am allergic to peanuts.", "I will keep peanuts out of recipes."),
    ("I work as a marine biologist.", "The sea must be close, then."),
    ("My sister plays the cello in an orchestra.", "Which orchestra?"),
)
QUESTIONS = (
    ("Where do I live?", "Lisbon"),
    ("What is my dog called?", "Toby"),
    ("What am I allergic to?", "peanuts"),
    ("What is my work as a biologist?", "marine"),
    ("Who plays the cello?", "sister"),
)
CHINESE = (
    ("茶", "我每天早上喝茶。"),
    ("爬山", "周末我们去爬山，风很大。"),
    ("里斯本", "我去年搬到了里斯本。"),
    ("Python 爬虫", "我用 Python 写了一个爬虫。"),
    ("🌵", "我的 🌵 该浇水了。"),
)
BAD_INPUT: tuple[tuple[str, dict[str, Any], str], ...] = (
    ("add_memory", {}, "empty"),
    ("add_memory", {"user_input": " ", "agent_response": ""}, "empty"),
    ("add_memory", {"user_input": "x", "timestamp": "last tuesday"}, "timestamp"),
    ("add_memory", {"user_input": "x", "meta_data": "no object"}, "meta_data"),
    ("retrieve_memory", {}, "query"),
    ("retrieve_memory", {"query": ""}, "query"),
    ("retrieve_memory", {"query": "x", "max_results": 0}, "max_results"),
    ("retrieve_memory", {"query": "x", "max_results": 101}, "max_results"),
    ("retrieve_memory", {"query": "x", "max_results": "many"}, "max_results"),
    ("retrieve_memories", {"query": "x"}, "retrieve_memory"),
)

Reply = dict[str, Any]


class Failed(Exception):
    """A check does not hold; says what was seen."""


def expect(holds: bool, otherwise: str) -> None:
    if not holds:
        raise Failed(otherwise)


@dataclass(frozen=True, slots=True)
class Session:
    """A running server and a client of it."""

    client: Client

    async def call(self, tool: str, **arguments: Any) -> Reply:
        result = await self.client.call_tool(tool, arguments)
        expect(not result.is_error, f"{tool} failed: {result.content}")
        return result.structured_content or {}

    async def error_of(self, tool: str, arguments: Reply) -> str:
        """The sentence with which a call is refused."""
        result = await self.client.call_tool(tool, arguments)
        expect(result.is_error, f"{tool} took {arguments}")
        return " ".join(getattr(item, "text", "") for item in result.content)

    async def add_turns(self, turns: Iterable[tuple[str, str]], **whose: str) -> list[Reply]:
        return [
            await self.call("add_memory", user_input=said, agent_response=answer, **whose)
            for said, answer in turns
        ]

    async def turns_with(self, words: str, **whose: str) -> list[Reply]:
        """Every turn in which the user said so, from the window and from behind it."""
        found = await self.call(
            "retrieve_memory", query=words, max_results=100, max_tokens=100_000, **whose
        )
        turns = [*found["short_term_memory"], *found["retrieved_pages"]]
        return [turn for turn in turns if turn["score"] > 0 and words in turn["user_input"]]


@dataclass(frozen=True, slots=True)
class Installation:
    """The command to check, and where its memory is."""

    command: list[str]
    data: Path

    def server_command(self) -> list[str]:
        return [*self.command, f"--data_storage_path={self.data}"]

    @asynccontextmanager
    async def started(self, launcher: list[str] | None = None) -> AsyncIterator[Session]:
        program, *arguments = [*(launcher or []), *self.server_command()]
        async with Client(StdioServerParameters(command=program, args=arguments)) as client:
            yield Session(client)


# --- in one session


async def listed_tools(session: Session) -> str:
    tools = {tool.name: tool for tool in (await session.client.list_tools()).tools}
    known = [
        "add_memory",
        "retrieve_memory",
        "get_user_profile",
        "consolidate",
        "memory_status",
    ]
    expect([*tools] == known, f"{[*tools]}")
    for name, tool in tools.items():
        kinds = [parameter.get("type") for parameter in tool.input_schema["properties"].values()]
        flat = {"string", "integer", "boolean", "object", "array"}.issuperset(kinds)
        expect(flat, f"{name} has a schema that is not flat: {kinds}")
        hints = tool.annotations
        expect(hints is not None and hints.destructive_hint is False, f"{name}: {hints}")
    return ", ".join(tools)


async def twenty_adds(session: Session) -> str:
    small_talk = [(f"Today I counted {n} herons.", "They like the river.") for n in range(15)]
    added = await session.add_turns([*FACTS, *small_talk])
    ids = {reply["id"] for reply in added}
    expect(len(ids) == 20, f"{len(ids)} ids for 20 turns")
    window = added[-1]["short_term_count"]
    expect(window == 7, f"{window} turns in short-term memory instead of 7")
    return f"{len(ids)} ids, window {window}"


async def five_retrievals(session: Session) -> str:
    for question, word in QUESTIONS:
        found = await session.call("retrieve_memory", query=question)
        turns = [*found["retrieved_pages"], *found["short_term_memory"]]
        texts = [turn["user_input"] for turn in turns if turn["score"] > 0]
        expect(any(word in text for text in texts), f'"{question}" did not find "{word}"')
    return f"{len(QUESTIONS)} questions found their turn"


async def profile_variants(session: Session) -> str:
    while not (known := await session.call("get_user_profile"))["user_knowledge"]:  # noqa: ASYNC110
        await anyio.sleep(0.2)  # distilling is background work
    # Facts and profile come of one digest: who sees the one sees the other.
    expect("Lisbon" in known["user_profile"], f"the profile says: {known['user_profile']}")
    expect("assistant_knowledge" not in known, "knowledge that was not asked for")
    for of_user, of_assistant in ((False, False), (False, True), (True, True)):
        view = await session.call(
            "get_user_profile",
            include_knowledge=of_user,
            include_assistant_knowledge=of_assistant,
        )
        shown = ("user_knowledge" in view, "assistant_knowledge" in view)
        expect(shown == (of_user, of_assistant), f"asked {of_user, of_assistant}, got {shown}")
    return f"version {known['version']}, {len(known['user_knowledge'])} facts"


async def meta_data_comes_back(session: Session) -> str:
    given = {"source": {"kind": "chat"}, "tags": ["a", "语"], "n": 1.5, "none": None}
    added = await session.call("add_memory", user_input="A quetzal flew by.", meta_data=given)
    back = {turn["id"]: turn["meta_data"] for turn in await session.turns_with("quetzal")}
    expect(back.get(added["id"]) == given, f"came back as {back}")
    return f"{len(given)} keys"


async def chinese_words(session: Session) -> str:
    whose = {"user_id": "汉语"}
    later = [f"第{n}天下雨。" for n in range(7)]  # so many that the window holds no others
    await session.add_turns([(said, "好的。") for _, said in CHINESE], **whose)
    await session.add_turns([(said, "") for said in later], **whose)
    for word, said in CHINESE:
        found = await session.call("retrieve_memory", query=word, **whose)
        texts = [turn["user_input"] for turn in found["retrieved_pages"]]
        expect(said in texts, f'"{word}" did not find its turn')
    return " ".join(word for word, _ in CHINESE)


async def bad_input_is_refused(session: Session) -> str:
    for tool, arguments, word in BAD_INPUT:
        sentence = await session.error_of(tool, arguments)
        helpful = word in sentence and " " in sentence and "Traceback" not in sentence
        expect(helpful, f"{tool} {arguments} was refused with: {sentence}")
    await session.call("get_user_profile")
    return f"{len(BAD_INPUT)} refusals with a reason"


async def odd_input_is_taken(session: Session) -> str:
    whose = {"user_id": "../../x", "assistant_id": "a/../b\\c'; DROP TABLE page; --"}
    await session.call(
        "add_memory", user_input="An ocelot.", meta_data='{"n": 1}', colour="blue", **whose
    )
    await session.call("add_memory", user_input=42, timestamp=None, **whose)
    found = await session.call("retrieve_memory", query="ocelot", max_results="3", **whose)
    turns = [*found["short_term_memory"], *found["retrieved_pages"]]
    expect([turn["user_input"] for turn in turns] == ["An ocelot.", "42"], f"got {turns}")
    expect(turns[0]["meta_data"] == {"n": 1}, f"meta_data: {turns[0]['meta_data']}")
    return "JSON and numbers in strings, unknown arguments, ids like ../../x"


# --- with servers of their own


async def lone_surrogates_are_survived(here: Installation) -> str:
    """On the bare pipe, since the client cannot send them."""
    calls: list[tuple[str, Reply]] = [
        ("add_memory", {"user_input": "A narwhal \ud800", "agent_response": "\udc00"}),
        ("retrieve_memory", {"query": "narwhal \udfff"}),
    ]
    hello = {"protocolVersion": "2025-06-18", "capabilities": {}}
    hello |= {"clientInfo": {"name": "check", "version": "1"}}
    requests: list[Reply] = [{"id": 0, "method": "initialize", "params": hello}]
    requests += [
        {"id": number, "method": "tools/call", "params": {"name": tool, "arguments": arguments}}
        for number, (tool, arguments) in enumerate(calls, 1)
    ]
    async with await anyio.open_process(here.server_command(), stderr=None) as process:
        assert process.stdin and process.stdout
        lines = BufferedByteReceiveStream(process.stdout)
        for request in requests:
            await process.stdin.send(json.dumps({"jsonrpc": "2.0"} | request).encode() + b"\n")
            reply = json.loads(await lines.receive_until(b"\n", 1 << 24))
            expect(not reply.get("result", {"isError": True}).get("isError"), f"{reply}")
        await process.stdin.aclose()
    expect("narwhal" in json.dumps(reply["result"]), "the turn was not found")
    return "stored and found"


async def restart_keeps_all(here: Installation) -> str:
    async with here.started() as session:
        herons = await session.turns_with("herons")
        expect(len(herons) == 15, f"{len(herons)} of 15 turns are there")
        await five_retrievals(session)
    return "all turns are there"


async def kill_keeps_all(here: Installation) -> str:
    if os.name != "posix":
        return "not tried on this system"
    pid_file = here.data / "check.pid"
    added: list[Reply] = []
    try:
        async with here.started([sys.executable, "-c", LAUNCHER, str(pid_file)]) as session:
            added = await session.add_turns((f"Walrus number {n}.", "") for n in range(10))
            os.kill(int(pid_file.read_text()), signal.SIGKILL)
    except (MCPError, OSError, ExceptionGroup):
        # What a client makes of the end of its server is no matter here.
        expect(len(added) == 10, "the server went before it was killed")
    async with here.started() as session:
        found = {turn["id"] for turn in await session.turns_with("Walrus number")}
        lost = {reply["id"] for reply in added} - found
        expect(not lost, f"{len(lost)} of {len(added)} turns are lost")
    return f"{len(added)} turns are there"


async def two_clients_at_once(here: Installation) -> str:
    sides = ("left", "right")
    added: list[Reply] = []

    async def add(session: Session, side: str) -> None:
        turns = [(f"A lemur on the {side}, number {n}.", "") for n in range(10)]
        added.extend(await session.add_turns(turns))

    async with here.started() as one, here.started() as two:
        async with anyio.create_task_group() as group:
            for session, side in zip((one, two), sides, strict=True):
                group.start_soon(add, session, side)
        for session, side in zip((one, two), sides, strict=True):
            found = sorted(turn["id"] for turn in await session.turns_with("lemur"))
            expect(found == sorted(reply["id"] for reply in added), f"{side}: {len(found)} of 20")
    return "each sees all 20 turns, once"


IN_ONE_SESSION: tuple[Callable[[Session], Awaitable[str]], ...] = (
    listed_tools,
    twenty_adds,
    five_retrievals,
    profile_variants,
    meta_data_comes_back,
    chinese_words,
    bad_input_is_refused,
    odd_input_is_taken,
)
ON_THEIR_OWN: tuple[Callable[[Installation], Awaitable[str]], ...] = (
    lone_surrogates_are_survived,
    restart_keeps_all,
    kill_keeps_all,
    two_clients_at_once,
)


class Report:
    """The table of results, shown as it grows."""

    def __init__(self, patience: float) -> None:
        self.sound = True
        self._patience = patience

    async def check(self, name: str, check: Callable[[], Awaitable[str]]) -> None:
        begun = time.perf_counter()
        try:
            with anyio.fail_after(self._patience):
                self.show(name, True, begun, await check())
        except (Failed, MCPError, OSError, LookupError, ValueError, ExceptionGroup) as error:
            self.sound = False
            self.show(name, False, begun, reason(error))

    def show(self, name: str, holds: bool, begun: float, remark: str) -> None:
        took = 1000 * (time.perf_counter() - begun)
        verdict = "ok" if holds else "FAILED"
        print(f"{name.replace('_', ' '):30} {verdict:6} {took:7.0f} ms  {remark[:300]}", flush=True)


def reason(error: BaseException) -> str:
    while isinstance(error, BaseExceptionGroup):
        error = error.exceptions[0]
    if isinstance(error, TimeoutError):
        return "no answer in time"
    return str(error) if isinstance(error, Failed) else f"{type(error).__name__}: {error}"


async def check_all(here: Installation, patience: float) -> int:
    report = Report(patience)
    print(f"{shlex.join(here.server_command())}\n")
    begun = time.perf_counter()
    greeted = False
    try:
        with anyio.CancelScope(deadline=anyio.current_time() + patience) as waiting:
            async with here.started() as session:
                greeted, waiting.deadline = True, float("inf")
                report.show("initialise", True, begun, session.client.protocol_version)
                for in_session in IN_ONE_SESSION:
                    await report.check(in_session.__name__, partial(in_session, session))
        ended = "no answer in time"
    except (MCPError, OSError, ValueError, ExceptionGroup) as error:
        ended = reason(error)
    if not greeted:
        report.show("initialise", False, begun, ended)
        print("\nThis command does not start an MCP server on its standard input and output.")
        return 2
    for alone in ON_THEIR_OWN:
        await report.check(alone.__name__, partial(alone, here))
    print("\nEvery check holds." if report.sound else "\nAt least one check FAILED.")
    return 0 if report.sound else 1


def main() -> int:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument("--command", default=OWN_SERVER, help="what starts the server")
    parser.add_argument("--patience", type=float, default=60.0, help="seconds for each check")
    given = parser.parse_args()
    command = shlex.split(given.command, posix=os.name == "posix")
    if not command:
        parser.error("--command is empty")
    # The client logs each line that is not of the protocol with a traceback.
    logging.getLogger("mcp").setLevel(logging.CRITICAL)
    data = Path(tempfile.mkdtemp(prefix="memstrata-")).resolve()
    code = anyio.run(check_all, Installation(command, data), given.patience)
    if code and any(data.iterdir()):
        print(f"The memory of these checks, with the log, is left in {data}")
    else:
        shutil.rmtree(data, ignore_errors=True)
    return code


if __name__ == "__main__":
    sys.exit(main())
