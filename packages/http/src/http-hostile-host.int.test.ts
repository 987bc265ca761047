import process from 'node:process';

import { createMux, type Logger } from '@mcpmux/core';
import { afterEach, beforeEach, expect, it } from 'vitest';

import { createHttpFront } from './http-front.js';

const HEADERS = { accept: 'application/json, text/event-stream', 'content-type': 'application/json' };
const INITIALIZE = JSON.stringify({
  jsonrpc: '2.0',
  id: 1,
  method: 'initialize',
  params: { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } },
});

const unheard: unknown[] = [];
const hear = (error: unknown): void => void unheard.push(error);
beforeEach(() => {
  unheard.length = 0;
  process.on('unhandledRejection', hear);
});
afterEach(() => void process.off('unhandledRejection', hear));

const fail = (): never => {
  throw new Error('a defect of the host');
};
/** Returns more than its type says, as a function of a host may. */
const failLater: () => unknown = () => Promise.reject(new Error('a defect of the host, later'));

const LOGGERS: readonly (readonly [name: string, logger: Logger])[] = [
  ['throws', { enabled: fail, log: fail }],
  ['rejects', { enabled: () => true, log: failLater }],
];

it.each(LOGGERS)(
  'a logger that %s and credentials that throw cost one request, and no more',
  async (_, logger) => {
    await using mux = createMux();
    let areBroken = true;
    const principalOf = (): { id: string; roles: string[]; rights: string[] } =>
      areBroken ? fail() : { id: 'me', roles: [], rights: [] };
    await using front = createHttpFront(mux, { logger, credentials: { principalOf } });
    const url = await front.listen();
    const send = (): Promise<Response> => fetch(url, { method: 'POST', headers: HEADERS, body: INITIALIZE });
    const broken = await send();
    expect([broken.status, await broken.text()]).toEqual([500, expect.stringContaining('Internal error')]);
    areBroken = false;
    const served = await send();
    expect([served.status, await served.text()]).toEqual([200, expect.stringContaining('"serverInfo"')]);
    await new Promise((resolve) => setImmediate(resolve));
    expect(unheard).toEqual([]);
  },
);

it('a test of readiness that throws costs one request, and no more', async () => {
  await using mux = createMux();
  await using front = createHttpFront(mux, { isConfigured: fail, logger: { enabled: fail, log: fail } });
  const url = new URL('/readyz', await front.listen());
  expect((await fetch(url)).status).toBe(500);
  expect((await fetch(new URL('/healthz', url))).status).toBe(200);
  expect(unheard).toEqual([]);
});
