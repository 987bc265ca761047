// Serves one MCP server to many clients over HTTP. Ends at SIGTERM.
// usage: MCP_TOKEN=… node serve-http.ts COMMAND ARGUMENT…
import process from 'node:process';

import { createMux } from '@mcpmux/core';
import { BearerTokens, createHttpFront } from '@mcpmux/http';

const { MCP_TOKEN = '' } = process.env;
const [command = '', ...args] = process.argv.slice(2);
const credentials = BearerTokens.of([MCP_TOKEN]);
if ('problem' in credentials) throw new Error(credentials.problem);

const mux = createMux();
await mux.addServer('files', { command, args, restart: 'on-failure' });
const front = createHttpFront(mux, { credentials });
console.log(await front.listen()); // http://127.0.0.1:{free port}/mcp

process.once('SIGTERM', () => void front.close().then(() => mux.close()));
