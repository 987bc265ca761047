import { vi } from 'vitest';

import { lineSlots } from '../pipe/read-buffers.js';
import type * as PipeHandle from '../pipe/pipe-handle.js';

/** No JSON begins with it. */
const GONE = 0x23;

/**
 * What was read from a pipe is only there until it was taken. Here it is written over at once, and not only when the next
 * read happens to: whoever has kept a part of it reads this.
 */
// oxlint-disable-next-line vitest/no-restricted-vi-methods -- meant for every pipe that any test opens
vi.mock('../pipe/pipe-handle.js', async (importOriginal) => {
  const actual = await importOriginal<typeof PipeHandle>();
  const readIntoSharedMemory: typeof PipeHandle.readIntoSharedMemory = (input, take) =>
    actual.readIntoSharedMemory(input, (piece) => {
      try {
        return take(piece);
      } finally {
        const slots = lineSlots();
        if (slots?.findSlot(piece) === undefined) piece.fill(GONE);
        for (const { memory } of slots?.freeSlots ?? []) memory.fill(GONE);
      }
    });
  return { ...actual, readIntoSharedMemory };
});
