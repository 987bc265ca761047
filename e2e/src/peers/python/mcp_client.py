"""A client on the official SDK of Python: adds the server of its arguments and tells what it sees, as JSON.

usage: mcp_client.py <auto|legacy|revision> <JSON config of a server> <url of mcpmux | command of mcpmux> <arguments of mcpmux>
"""

import asyncio
import json
import sys

from mcp import Client, StdioServerParameters, types

mode, config, command, *arguments = sys.argv[1:]


async def elicit(_, params):
    return types.ElicitResult(action="accept", content={"name": params.message})


async def main():
    at_url = command.startswith("http")
    front = command if at_url else StdioServerParameters(command=command, args=arguments)
    async with Client(front, mode=mode, elicitation_callback=elicit) as client:
        await client.call_tool("add_server", json.loads(config))
        steps = []

        async def on_progress(progress, total, message):
            steps.append(progress)

        tools = await client.list_tools()
        counted = await client.call_tool("v__count", {"n": 3}, progress_callback=on_progress)
        asked = await client.call_tool("v__ask", {"kinds": ["form"]})
        seen = {
            "revision": client.protocol_version,
            "tools": [tool.name for tool in tools.tools],
            "counted": counted.content[0].text,
            "steps": steps,
            "asked": asked.content[0].text,
        }
        print(json.dumps(seen))


asyncio.run(main())
