// Serves MCP at /mcp of an Express app. Ends at SIGTERM.
// usage: node beside-express.ts COMMAND ARGUMENT…
import process from 'node:process';

import { createMux } from '@mcpmux/core';
import { createHttpFront } from '@mcpmux/http';
import express from 'express';

const [command = '', ...args] = process.argv.slice(2);
const mux = createMux();
await mux.addServer('files', { command, args });
const front = createHttpFront(mux);

const app = express();
// Before express.json(), because the front reads the body itself.
app.all(['/mcp', '/mcp/{*workspace}'], (request, response) => front.serve(request, response));
app.use(express.json());
app.get('/', (_request, response) => void response.send('The page of the host\n'));
const server = app.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`http://127.0.0.1:${address?.port}/mcp`);
});

process.once('SIGTERM', () => {
  server.close();
  void front.close().then(() => mux.close());
});
