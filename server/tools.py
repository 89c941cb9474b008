"""The tools: arguments in, one call of the memory, a reply out."""

import difflib
import logging
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Any

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
    ToolAnnotations,
)
from pydantic import BaseModel, ValidationError

from memory_core import (
    MemstrataError,
    Settings,
    StorageError,
    StoreDamaged,
    StoreReplaced,
    __version__,
)
from server import compact, replies, wording
from server.inputs import (
    AddArguments,
    Arguments,
    ConsolidateArguments,
    ProfileArguments,
    RetrieveArguments,
    StatusArguments,
    describe,
    input_schema,
    present,
)
from server.status import StatusReply, status_reply, unopened_reply
from server.status_text import status_text
from server.timestamps import parse_timestamp

if TYPE_CHECKING:
    from memory_core import MemoryCore

_logger = logging.getLogger(__name__)

# How long a question about the status waits for a memory that is being opened.
STATUS_PATIENCE_SECONDS = 5.0
# Clients give a tool 60 seconds.
CONSOLIDATE_PATIENCE_SECONDS = 45.0

Answer = tuple[BaseModel, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class Offered:
    """A tool: what clients see of it, what it takes and what it does.

    unopened: its answer while the memory cannot be used, and why; None: that is a tool error.
    """

    tool: Tool
    arguments: type[Arguments]
    call: Callable[["MemoryCore", Any], Awaitable[Answer]]
    unopened: Callable[[str], Answer] | None = None


async def add_memory(memory: "MemoryCore", given: AddArguments) -> Answer:
    added = await memory.add_memory(
        given.user_input,
        given.agent_response,
        at=parse_timestamp(given.timestamp, memory.zone),
        meta_data=given.meta_data,
        user_id=given.user_id,
        assistant_id=given.assistant_id,
    )
    return replies.add_reply(added), compact.added_text(added)


async def retrieve_memory(memory: "MemoryCore", given: RetrieveArguments) -> Answer:
    whose = {"user_id": given.user_id, "assistant_id": given.assistant_id}
    if given.ids:
        read = await memory.read_memory(
            given.ids, query=given.query, max_tokens=given.max_tokens, **whose
        )
        return replies.retrieve_reply(read), compact.items_text(read, memory.zone)
    found = await memory.retrieve_memory(
        given.query, max_results=given.max_results, max_tokens=given.max_tokens, **whose
    )
    return replies.retrieve_reply(found), compact.recollection_text(found, memory.zone)


async def get_user_profile(memory: "MemoryCore", given: ProfileArguments) -> Answer:
    view = await memory.get_user_profile(user_id=given.user_id, assistant_id=given.assistant_id)
    asked = {
        "user_facts": given.include_knowledge,
        "assistant_facts": given.include_assistant_knowledge,
    }
    return replies.profile_reply(view, **asked), compact.profile_view_text(
        view, memory.zone, **asked
    )


async def consolidate(memory: "MemoryCore", given: ConsolidateArguments) -> Answer:
    finished = memory.begin_consolidation()
    if given.wait:
        with anyio.move_on_after(CONSOLIDATE_PATIENCE_SECONDS):
            await finished.wait()
    done = finished.is_set()
    view = await memory.get_user_profile(user_id=given.user_id, assistant_id=given.assistant_id)
    return replies.consolidate_reply(view, done), compact.consolidated_text(view, done)


async def memory_status(memory: "MemoryCore", given: StatusArguments) -> Answer:
    status = await memory.status(user_id=given.user_id, assistant_id=given.assistant_id)
    reply = status_reply(status)
    return reply, status_text(reply)


def unopened_status(settings: Settings, problem: str) -> Answer:
    from memory_core import process_status  # not at the start, which it would slow down

    reply = unopened_reply(settings.data_storage_path, process_status(), problem)
    return reply, status_text(reply)


def offered_tools(settings: Settings) -> dict[str, Offered]:
    """The tools by name, in the order in which they are listed."""
    # Turns and queries may go to an endpoint that the user has configured; clients should know.
    leaves = settings.sends_text_away
    offers = (
        Offered(
            tool=Tool(
                name="add_memory",
                title="Add to memory",
                description=wording.ADD_MEMORY,
                input_schema=input_schema(AddArguments),
                output_schema=replies.output_schema(replies.AddReply),
                annotations=_hints(reads=False, leaves=leaves),
            ),
            arguments=AddArguments,
            call=add_memory,
        ),
        Offered(
            tool=Tool(
                name="retrieve_memory",
                title="Retrieve from memory",
                description=wording.RETRIEVE_MEMORY,
                input_schema=input_schema(RetrieveArguments),
                output_schema=replies.output_schema(replies.RetrieveReply),
                annotations=_hints(reads=True, leaves=leaves),
            ),
            arguments=RetrieveArguments,
            call=retrieve_memory,
        ),
        Offered(
            tool=Tool(
                name="get_user_profile",
                title="Read the user's profile",
                description=wording.GET_USER_PROFILE,
                input_schema=input_schema(ProfileArguments),
                output_schema=replies.output_schema(replies.ProfileReply),
                annotations=_hints(reads=True, leaves=False),
            ),
            arguments=ProfileArguments,
            call=get_user_profile,
        ),
        Offered(
            tool=Tool(
                name="consolidate",
                title="Sort the memory now",
                description=wording.CONSOLIDATE,
                input_schema=input_schema(ConsolidateArguments),
                output_schema=replies.output_schema(replies.ConsolidateReply),
                annotations=_hints(reads=False, leaves=leaves, idempotent=True),
            ),
            arguments=ConsolidateArguments,
            call=consolidate,
        ),
        Offered(
            tool=Tool(
                name="memory_status",
                title="Status of the memory",
                description=wording.MEMORY_STATUS,
                input_schema=input_schema(StatusArguments),
                output_schema=replies.output_schema(StatusReply),
                annotations=_hints(reads=True, leaves=False),
            ),
            arguments=StatusArguments,
            call=memory_status,
            unopened=partial(unopened_status, settings),
        ),
    )
    return {offer.tool.name: offer for offer in offers}


def _hints(*, reads: bool, leaves: bool, idempotent: bool = False) -> ToolAnnotations:
    """What a call does, as far as a client should know: nothing here destroys anything."""
    return ToolAnnotations(
        read_only_hint=reads,
        destructive_hint=False,
        idempotent_hint=reads or idempotent,
        open_world_hint=leaves,
    )


def build_server(
    settings: Settings,
    get_memory: Callable[[], Awaitable["MemoryCore"]],
    renew: Callable[["MemoryCore"], Awaitable["MemoryCore"]] | None = None,
    *,
    status_patience: float = STATUS_PATIENCE_SECONDS,
) -> Server[Any]:
    """The protocol's side of the server.

    Args:
        get_memory: waits until the memory is open; called once for each tool call.
        renew: opens it again when a call has found its file replaced or damaged. The call is
            repeated once: clients do not start a server again.
        status_patience: seconds for which a question about the status does so.
    """
    offers = offered_tools(settings)
    if renew is not None:
        offers = {
            name: replace(offer, call=_repeated(offer.call, renew))
            for name, offer in offers.items()
        }
    get_soon = partial(_get_soon, get_memory, status_patience)

    async def list_tools(
        _context: ServerRequestContext[Any], _params: PaginatedRequestParams | None
    ) -> ListToolsResult:
        return ListToolsResult(tools=[offer.tool for offer in offers.values()])

    async def call(
        _context: ServerRequestContext[Any], params: CallToolRequestParams
    ) -> CallToolResult:
        offer = offers.get(params.name)
        if offer is None:
            return refuse(_unknown(params.name, offers))
        get = get_memory if offer.unopened is None else get_soon
        return await call_tool(offer, params.arguments, get)

    return Server(
        "memstrata",
        version=__version__,
        title="Memstrata",
        instructions=wording.INSTRUCTIONS,
        on_list_tools=list_tools,
        on_call_tool=call,
    )


async def call_tool(
    offer: Offered,
    given: Mapping[str, Any] | None,
    get_memory: Callable[[], Awaitable["MemoryCore"]],
) -> CallToolResult:
    """Check the arguments, ask the memory, and answer; every failure is a tool error."""
    try:
        arguments = offer.arguments.model_validate(present(given))
    except ValidationError as error:
        return refuse(describe(error))
    except MemstrataError as error:
        return refuse(str(error))
    try:
        reply, text = await _answer(offer, arguments, get_memory)
    except MemstrataError as error:
        _logger.info("%s refused: %s", offer.tool.name, type(error).__name__)
        return refuse(str(error))
    except Exception:
        _logger.exception("%s failed.", offer.tool.name)
        return refuse(
            f"Internal error in {offer.tool.name}; the server's log file has the details. "
            "Calling it again with the same arguments may fail again."
        )
    return CallToolResult(
        content=[TextContent(text=text)],
        structured_content=reply.model_dump(mode="json", exclude_unset=True),
    )


async def _get_soon(
    get_memory: Callable[[], Awaitable["MemoryCore"]], patience: float
) -> "MemoryCore":
    with anyio.move_on_after(patience):
        return await get_memory()
    raise StorageError(wording.STILL_OPENING)


def _repeated(
    call: Callable[["MemoryCore", Any], Awaitable[Answer]],
    renew: Callable[["MemoryCore"], Awaitable["MemoryCore"]],
) -> Callable[["MemoryCore", Any], Awaitable[Answer]]:
    async def call_again(memory: "MemoryCore", arguments: Any) -> Answer:
        try:
            return await call(memory, arguments)
        except (StoreReplaced, StoreDamaged) as error:
            _logger.warning("Opening the memory again: %s", error)
            return await call(await renew(memory), arguments)

    return call_again


async def _answer(
    offer: Offered, arguments: Arguments, get_memory: Callable[[], Awaitable["MemoryCore"]]
) -> Answer:
    try:
        return await offer.call(await get_memory(), arguments)
    except StorageError as error:
        if offer.unopened is None:
            raise
        return offer.unopened(str(error))


def refuse(message: str) -> CallToolResult:
    """A failure that the calling model can read and act on."""
    return CallToolResult(content=[TextContent(text=message)], is_error=True)


def _unknown(name: str, offers: Mapping[str, Offered]) -> str:
    near = difflib.get_close_matches(name[:100], offers, n=1)
    guess = f' Did you mean "{near[0]}"?' if near else ""
    return f"There is no such tool. The tools are {', '.join(offers)}.{guess}"
