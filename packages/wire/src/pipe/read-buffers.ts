import { LineRoom } from './line-room.js';
import { jsonSkipper } from '../json/json-skipper.js';

/** Enough for what most peers send at once. */
const LITTLE_BYTES = 64 * 1024;
/** Enough for all that a Unix socket holds by default, so that a message of 100 KB is one system call. */
const MUCH_BYTES = 256 * 1024;
/** A line from this size on is worth the room. */
const WORTH_ROOM_BYTES = 16 * 1024;

// One each for all pipes of this thread: what was read is taken before anything else is read.
let little: Buffer | undefined;
let much: Buffer | undefined;
let room: LineRoom | undefined;

/** The memory that pipes are read into. */
export function smallReadBuffer(): Buffer {
  little ??= Buffer.allocUnsafeSlow(LITTLE_BYTES);
  return little;
}

/** The memory for a pipe that has more to be read: JSON that stands there is checked without a copy, where that can be. */
export function largeReadBuffer(): Buffer {
  much ??= jsonSkipper()?.readBuffer ?? Buffer.allocUnsafeSlow(MUCH_BYTES);
  return much;
}

/** The memory in which long lines come together that are lent: undefined before there has been one, and where it cannot be. */
export function lineRoom(): LineRoom | undefined {
  return room;
}

/** The same for a line of about `length` bytes, if it is long: who has only short ones does not pay for it. */
export function lineRoomFor(length: number): LineRoom | undefined {
  if (length < WORTH_ROOM_BYTES) return undefined;
  const memory = room === undefined ? jsonSkipper()?.lineSlots : undefined;
  if (memory !== undefined) room = new LineRoom(memory);
  return room;
}

/**
 * The same bytes for whoever keeps them longer than a turn: copied, if the next read could go over them, and if they would
 * keep much more memory alive than their own.
 */
export function kept(bytes: Buffer): Buffer {
  const { buffer: memory, length } = bytes;
  const isShared =
    memory === little?.buffer || memory === much?.buffer || room?.offsetOf(bytes) !== undefined;
  return isShared || memory.byteLength > 2 * (length + Buffer.poolSize) ? Buffer.from(bytes) : bytes;
}
