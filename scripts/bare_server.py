"""The least server of the same SDK: one empty tool over the SDK's own stdio. For benchmarks."""

from typing import Any

import anyio
from mcp.server.context import ServerRequestContext
from mcp.server.lowlevel import Server
from mcp.server.stdio import stdio_server
from mcp_types import (
    CallToolRequestParams,
    CallToolResult,
    ListToolsResult,
    PaginatedRequestParams,
    TextContent,
    Tool,
)


async def list_tools(
    _context: ServerRequestContext[Any], _params: PaginatedRequestParams | None
) -> ListToolsResult:
    return ListToolsResult(tools=[Tool(name="nothing", input_schema={"type": "object"})])


async def call_tool(
    _context: ServerRequestContext[Any], _params: CallToolRequestParams
) -> CallToolResult:
    return CallToolResult(content=[TextContent(text="")])


async def main() -> None:
    server: Server[Any] = Server("bare", on_list_tools=list_tools, on_call_tool=call_tool)
    async with stdio_server() as (incoming, outgoing):
        await server.run(incoming, outgoing, server.create_initialization_options())


if __name__ == "__main__":
    anyio.run(main)
