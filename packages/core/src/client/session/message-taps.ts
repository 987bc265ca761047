import type { OutgoingLine } from '@mcpmux/wire';

/** Receives each message between a client and mcpmux. The line is valid only within the read scope. */
export type MessageTap = (from: 'client' | 'mcpmux', line: OutgoingLine) => void;

/** One session's taps. Without taps, each message costs only one comparison. */
export class MessageTaps {
  private taps: readonly MessageTap[] = [];
  hasTaps = false;

  /** Adds a tap. Returns a function that removes it. */
  add(tap: MessageTap): () => void {
    this.setTaps([...this.taps, tap]);
    return () => this.setTaps(this.taps.filter((other) => other !== tap));
  }

  report(from: 'client' | 'mcpmux', line: OutgoingLine): void {
    for (const tap of this.taps) tap(from, line);
  }

  private setTaps(taps: readonly MessageTap[]): void {
    this.taps = taps;
    this.hasTaps = taps.length > 0;
  }
}
