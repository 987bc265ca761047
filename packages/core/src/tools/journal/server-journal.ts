import type { Clock } from '../../base/clock.js';
import type { Layer } from '../../upstream/config/layer.js';
import type { Registration } from '../../upstream/lists/registration.js';
import { cutText } from '../../base/cut-text.js';

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
export type JournalKey = Pick<Registration, 'name' | 'layer'>;

/** What happened to each server lately. Kept beyond its removal: a server that does not start is gone at once. */
export class ServerJournal {
  /** By layer and name. */
  private readonly entries = new Map<string, { readonly layer: Layer; readonly lines: JournalEntry[] }>();

  constructor(private readonly clock: Clock) {}

  record({ name, layer }: JournalKey, kind: JournalEntry['kind'], text: string): void {
    const key = layer.key(name);
    const known = this.entries.get(key) ?? { layer, lines: [] };
    const { lines } = known;
    const kept = text.length > JOURNAL_LINE_LENGTH ? `${cutText(text, JOURNAL_LINE_LENGTH)}…` : text;
    lines.push({ kind, text: kept, at: this.clock.now() });
    if (lines.length > JOURNAL_LINES) lines.shift();
    // Deleted first: a map keeps the order of insertion, and the one that was silent longest gives way.
    this.entries.delete(key);
    this.entries.set(key, known);
    if (this.entries.size > JOURNAL_SERVERS) this.forgetOldest();
  }

  /** Nobody can ask any more for the servers of this layer. */
  forgetLayer(layer: Layer): void {
    for (const [key, known] of this.entries) if (known.layer === layer) this.entries.delete(key);
  }

  /** The last `count` entries of one server, oldest first; `undefined` for one that nothing is known of. */
  tail(name: string, layer: Layer, count: number): readonly JournalEntry[] | undefined {
    return this.entries.get(layer.key(name))?.lines.slice(-count);
  }

  /** However many servers sessions have for themselves, those of all are not forgotten for them. */
  private forgetOldest(): void {
    const keys = [...this.entries.keys()].slice(0, -1);
    const oldest = keys.find((key) => this.entries.get(key)?.layer.isShared === false) ?? keys[0];
    if (oldest !== undefined) this.entries.delete(oldest);
  }
}
