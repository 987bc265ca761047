import { setImmediate } from 'node:timers/promises';

import { openForgetfulGate } from '@mcpmux/testing/forgetful-gate';
import { RemoteServer } from '@mcpmux/test-servers/remote-server';
import { describe, expect, it } from 'vitest';

import { HttpClient, type HttpRequest } from './http-client.js';
import { Sending } from './sending.js';

const BODY = { maxMessageBytes: 1000, whenReadable: () => Promise.resolve() };
const ONCE: HttpRequest = { method: 'POST', headers: {}, body: '{}' };
const SAFE: HttpRequest = { ...ONCE, isRepeatable: true };

/** A client with so many idle connections to a peer that has forgotten them. */
async function forgotten(
  connections: number,
  run: (send: (request: HttpRequest) => Promise<number>) => Promise<void>,
) {
  await using server = await RemoteServer.open();
  server.intercept = (_, response) => {
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
    return true;
  };
  await using gate = await openForgetfulGate(server.port);
  const client = new HttpClient(BODY);
  const url = new URL(`http://127.0.0.1:${gate.port}/mcp`);
  const send = async (request: HttpRequest): Promise<number> => {
    const response = await client.send(url, request, new Sending());
    for await (const _ of response) continue;
    return response.statusCode ?? 0;
  };
  await Promise.all(Array.from({ length: connections }, () => send(ONCE)));
  expect(gate.openedCount).toBe(connections);
  // The sockets become idle in the turns after the ends of their answers.
  await setImmediate();
  gate.forget();
  await run(send);
  client.destroy();
  return server.requests.length - connections;
}

describe('F6: a peer that has forgotten idle connections', () => {
  it('costs nothing for a request that may be repeated', async () => {
    const requests = await forgotten(3, async (send) => {
      expect(await send(SAFE)).toBe(200);
      expect(await send(ONCE)).toBe(200);
    });
    expect(requests).toBe(2);
  });

  it('costs one request that may not be repeated, whatever the number of connections', async () => {
    const requests = await forgotten(3, async (send) => {
      await expect(send(ONCE)).rejects.toMatchObject({ code: 'ECONNRESET' });
      expect(await send(ONCE)).toBe(200);
    });
    expect(requests).toBe(1);
  });
});
