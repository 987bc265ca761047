/** The differences from the protocol that have only one meaning, so that mcpmux can repair them. */
const TEXTS = {
  'not-utf8': 'sends bytes that are not UTF-8; U+FFFD stands for each of them',
  'text-id': 'answers ids as text',
  'null-member': 'sends a result and an error of which one is null; the null is left out',
  unversioned: 'answers without "jsonrpc":"2.0"; it is added',
  'no-id': 'sends errors without the id of their request',
} as const;

/** A difference from the protocol that mcpmux has repaired. */
export type Oddity = keyof typeof TEXTS;

/** Counts the repaired messages of one run of a server. */
export class Oddities {
  private readonly counts = new Map<Oddity, number>();

  note(oddity: Oddity): void {
    this.counts.set(oddity, (this.counts.get(oddity) ?? 0) + 1);
  }

  /** Returns one sentence for each kind, for the status of the server. */
  get warnings(): readonly string[] {
    return [...this.counts].map(([oddity, count]) => `It ${TEXTS[oddity]} (${count} so far).`);
  }
}
