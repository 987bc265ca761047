import { beforeEach, expect, it, vi } from 'vitest';

import type * as ReadBuffers from './read-buffers.js';

const LONG = 16 * 1024;
let memory: typeof ReadBuffers;

beforeEach(async () => {
  vi.resetModules();
  memory = await import('./read-buffers.js');
});

it('there are no slots before there is a long line, and nothing is compiled for them', () => {
  const compiled = vi.spyOn(
    (globalThis as unknown as { WebAssembly: { Module: new (code: Buffer) => object } }).WebAssembly,
    'Module',
  );
  expect([memory.lineSlotsFor(LONG - 1), memory.lineSlots()]).toEqual([undefined, undefined]);
  expect(compiled).not.toHaveBeenCalled();
  compiled.mockRestore();
});

it('all long lines share the same slots', () => {
  const slots = memory.lineSlotsFor(LONG);
  expect(slots).toBeDefined();
  expect(memory.lineSlotsFor(2 * LONG)).toBe(slots);
  expect(memory.lineSlots()).toBe(slots);
});
