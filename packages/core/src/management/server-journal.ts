import type { Clock } from '../clock.js';

/** Lines kept of one server; the oldest give way. */
export const JOURNAL_LINES = 500;
/** Servers remembered, also after they were removed or failed to start. */
export const JOURNAL_SERVERS = 256;

/** Something that happened to a server, or that it wrote to stderr. */
export interface JournalEntry {
  readonly kind: 'event' | 'stderr';
  readonly text: string;
  /** A reading of the mux's clock, in milliseconds. */
  readonly at: number;
}

/** What happened to each server lately. Kept beyond its removal: a server that does not start is gone at once. */
export class ServerJournal {
  private readonly entries = new Map<string, JournalEntry[]>();

  constructor(private readonly clock: Clock) {}

  record(server: string, kind: JournalEntry['kind'], text: string): void {
    const entries = this.entries.get(server) ?? [];
    entries.push({ kind, text, at: this.clock.now() });
    if (entries.length > JOURNAL_LINES) entries.shift();
    // Deleted first: a map keeps the order of insertion, and the one that was silent longest gives way.
    this.entries.delete(server);
    this.entries.set(server, entries);
    if (this.entries.size <= JOURNAL_SERVERS) return;
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }

  /** The last `count` entries of one server, oldest first; `undefined` for one that nothing is known of. */
  tail(server: string, count: number): readonly JournalEntry[] | undefined {
    return this.entries.get(server)?.slice(-count);
  }

  servers(): readonly string[] {
    return [...this.entries.keys()];
  }
}
