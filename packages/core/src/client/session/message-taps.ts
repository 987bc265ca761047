import type { OutgoingLine } from '@mcpmux/wire';

/** Sees a message as it passes between a client and mcpmux. The line may be gone at the end of the read scope. */
export type MessageTap = (from: 'client' | 'mcpmux', line: OutgoingLine) => void;

/** The taps of one session. Costs one comparison per message if there is no tap. */
export class MessageTaps {
  private taps: readonly MessageTap[] = [];
  isOpen = false;

  /** Returns the function that removes the tap. */
  add(tap: MessageTap): () => void {
    this.set([...this.taps, tap]);
    return () => this.set(this.taps.filter((other) => other !== tap));
  }

  report(from: 'client' | 'mcpmux', line: OutgoingLine): void {
    for (const tap of this.taps) tap(from, line);
  }

  private set(taps: readonly MessageTap[]): void {
    this.taps = taps;
    this.isOpen = taps.length > 0;
  }
}
