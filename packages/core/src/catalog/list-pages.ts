import { decodeCursor, encodeCursor, type ListPosition } from '@mcpmux/namespace';

/** An entry of a merged list: its JSON and its position. */
export interface ListEntry extends Pick<ListPosition, 'place' | 'key'> {
  readonly json: Buffer;
}

const COMMA = Buffer.from(',');

/**
 * One merged list, split into pages. Pages are large enough for almost every list to fit on one, because many clients
 * never request a second page.
 *
 * A cursor identifies its page's last entry, not an index. While that entry remains, a change to the list between two
 * requests does not skip or repeat other entries.
 */
export class ListPages {
  private readonly firstPage: Buffer;

  /**
   * @param kind identifies this list in its cursors, so that cursors of other lists are rejected
   * @param member the name of the array in the result
   * @param entries the entries, in list order
   * @param pageBytes maximum page size, in bytes, which only a page with a single entry may exceed
   */
  constructor(
    private readonly kind: string,
    private readonly member: string,
    private readonly entries: readonly ListEntry[],
    private readonly pageBytes: number,
  ) {
    this.firstPage = this.pageFrom(0);
  }

  /** Returns the JSON result for a cursor; undefined if the cursor is invalid or belongs to another list. */
  pageAt(cursor: string | undefined): Buffer | undefined {
    if (cursor === undefined) return this.firstPage;
    const position = decodeCursor(cursor);
    return position === undefined || position.list !== this.kind
      ? undefined
      : this.pageFrom(this.indexAfter(position));
  }

  /** True if both lists contain the same entries in the same order. */
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
    // The cursor's entry was removed, perhaps with its server, so the entry after it is now at its index.
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
