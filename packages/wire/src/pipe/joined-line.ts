import type { BorrowedLine } from './borrowed-line.js';
import type { SlotLine } from './line-slots.js';
import { lineSlotsFor } from './read-buffers.js';
import { atScopeEnd, inReadScope } from './read-scope.js';

/**
 * Gives `take` the parts of a line in one piece, in a read scope of its own. A line of several parts is borrowed if a slot
 * is free for it: fresh memory for it, and its way through garbage collections, cost as much as its check.
 */
export function takeJoined(parts: readonly Buffer[], take: (line: BorrowedLine) => void): void {
  inReadScope(() => {
    const [first, ...others] = parts;
    if (first === undefined || others.length === 0) return take(first ?? Buffer.alloc(0));
    const length = parts.reduce((sum, part) => sum + part.length, 0);
    const slotLine = lineSlotsFor(length)?.begin(first, length);
    if (slotLine === undefined) return take(Buffer.concat(parts, length));
    takeFromSlot(slotLine, others, take);
  });
}

function takeFromSlot(line: SlotLine, parts: readonly Buffer[], take: (line: BorrowedLine) => void): void {
  try {
    if (parts.every((part) => line.add(part))) take(line.bytes);
  } finally {
    // Behind the write of this line: that has been asked for by now.
    atScopeEnd(() => line.slot.release());
  }
}
