import type { BorrowedLine } from './borrowed-line.js';
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
    const inSlot = lineSlotsFor(length)?.begin(first, length);
    try {
      const isWhole = inSlot !== undefined && others.every((part) => inSlot.add(part));
      take(isWhole ? inSlot.bytes : Buffer.concat(parts, length));
    } finally {
      // Behind the write of this line: that has been asked for by now.
      if (inSlot !== undefined) atScopeEnd(() => inSlot.slot.release());
    }
  });
}
