import { once } from 'node:events';
import { closeSync, openSync, statSync } from 'node:fs';
import { join } from 'node:path';
import process from 'node:process';
import { PassThrough } from 'node:stream';

import { describe, expect, it } from 'vitest';

import { openPipePair, openSocketPair } from '@mcpmux/testing/socket-pair';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { createImmediateWrite } from './pipe-handle.js';

/** More than a pipe holds. */
const MUCH = Buffer.alloc(8 * 1024 * 1024, 'x');

// On Windows a pipe has no descriptor, so the stream takes every write.
describe.skipIf(process.platform === 'win32')('writing to a pipe at once', () => {
  it('gives the peer all pieces in one go, and nothing to the stream', async () => {
    await using pair = await openPipePair();
    const write = createImmediateWrite(pair.clientEnd);
    expect(write?.([Buffer.from('one')])).toBe(3);
    expect(write?.([Buffer.from(' two'), Buffer.from(' three')])).toBe(10);
    const [received] = (await once(pair.serverEnd, 'data')) as [Buffer];
    expect([received.toString(), pair.clientEnd.bytesWritten]).toEqual(['one two three', 0]);
  });

  it('takes what the pipe takes, and then nothing', async () => {
    await using pair = await openPipePair();
    const write = createImmediateWrite(pair.clientEnd);
    const taken = write?.([MUCH]) ?? 0;
    expect(taken).toBeGreaterThan(0);
    expect(taken).toBeLessThan(MUCH.length);
    expect(write?.([MUCH])).toBe(0);
  });

  it('takes nothing while something waits in the stream: that comes first', async () => {
    await using pair = await openPipePair();
    const write = createImmediateWrite(pair.clientEnd);
    pair.clientEnd.write(MUCH);
    expect(write?.([Buffer.from('later')])).toBe(0);
  });

  it('writes nothing after the end of the stream: the descriptor is of another file by then', async () => {
    await using pair = await openPipePair();
    await using folder = await temporaryFolder();
    const write = createImmediateWrite(pair.clientEnd);
    const closed = once(pair.clientEnd, 'close');
    pair.clientEnd.destroy();
    await closed;
    const paths = Array.from({ length: 50 }, (_, index) => join(folder.path, String(index)));
    const files = paths.map((path) => openSync(path, 'w'));
    expect(write?.([Buffer.from('x')])).toBe(0);
    for (const file of files) closeSync(file);
    expect(paths.map((path) => statSync(path).size)).toEqual(paths.map(() => 0));
  });

  it('leaves errors to the stream', async () => {
    await using pair = await openPipePair();
    const write = createImmediateWrite(pair.clientEnd);
    const closed = once(pair.serverEnd, 'close');
    pair.serverEnd.destroy();
    await closed;
    expect(write?.([Buffer.from('x')])).toBe(0);
    pair.clientEnd.write('x');
    await expect(once(pair.clientEnd, 'drain')).rejects.toMatchObject({ code: 'EPIPE' });
  });
});

it('no stream but a pipe is written to at once', async () => {
  await using tcp = await openSocketPair();
  expect([createImmediateWrite(tcp.clientEnd), createImmediateWrite(new PassThrough())]).toEqual([
    undefined,
    undefined,
  ]);
});

it.runIf(process.platform === 'win32')('a pipe of Windows is not written to at once', async () => {
  await using pair = await openPipePair();
  expect(createImmediateWrite(pair.clientEnd)).toBeUndefined();
});
