import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { openPipePair } from '@mcpmux/testing/socket-pair';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { propertyRuns } from '@mcpmux/testing/property-runs';
import { WriteQueue } from './write-queue.js';

const KIB = 1024;

/** Sends one batch for each turn, and reads all of it. */
async function throughPipe(batches: readonly (readonly Buffer[])[], readsLate: boolean): Promise<Buffer> {
  await using pair = await openPipePair();
  const queue = new WriteQueue(
    pair.clientEnd,
    { highWatermarkBytes: 64 * KIB },
    { drained: () => undefined },
  );
  const received: Buffer[] = [];
  const read = (): unknown => pair.serverEnd.on('data', (chunk: Buffer) => received.push(chunk));
  if (!readsLate) read();
  for (const batch of batches) {
    for (const line of batch) queue.push(line);
    await nextTurn();
  }
  const ended = new Promise((resolve) => pair.serverEnd.on('end', resolve));
  if (readsLate) read();
  await Promise.all([queue.end(), ended]);
  return Buffer.concat(received);
}

describe('an WriteQueue over a pipe', () => {
  it('sends every byte once and in order, however much the pipe takes at once', async () => {
    const size = fc.oneof(fc.integer({ min: 0, max: 200 }), fc.integer({ min: 0, max: 300 * KIB }));
    const sizes = fc.array(fc.array(size, { minLength: 1, maxLength: 5 }), { minLength: 1, maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(sizes, fc.boolean(), async (all, readsLate) => {
        let count = 0;
        const batches = all.map((batch) => batch.map((length) => Buffer.alloc(length, `${(count += 1)} `)));
        const sent = Buffer.concat(batches.flat());
        expect((await throughPipe(batches, readsLate)).equals(sent)).toBe(true);
      }),
      propertyRuns(25),
    );
  });
});
