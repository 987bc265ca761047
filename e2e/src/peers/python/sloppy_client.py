"""A client on the official SDK of Python: runs one script against servers, and prints what it came to know of each.

usage: sloppy_client.py <legacy|revision> <milliseconds> <JSON list of [url, prefix of the tools]>
"""

import asyncio
import json
import sys

from mcp import Client

mode, limit_ms, servers = sys.argv[1], int(sys.argv[2]), json.loads(sys.argv[3])


async def outcome(work):
    try:
        return {"kind": "works", "value": await asyncio.wait_for(work, limit_ms / 1000)}
    except (TimeoutError, asyncio.TimeoutError):
        return {"kind": "hangs"}
    except BaseException as error:
        return {"kind": "fails", "reason": words(error)}


def words(error):
    parts = [words(one) for one in getattr(error, "exceptions", [])]
    return " ".join([str(error), *parts])


HANGS = {"kind": "hangs"}


async def called(client, name):
    result = await client.call_tool(name, {"a": "b"})
    return result.model_dump(mode="json", by_alias=True, exclude_none=True)


async def listed(client, prefix):
    names = [tool.name for tool in (await client.list_tools()).tools]
    return [name[len(prefix) :] for name in names if name.startswith(prefix)]


async def course(url, prefix):
    client = Client(url, mode=mode)
    opened = await outcome(client.__aenter__())
    if opened["kind"] != "works":
        return {"opened": opened, "listed": HANGS, "said": HANGS, "failed": HANGS}
    tools = await outcome(listed(client, prefix))
    own = tools.get("value", [])
    said = await outcome(called(client, prefix + "say")) if "say" in own else HANGS
    failed = await outcome(called(client, prefix + "fail")) if "fail" in own else HANGS
    await outcome(client.__aexit__(None, None, None))
    return {"opened": {"kind": "works", "value": None}, "listed": tools, "said": said, "failed": failed}


async def main():
    for url, prefix in servers:
        print(json.dumps(await course(url, prefix)), flush=True)


asyncio.run(main())
