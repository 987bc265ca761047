import { request as send } from 'node:http';
import type { IncomingMessage } from 'node:http';

import { expect, it, vi } from 'vitest';

import { PageRig } from './testing/page-rig.js';

const MIB = Buffer.alloc(1024 * 1024, 'x');
/** More than the system takes for a connection that nobody reads. */
const MUCH = 64;

/** A page whose mux answers every request with so many parts, and then waits for the end of the connection. */
async function answering(parts: number, unread: object) {
  const rig = await PageRig.open({ unread });
  const ended = new Promise<void>((resolve) => {
    vi.spyOn(rig.mux, 'handle').mockImplementation(async (_, { signal } = {}, answer) => {
      for (let part = 0; part < parts; part += 1) answer?.(MIB, false);
      await new Promise((aborted) => signal?.addEventListener('abort', aborted));
      resolve();
    });
  });
  const headers = { ...(await rig.logIn()), 'content-type': 'application/json' };
  /** Undefined when the connection has closed before the answer came. */
  const open = (): Promise<IncomingMessage | undefined> =>
    new Promise((resolve) => {
      const asked = send(`${rig.origin}/ui/api/mcp`, { method: 'POST', headers }, (response) => {
        response.on('error', () => undefined);
        resolve(response);
      });
      asked.on('error', () => resolve(undefined)).end('{"jsonrpc":"2.0","id":1,"method":"tools/list"}');
    });
  return { rig, open, ended, [Symbol.asyncDispose]: () => rig[Symbol.asyncDispose]() };
}

it('a browser that reads no answer of MCP is cut off when too much waits for it', async () => {
  await using page = await answering(MUCH, { maxUnreadBytes: 16 * MIB.length });
  const unread = await page.open();
  await expect(page.ended).resolves.toBeUndefined();
  unread?.destroy();
});

it('a browser that reads nothing for some time is cut off', async () => {
  await using page = await answering(MUCH, { maxUnreadBytes: 2 * MUCH * MIB.length, stallMs: 100 });
  const unread = await page.open();
  await expect(page.ended).resolves.toBeUndefined();
  unread?.destroy();
});

it('a browser that reads is not cut off while an answer waits for its next part', async () => {
  await using page = await answering(1, { stallMs: 10 });
  let isEnded = false;
  void page.ended.then(() => (isEnded = true));
  const response = await page.open();
  if (response === undefined) throw new Error('no answer came');
  let bytes = 0;
  response.on('data', (chunk: Buffer) => (bytes += chunk.length));
  await expect.poll(() => bytes).toBe(MIB.length + 1);
  const timedOut = new Promise((resolve) => response.socket.setTimeout(200, () => resolve(undefined)));
  await timedOut;
  expect(isEnded).toBe(false);
  response.destroy();
  await page.ended;
});
