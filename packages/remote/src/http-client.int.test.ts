import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { expect, it } from 'vitest';

import { HttpClient } from './http-client.js';

it('fault I22: a request that is given up while its answer ends does no harm', async () => {
  await using server = await RemoteServer.open();
  server.intercept = (_, response) => {
    response.writeHead(401, { 'content-type': 'application/json' });
    response.end('{}');
    return true;
  };
  const client = new HttpClient({ maxMessageBytes: 1000, whenReadable: () => Promise.resolve() });
  for (let ticks = 0; ticks < 30; ticks += 1) {
    const abort = new AbortController();
    const response = await client.fetch(server.url, { method: 'POST', body: '{}', signal: abort.signal });
    for (let tick = 0; tick < ticks; tick += 1) await Promise.resolve();
    // What the socket emits then without a listener would be an exception that nobody catches.
    abort.abort();
    expect(response.status).toBe(401);
  }
  client.destroy();
  await server.connections(0);
});
