"""A server on the official SDK of Python whose tools ask: by `ctx.elicit`, by sampling, and in a result."""

from typing import Annotated

from mcp.server.mcpserver import Context, Elicit, MCPServer, Resolve
from mcp.types import SamplingMessage, TextContent
from pydantic import BaseModel

server = MCPServer("asking")


class Form(BaseModel):
    name: str


@server.tool()
async def ask(ctx: Context) -> str:
    answer = await ctx.elicit(message="Name?", schema=Form)
    return answer.model_dump_json()


@server.tool()
async def sample(ctx: Context) -> str:
    question = SamplingMessage(role="user", content=TextContent(type="text", text="Name?"))
    answer = await ctx.session.create_message(messages=[question], max_tokens=10)
    return answer.model_dump_json()


def question() -> Elicit[Form]:
    return Elicit("Name?", Form)


@server.tool()
async def ask_by_input(form: Annotated[Form, Resolve(question)]) -> str:
    return form.name


server.run("stdio")
