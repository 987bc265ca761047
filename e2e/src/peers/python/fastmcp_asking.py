"""A server on FastMCP with a tool that asks by `ctx.elicit`."""

from fastmcp import Context, FastMCP

server = FastMCP("asking")


@server.tool
async def ask(ctx: Context) -> str:
    answer = await ctx.elicit("Name?", response_type=str)
    return f"{answer.action} {getattr(answer, 'data', '')}"


server.run("stdio", show_banner=False)
