import { jsonSkipper } from '../json/json-skipper.js';
import type { OwnedLine } from './borrowed-line.js';
import { LineSlots } from './line-slots.js';

/** Enough for the bytes that most peers send at once. */
const SMALL_BYTES = 64 * 1024;
/** Enough for all that a Unix socket holds by default, so that a message of 100 KB is one system call. */
const LARGE_BYTES = 256 * 1024;
/** A line from this size on is worth a slot. */
const WORTH_SLOT_BYTES = 16 * 1024;

// One each for all pipes of this thread: the bytes of one read are handled before anything else is read.
let small: Buffer | undefined;
let large: Buffer | undefined;
let slots: LineSlots | undefined;

/** The buffer that pipes are read into. */
export function smallReadBuffer(): Buffer {
  small ??= Buffer.allocUnsafeSlow(SMALL_BYTES);
  return small;
}

/** The buffer for a pipe that has more to be read: JSON that stands there is checked without a copy, where that can be. */
export function largeReadBuffer(): Buffer {
  large ??= jsonSkipper()?.readBuffer ?? Buffer.allocUnsafeSlow(LARGE_BYTES);
  return large;
}

/** The slots in which long borrowed lines come together: undefined before the first such line, and without WebAssembly. */
export function lineSlots(): LineSlots | undefined {
  return slots;
}

/** The same for a line of about `length` bytes, if it is long: a process with short lines only does not pay for slots. */
export function lineSlotsFor(length: number): LineSlots | undefined {
  if (length < WORTH_SLOT_BYTES) return undefined;
  const memory = slots === undefined ? jsonSkipper()?.lineSlots : undefined;
  if (memory !== undefined) slots = new LineSlots(memory);
  return slots;
}

/**
 * Returns bytes that stay valid after this read scope. Copies them if they stand in memory that a later read overwrites,
 * or if they would pin a much larger buffer.
 */
export function toOwned(line: Buffer): OwnedLine {
  const { buffer: memory, length } = line;
  const isShared = memory === small?.buffer || memory === large?.buffer || slots?.slotOf(line) !== undefined;
  return isShared || memory.byteLength > 2 * (length + Buffer.poolSize) ? Buffer.from(line) : line;
}
