// The least that is a proxy with the SDK v2: a low-level Server in front of a Client, one server behind it.
//
// usage: sdk-v2-proxy COMMAND [ARGUMENT...]
import process from 'node:process';

import { Client } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Server } from '@modelcontextprotocol/server';
import { StdioServerTransport } from '@modelcontextprotocol/server/stdio';

const [command = '', ...args] = process.argv.slice(2);
const implementation = { name: 'sdk-v2-proxy', version: '1' };

const client = new Client(implementation);
await client.connect(new StdioClientTransport({ command, args }));

const server = new Server(implementation, { capabilities: { tools: {} } });
server.setRequestHandler('tools/list', ({ params }) => client.listTools(params));
server.setRequestHandler('tools/call', ({ params }) => client.callTool(params));
process.stdin.on('end', () => void client.close());
await server.connect(new StdioServerTransport());
