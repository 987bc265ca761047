import { decodeCursor, encodeCursor, type ListPosition } from '@mcpmux/namespace';

/** The JSON of a merged list's entry, and the entry's position in the list. */
export interface ListEntry extends Pick<ListPosition, 'place' | 'key'> {
  readonly json: Buffer;
}

const COMMA = Buffer.from(',');

/**
 * One merged list, split into pages. Pages are large enough for almost every list, because many clients never request a
 * second page.
 *
 * A cursor identifies an entry, not an index. If a list changes between two requests, no remaining entry is skipped or
 * repeated.
 */
export class ListPages {
  private readonly firstPage: Buffer;

  /**
   * @param kind identifies this list in its cursors, so that cursors of other lists are rejected
   * @param member the name of the array in the result
   * @param entries in the order of the list
   * @param pageBytes maximum size of a page with more than one entry, in bytes
   */
  constructor(
    private readonly kind: string,
    private readonly member: string,
    private readonly entries: readonly ListEntry[],
    private readonly pageBytes: number,
  ) {
    this.firstPage = this.pageFrom(0);
  }

  /** Returns the JSON result of a list request with this cursor; undefined if it is invalid or from another list. */
  pageAt(cursor: string | undefined): Buffer | undefined {
    if (cursor === undefined) return this.firstPage;
    const position = decodeCursor(cursor);
    return position === undefined || position.list !== this.kind
      ? undefined
      : this.pageFrom(this.indexAfter(position));
  }

  /** True if the other list has the same entries. */
  equals({ entries }: ListPages): boolean {
    const { entries: ownEntries } = this;
    if (ownEntries === entries) return true;
    return (
      ownEntries.length === entries.length &&
      ownEntries.every(({ json }, index) => entries[index]?.json.equals(json) === true)
    );
  }

  private indexAfter({ place, key, offset }: ListPosition): number {
    const index = this.entries.findIndex((entry) => entry.place === place && entry.key === key);
    if (index >= 0) return index + 1;
    // The entry was removed, perhaps with its server, so the next entry is now at its index.
    const first = this.entries.findIndex((entry) => entry.place >= place);
    if (first < 0) return this.entries.length;
    const nextPlace = this.entries.findIndex((entry) => entry.place > place);
    return Math.min(first + offset, nextPlace < 0 ? this.entries.length : nextPlace);
  }

  private pageFrom(start: number): Buffer {
    const chunks: Buffer[] = [Buffer.from(`{"${this.member}":[`)];
    let size = 0;
    let last: ListEntry | undefined;
    let isCut = false;
    for (const entry of this.entries.slice(start)) {
      isCut = last !== undefined && size + entry.json.length > this.pageBytes;
      if (isCut) break;
      if (last !== undefined) chunks.push(COMMA);
      chunks.push(entry.json);
      size += entry.json.length + 1;
      last = entry;
    }
    const cursor = isCut && last !== undefined ? `,"nextCursor":"${this.cursorAt(last)}"` : '';
    chunks.push(Buffer.from(`]${cursor}}`));
    return Buffer.concat(chunks);
  }

  private cursorAt({ place, key }: ListEntry): string {
    const serverEntries = this.entries.filter((entry) => entry.place === place);
    const offset = serverEntries.findIndex((entry) => entry.key === key);
    return encodeCursor({ list: this.kind, place, key, offset });
  }
}
