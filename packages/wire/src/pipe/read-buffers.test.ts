import { beforeEach, expect, it, vi } from 'vitest';

import type * as ReadMemory from './read-buffers.js';

const LONG = 16 * 1024;
let memory: typeof ReadMemory;

beforeEach(async () => {
  vi.resetModules();
  memory = await import('./read-buffers.js');
});

it('there is no room before there is a long line, and nothing is compiled for it', () => {
  const compiled = vi.spyOn(
    (globalThis as unknown as { WebAssembly: { Module: new (code: Buffer) => object } }).WebAssembly,
    'Module',
  );
  expect([memory.lineRoomFor(LONG - 1), memory.lineRoom()]).toEqual([undefined, undefined]);
  expect(compiled).not.toHaveBeenCalled();
  compiled.mockRestore();
});

it('there is one room for all long lines', () => {
  const room = memory.lineRoomFor(LONG);
  expect(room).toBeDefined();
  expect(memory.lineRoomFor(2 * LONG)).toBe(room);
  expect(memory.lineRoom()).toBe(room);
});
