import type { BorrowedLine } from './borrowed-line.js';
import type { SlotLine } from './line-slots.js';
import { lineSlotsFor } from './read-buffers.js';
import { runAtScopeEnd, runInReadScope } from './read-scope.js';

/**
 * Joins the parts of a line and passes it to `take`. A line of several parts is assembled in a slot, if one is free,
 * and is borrowed within its own read scope, because allocating new memory would cost as much as checking the line.
 * Other lines are owned.
 */
export function takeJoined(parts: readonly Buffer[], take: (line: BorrowedLine) => void): void {
  const [first] = parts;
  if (first === undefined || parts.length === 1) return take(first ?? Buffer.alloc(0));
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const slotLine = lineSlotsFor(length)?.beginLine(first, length);
  if (slotLine === undefined) return take(Buffer.concat(parts, length));
  runInReadScope(() => {
    try {
      take(addParts(slotLine, parts.slice(1)) ? slotLine.bytes : Buffer.concat(parts, length));
    } finally {
      // The slot is released after this line has been written, which is already scheduled.
      runAtScopeEnd(() => slotLine.slot.release());
    }
  });
}

function addParts(line: SlotLine, parts: readonly Buffer[]): boolean {
  return parts.every((part) => line.add(part));
}
