import { jsonSkipper } from '../json/json-skipper.js';
import type { OwnedLine } from './borrowed-line.js';
import { LineSlots } from './line-slots.js';

/** Enough for the bytes that most peers send at once. */
const SMALL_BYTES = 64 * 1024;
/** Enough for the default buffer of a Unix socket, so that a message of 100 KB takes one system call. */
const LARGE_BYTES = 256 * 1024;
/** The minimum size of a line that is worth a slot. */
const WORTH_SLOT_BYTES = 16 * 1024;

// One of each for all pipes of this thread, because the bytes of one read are handled before the next read.
let small: Buffer | undefined;
let large: Buffer | undefined;
let slots: LineSlots | undefined;

/** Returns the buffer that pipes are read into. */
export function smallReadBuffer(): Buffer {
  small ??= Buffer.allocUnsafeSlow(SMALL_BYTES);
  return small;
}

/**
 * Returns the buffer for a pipe with more data. If WebAssembly is available, JSON in this buffer is checked without a
 * copy.
 */
export function largeReadBuffer(): Buffer {
  large ??= jsonSkipper()?.readBuffer ?? Buffer.allocUnsafeSlow(LARGE_BYTES);
  return large;
}

/**
 * Returns the slots in which long borrowed lines are assembled. Returns undefined before the first such line, and
 * without WebAssembly.
 */
export function lineSlots(): LineSlots | undefined {
  return slots;
}

/**
 * Returns the slots for a line of about `length` bytes if it is long. A process with only short lines never allocates
 * slots.
 */
export function lineSlotsFor(length: number): LineSlots | undefined {
  if (length < WORTH_SLOT_BYTES) return undefined;
  const memory = slots === undefined ? jsonSkipper()?.lineSlots : undefined;
  if (memory !== undefined) slots = new LineSlots(memory);
  return slots;
}

/**
 * Returns bytes that stay valid after this read scope. Copies them if a later read overwrites their memory, or if they
 * would keep a much larger buffer alive.
 */
export function toOwned(line: Buffer): OwnedLine {
  const { buffer: memory, length } = line;
  const isShared = memory === small?.buffer || memory === large?.buffer || slots?.slotOf(line) !== undefined;
  return isShared || memory.byteLength > 2 * (length + Buffer.poolSize) ? Buffer.from(line) : line;
}
