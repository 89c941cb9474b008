"""The front door: an MCP server over stdio. It knows the protocol, and nothing of memory."""
