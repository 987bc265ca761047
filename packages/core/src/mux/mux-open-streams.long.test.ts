import { measureHeldBufferBytes, measureHeldHeapBytes } from '@mcpmux/testing/held-memory';
import { expect, it } from 'vitest';

import { MuxClient } from '../testing/mux-client.js';
import { SloppyServer } from '../testing/sloppy-server.js';
import { createMux } from './mux.js';

const CALLS = 10_000;
const WARM_UP = 2000;
/** Some connections end a moment later than others begin. */
const MAX_SOCKETS = 32;
const MAX_GROWTH_BYTES = 4 * 1024 * 1024;

it('F2: 10,000 calls of a server that ends no stream take no more sockets and memory than 2,000', async () => {
  await using server = await SloppyServer.open('legacy', (reply) => ({
    ...reply,
    bytes: Buffer.from(`data: ${reply.bytes.toString()}\n\n`),
    headers: { 'content-type': 'text/event-stream' },
    isEndless: true,
  }));
  await using mux = createMux();
  await mux.addServer('x', { url: server.url });
  const client = await MuxClient.initialized(mux);
  let most = 0;
  const held = (): number => measureHeldHeapBytes() + measureHeldBufferBytes();
  const call = async (count: number): Promise<void> => {
    for (let done = 0; done < count; done += 1) {
      expect(await client.call('x__say', { a: 'b' })).toMatchObject({ result: { structuredContent: {} } });
      most = Math.max(most, server.openSockets);
      client.lines.length = 0;
    }
  };
  await call(WARM_UP);
  const before = held();
  await call(CALLS - WARM_UP);
  expect(held() - before).toBeLessThan(MAX_GROWTH_BYTES);
  expect(most).toBeLessThanOrEqual(MAX_SOCKETS);
}, 600_000);
