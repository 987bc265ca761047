// Serves MCP at /mcp of a Hono app. Ends at SIGTERM.
// usage: node beside-hono.ts COMMAND ARGUMENT…
import process from 'node:process';

import { type HttpBindings, serve } from '@hono/node-server';
import { RESPONSE_ALREADY_SENT } from '@hono/node-server/utils/response';
import { createMux } from '@mcpmux/core';
import { createHttpFront } from '@mcpmux/http';
import { Hono } from 'hono';

const [command = '', ...args] = process.argv.slice(2);
const mux = createMux();
await mux.addServer('files', { command, args });
const front = createHttpFront(mux);

const app = new Hono<{ Bindings: HttpBindings }>();
app.all('/mcp/*', ({ env }) => {
  front.serve(env.incoming, env.outgoing);
  return RESPONSE_ALREADY_SENT;
});
app.get('/', (context) => context.text('The page of the host\n'));
const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }, ({ port }) =>
  console.log(`http://127.0.0.1:${port}/mcp`),
);

process.once('SIGTERM', () => {
  server.close();
  void front.close().then(() => mux.close());
});
