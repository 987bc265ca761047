import { once } from 'node:events';
import type { Socket } from 'node:net';
import { PassThrough, Duplex } from 'node:stream';

import { keyPaths, MessageReader } from '@mcpmux/wire';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';

import { ANSWER_TIMEOUT_MS, ProcessLink } from './process-link.js';

const CALL = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"a"}}');
const LIMITS = { maxLineBytes: 1000, highWatermarkBytes: 1000 };

beforeEach(() => void vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] }));
afterEach(() => void vi.useRealTimers());

/** A link with one open request, whose client has ended, and the shared process. */
function ending(platform: NodeJS.Platform) {
  const [toProcess, fromProcess] = [new PassThrough(), new PassThrough()];
  // oxlint-disable-next-line typescript/no-unsafe-type-assertion -- the link uses a socket as a stream alone
  const socket = Duplex.from({ readable: fromProcess, writable: toProcess }) as Socket;
  const reader = new MessageReader(keyPaths(['requestId']));
  const link: ProcessLink = new ProcessLink(
    socket,
    LIMITS,
    {
      line: (line) => link.openRequests.recordProcessMessage(line, reader.read(line)),
      drained: () => undefined,
      ended: () => undefined,
    },
    platform,
  );
  link.openRequests.recordClientMessage(CALL, reader.read(CALL));
  const over = once(toProcess.resume(), 'end');
  link.end();
  return { link, over, toProcess, fromProcess };
}

const soon = () => new Promise(setImmediate);

it('a link ends with its client, whose process answers what is open', async () => {
  const { over } = ending('linux');
  await expect(over).resolves.toEqual([]);
});

it('a link over a pipe of Windows, which would end in both directions, ends when everything is answered', async () => {
  const { over, toProcess, fromProcess } = ending('win32');
  await soon();
  expect(toProcess.readableEnded).toBe(false);
  fromProcess.write('{"jsonrpc":"2.0","id":1,"result":{}}\n');
  await expect(over).resolves.toEqual([]);
});

it('a link over a pipe of Windows does not wait longer for answers than a process without windows', async () => {
  const { over, toProcess } = ending('win32');
  vi.advanceTimersByTime(ANSWER_TIMEOUT_MS - 1);
  await soon();
  expect(toProcess.readableEnded).toBe(false);
  vi.advanceTimersByTime(1);
  await expect(over).resolves.toEqual([]);
});
