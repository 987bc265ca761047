import { type Clock, cutText } from '@mcpmux/kit';
import type { Layer } from '../../server/config/layer.js';
import type { Registration } from '../../server/lists/registration.js';

/** The maximum number of lines per server. Beyond it, the oldest lines are dropped. */
export const MAX_JOURNAL_LINES = 500;
/** The maximum number of characters per line. */
export const MAX_JOURNAL_LINE_LENGTH = 1000;
/**
 * The maximum number of journals, including the journals of removed and failed servers. All journals use at most about
 * 32 MB.
 */
export const MAX_JOURNALS = 64;

/** The text of the event that marks the beginning of a run. */
export const SERVER_STARTING = 'server starting';

/** A server's event, a line of its stderr, or a line of its stdout that is not MCP. */
export interface JournalEntry {
  readonly kind: 'event' | 'stderr' | 'stdout';
  readonly text: string;
  /** The time by the mux's clock, in milliseconds. */
  readonly at: number;
}

/** Identifies the server to which a journal belongs. */
export type JournalKey = Pick<Registration, 'name' | 'layer'>;

/** Each server's recent events. A journal outlives its server, because a server that fails to start is removed. */
export class ServerJournal {
  /** The journals by layer and name. */
  private readonly journals = new Map<string, { readonly layer: Layer; readonly lines: JournalEntry[] }>();

  constructor(private readonly clock: Clock) {}

  record({ name, layer }: JournalKey, kind: JournalEntry['kind'], text: string): void {
    const key = layer.keyFor(name);
    const journal = this.journals.get(key) ?? { layer, lines: [] };
    const { lines } = journal;
    const shortText =
      text.length > MAX_JOURNAL_LINE_LENGTH ? `${cutText(text, MAX_JOURNAL_LINE_LENGTH)}…` : text;
    lines.push({ kind, text: shortText, at: this.clock.now() });
    if (lines.length > MAX_JOURNAL_LINES) lines.shift();
    // Deleting the entry first moves it to the end of the map, so the least recently written journal is evicted first.
    this.journals.delete(key);
    this.journals.set(key, journal);
    if (this.journals.size > MAX_JOURNALS) this.evictOldest();
  }

  /** Drops the journals of a closed layer, because no session can read them. */
  forgetLayer(layer: Layer): void {
    for (const [key, journal] of this.journals) if (journal.layer === layer) this.journals.delete(key);
  }

  /** Returns one server's last `count` entries, oldest first, or `undefined` for an unknown server. */
  tail(name: string, layer: Layer, count: number): readonly JournalEntry[] | undefined {
    return this.journals.get(layer.keyFor(name))?.lines.slice(-count);
  }

  /** Evicts the least recently written journal of a private server or, if there is none, of any server. */
  private evictOldest(): void {
    const keys = [...this.journals.keys()].slice(0, -1);
    const oldest = keys.find((key) => this.journals.get(key)?.layer.isShared === false) ?? keys[0];
    if (oldest !== undefined) this.journals.delete(oldest);
  }
}
