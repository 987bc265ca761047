// Serves MCP at /mcp of an HTTP server of the host. Ends at SIGTERM.
// usage: node beside-node-http.ts COMMAND ARGUMENT…
import { createServer } from 'node:http';
import process from 'node:process';

import { createMux } from '@mcpmux/core';
import { createHttpFront } from '@mcpmux/http';

const [command = '', ...args] = process.argv.slice(2);
const mux = createMux();
await mux.addServer('files', { command, args });
const front = createHttpFront(mux);

const server = createServer((request, response) => {
  if (request.url?.startsWith('/mcp') === true) front.serve(request, response);
  else response.end('The page of the host\n');
});
server.listen(0, '127.0.0.1', () => {
  const address = server.address();
  if (typeof address === 'object') console.log(`http://127.0.0.1:${address?.port}/mcp`);
});

process.once('SIGTERM', () => {
  server.close();
  void front.close().then(() => mux.close());
});
