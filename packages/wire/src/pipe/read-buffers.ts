import { jsonSkipper } from '../json/json-skipper.js';
import type { OwnedLine } from './borrowed-line.js';
import { LineSlots } from './line-slots.js';

/** Size of the small buffer, enough for the bytes that most peers send at once. */
const SMALL_BUFFER_BYTES = 64 * 1024;
/** Size of the large buffer. As large as the default buffer of a Unix socket, so one system call can read 100 KB. */
const LARGE_BUFFER_BYTES = 256 * 1024;
/** The minimum size of a line for which a slot pays off. */
const MIN_SLOT_LINE_BYTES = 16 * 1024;

// All pipes of this thread share these buffers, because the bytes of one read are handled before the next read.
let smallBuffer: Buffer | undefined;
let largeBuffer: Buffer | undefined;
let slots: LineSlots | undefined;

/** Returns the buffer into which pipes are read by default. */
export function smallReadBuffer(): Buffer {
  smallBuffer ??= Buffer.allocUnsafeSlow(SMALL_BUFFER_BYTES);
  return smallBuffer;
}

/** Returns the buffer for a pipe that fills the small one. With WebAssembly, its JSON is checked without a copy. */
export function largeReadBuffer(): Buffer {
  largeBuffer ??= jsonSkipper()?.readBuffer ?? Buffer.allocUnsafeSlow(LARGE_BUFFER_BYTES);
  return largeBuffer;
}

/** Returns the slots for long borrowed lines, or undefined before the first long line and without WebAssembly. */
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
