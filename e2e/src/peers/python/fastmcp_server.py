"""A server on FastMCP."""

from fastmcp import Context, FastMCP

server = FastMCP("fastmcp")


@server.tool
def echo(message: str) -> str:
    return message


@server.tool
async def count(n: int, ctx: Context) -> str:
    for step in range(n):
        await ctx.report_progress(step + 1, n)
    return str(n)


server.run("stdio", show_banner=False)
