// The least that is a proxy with the SDK v1: a low-level Server in front of a Client, one server behind it.
//
// usage: sdk-v1-proxy COMMAND [ARGUMENT...]
import process from 'node:process';

import { Client } from '@modelcontextprotocol/sdk/client/index.js';
import { StdioClientTransport } from '@modelcontextprotocol/sdk/client/stdio.js';
import { Server } from '@modelcontextprotocol/sdk/server/index.js';
import { StdioServerTransport } from '@modelcontextprotocol/sdk/server/stdio.js';
import { CallToolRequestSchema, ListToolsRequestSchema } from '@modelcontextprotocol/sdk/types.js';

const [command = '', ...args] = process.argv.slice(2);
const implementation = { name: 'sdk-v1-proxy', version: '1' };

const client = new Client(implementation);
await client.connect(new StdioClientTransport({ command, args }));

const server = new Server(implementation, { capabilities: { tools: {} } });
server.setRequestHandler(ListToolsRequestSchema, ({ params }) => client.listTools(params));
server.setRequestHandler(CallToolRequestSchema, ({ params }) => client.callTool(params));
process.stdin.on('end', () => void client.close());
await server.connect(new StdioServerTransport());
