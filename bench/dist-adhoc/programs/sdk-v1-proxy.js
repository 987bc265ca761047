// src/programs/sdk-v1-proxy.ts
import process from "process";
import { Client } from "@modelcontextprotocol/sdk/client/index.js";
import { StdioClientTransport } from "@modelcontextprotocol/sdk/client/stdio.js";
import { Server } from "@modelcontextprotocol/sdk/server/index.js";
import { StdioServerTransport } from "@modelcontextprotocol/sdk/server/stdio.js";
import { CallToolRequestSchema, ListToolsRequestSchema } from "@modelcontextprotocol/sdk/types.js";
var [command = "", ...args] = process.argv.slice(2);
var implementation = { name: "sdk-v1-proxy", version: "1" };
var client = new Client(implementation);
await client.connect(new StdioClientTransport({ command, args }));
var server = new Server(implementation, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, ({ params }) => client.listTools(params));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => client.callTool(params));
process.stdin.on("end", () => void client.close());
await server.connect(new StdioServerTransport());
//# sourceMappingURL=sdk-v1-proxy.js.map