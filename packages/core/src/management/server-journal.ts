import type { Clock } from '../clock.js';
import type { Scope } from '../upstream/scope.js';
import type { Upstream } from '../upstream/upstream.js';
import { cutText } from '../wire/cut-text.js';

/** Lines kept of one server; the oldest give way. */
export const JOURNAL_LINES = 500;
/** Characters kept of one line. */
export const JOURNAL_LINE_LENGTH = 1000;
/** Servers remembered, also after they were removed or failed to start. With the limits above: at most 32 MB of text. */
export const JOURNAL_SERVERS = 64;

/** Something that happened to a server, or that it wrote to stderr. */
export interface JournalEntry {
  readonly kind: 'event' | 'stderr';
  readonly text: string;
  /** A reading of the mux's clock, in milliseconds. */
  readonly at: number;
}

/** Whose entries are meant. */
export type JournalKey = Pick<Upstream, 'name' | 'scope'>;

/** What happened to each server lately. Kept beyond its removal: a server that does not start is gone at once. */
export class ServerJournal {
  /** By scope and name. */
  private readonly entries = new Map<string, JournalEntry[]>();

  constructor(private readonly clock: Clock) {}

  record({ name, scope }: JournalKey, kind: JournalEntry['kind'], text: string): void {
    const key = scope.key(name);
    const entries = this.entries.get(key) ?? [];
    const kept = text.length > JOURNAL_LINE_LENGTH ? `${cutText(text, JOURNAL_LINE_LENGTH)}…` : text;
    entries.push({ kind, text: kept, at: this.clock.now() });
    if (entries.length > JOURNAL_LINES) entries.shift();
    // Deleted first: a map keeps the order of insertion, and the one that was silent longest gives way.
    this.entries.delete(key);
    this.entries.set(key, entries);
    if (this.entries.size <= JOURNAL_SERVERS) return;
    const [oldest] = this.entries.keys();
    if (oldest !== undefined) this.entries.delete(oldest);
  }

  /** The last `count` entries of one server, oldest first; `undefined` for one that nothing is known of. */
  tail(name: string, scope: Scope, count: number): readonly JournalEntry[] | undefined {
    return this.entries.get(scope.key(name))?.slice(-count);
  }

  /** Servers of which something is known. */
  get size(): number {
    return this.entries.size;
  }
}
