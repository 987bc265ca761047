// src/programs/sdk-v2-proxy.ts
import process from "process";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { Server } from "@modelcontextprotocol/server";
import { StdioServerTransport } from "@modelcontextprotocol/server/stdio";
var [command = "", ...args] = process.argv.slice(2);
var implementation = { name: "sdk-v2-proxy", version: "1" };
var client = new Client(implementation);
await client.connect(new StdioClientTransport({ command, args }));
var server = new Server(implementation, { capabilities: { tools: {} } });
server.setRequestHandler("tools/list", ({ params }) => client.listTools(params));
server.setRequestHandler("tools/call", ({ params }) => client.callTool(params));
process.stdin.on("end", () => void client.close());
await server.connect(new StdioServerTransport());
//# sourceMappingURL=sdk-v2-proxy.js.map