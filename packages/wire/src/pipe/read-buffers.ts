import { jsonSkipper } from '../json/json-skipper.js';
import type { OwnedLine } from './borrowed-line.js';
import { LineSlots } from './line-slots.js';

/** The size of the small buffer, in bytes. Most peers send fewer bytes at once. */
const SMALL_BUFFER_BYTES = 64 * 1024;
/**
 * The size of the large buffer, in bytes. It matches a Unix socket's default buffer, so one call can empty the socket.
 */
const LARGE_BUFFER_BYTES = 256 * 1024;
/** The minimum length of a line, in bytes, for which using a slot is worthwhile. */
const MIN_SLOT_LINE_BYTES = 16 * 1024;

// All pipes of this thread share these buffers, because the bytes of one read are processed before the next read.
let smallBuffer: Buffer | undefined;
let largeBuffer: Buffer | undefined;
let slots: LineSlots | undefined;

/** Returns the buffer into which pipes are read by default. */
export function smallReadBuffer(): Buffer {
  smallBuffer ??= Buffer.allocUnsafeSlow(SMALL_BUFFER_BYTES);
  return smallBuffer;
}

/**
 * Returns the buffer for a pipe whose reads fill the small buffer. If WebAssembly is enabled, this buffer lies in its
 * memory, so JSON is checked without a copy.
 */
export function largeReadBuffer(): Buffer {
  largeBuffer ??= jsonSkipper()?.readBuffer ?? Buffer.allocUnsafeSlow(LARGE_BUFFER_BYTES);
  return largeBuffer;
}

/** Returns the slots for long borrowed lines. Undefined before the first long line, or without WebAssembly. */
export function lineSlots(): LineSlots | undefined {
  return slots;
}

/** Returns the slots for a line of about `length` bytes if it is long. Processes without long lines allocate none. */
export function lineSlotsFor(length: number): LineSlots | undefined {
  if (length < MIN_SLOT_LINE_BYTES) return undefined;
  const memory = slots === undefined ? jsonSkipper()?.lineSlots : undefined;
  if (memory !== undefined) slots = new LineSlots(memory);
  return slots;
}

/**
 * Returns bytes that stay valid after this read scope. Copies them if a later read may overwrite their memory, or if
 * they would keep a much larger buffer alive.
 */
export function toOwned(line: Buffer): OwnedLine {
  const { buffer: memory, length } = line;
  const isShared =
    memory === smallBuffer?.buffer || memory === largeBuffer?.buffer || slots?.findSlot(line) !== undefined;
  return isShared || memory.byteLength > 2 * (length + Buffer.poolSize) ? Buffer.from(line) : line;
}
