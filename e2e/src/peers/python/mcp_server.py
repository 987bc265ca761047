"""A server on the official SDK of Python: over stdio, or with `http` as its argument."""

import sys

import at_url
from mcp.server.mcpserver import Context, MCPServer

server = MCPServer("python")


@server.tool()
def echo(message: str) -> str:
    return message


@server.tool()
async def count(n: int, ctx: Context) -> str:
    for step in range(n):
        await ctx.report_progress(step + 1, n)
    return str(n)


if "http" in sys.argv:
    at_url.serve(server.streamable_http_app())
else:
    server.run("stdio")
