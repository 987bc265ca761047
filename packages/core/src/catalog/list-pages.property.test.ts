import { anyText } from '@mcpmux/testing/any-text';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { propertyRuns } from '@mcpmux/testing/property-runs';

import { ListPages, type ListEntry } from './list-pages.js';

interface Read {
  readonly keys: readonly string[];
  readonly nextCursor: string | undefined;
  readonly bytes: number;
}

function entriesOf(servers: readonly (readonly string[])[]): readonly ListEntry[] {
  return servers.flatMap((keys, place) =>
    keys.map((key) => ({ place, key, json: Buffer.from(JSON.stringify([place, key])) })),
  );
}

/** Reads a page; `undefined` for a cursor that is refused. */
function readPage(entries: readonly ListEntry[], pageBytes: number, cursor?: string): Read | undefined {
  const page = new ListPages('tools', 'tools', entries, pageBytes).pageAt(cursor);
  if (page === undefined) return undefined;
  const { tools, nextCursor }: { tools: [number, string][]; nextCursor?: string } = JSON.parse(
    page.toString('utf8'),
  );
  return {
    keys: tools.map((tool) => JSON.stringify(tool)),
    nextCursor,
    bytes: Buffer.byteLength(tools.map((tool) => JSON.stringify(tool)).join(',')),
  };
}

/** Walks the cursors; `entriesAt(n)` is the list at the time of the n-th page. */
function walk(entriesAt: (page: number) => readonly ListEntry[], pageBytes: number): readonly Read[] {
  const pages: Read[] = [];
  let cursor: string | undefined;
  do {
    const page = readPage(entriesAt(pages.length), pageBytes, cursor);
    if (page === undefined) throw new Error('a cursor of ours was refused');
    if (pages.length > 1000) throw new Error('the pages do not end');
    pages.push(page);
    cursor = page.nextCursor;
  } while (cursor !== undefined);
  return pages;
}

const keysOf = (entries: readonly ListEntry[]): readonly string[] =>
  entries.map(({ json }) => json.toString('utf8'));

const key = anyText({ maxLength: 8 });
const servers = fc.array(fc.uniqueArray(key, { maxLength: 6 }), { maxLength: 5 });
const pageBytes = fc.integer({ min: 1, max: 200 });

describe('the pages of a list', () => {
  it('A4: give each entry once and in order, for any size of a page', () => {
    fc.assert(
      fc.property(servers, pageBytes, (lists, size) => {
        const entries = entriesOf(lists);
        const pages = walk(() => entries, size);
        expect(pages.flatMap(({ keys }) => keys)).toEqual(keysOf(entries));
        // One entry alone may be longer than a page.
        expect(pages.filter(({ bytes, keys }) => keys.length > 1 && bytes > size)).toEqual([]);
        expect(pages.every(({ keys }) => keys.length > 0)).toBe(entries.length > 0);
      }),
      propertyRuns(100),
    );
  });

  it('A4: lose and repeat nothing when servers are added between them', () => {
    fc.assert(
      fc.property(servers, servers, pageBytes, (before, added, size) => {
        const [old, now] = [entriesOf(before), entriesOf([...before, ...added])];
        const keys = walk((page) => (page === 0 ? old : now), size).flatMap((page) => page.keys);
        expect(new Set(keys).size).toBe(keys.length);
        const whole = keysOf(now);
        expect(keys).toEqual(whole.slice(0, keys.length));
        expect(keys.length).toBeGreaterThanOrEqual(old.length);
      }),
      propertyRuns(100),
    );
  });

  it('A4: lose and repeat no entry of a server that stays when others go between them', () => {
    fc.assert(
      fc.property(servers, fc.array(fc.boolean(), { minLength: 5 }), pageBytes, (lists, stays, size) => {
        const isKept = ({ place }: ListEntry): boolean => stays[place] === true;
        const old = entriesOf(lists);
        const keys = walk((page) => (page === 0 ? old : old.filter(isKept)), size).flatMap(
          (page) => page.keys,
        );
        expect(new Set(keys).size).toBe(keys.length);
        expect(keys).toEqual(expect.arrayContaining([...keysOf(old.filter(isKept))]));
      }),
      propertyRuns(100),
    );
  });
});

describe('a cursor', () => {
  it.each(['', 'x', '0', 'bnVsbA', 'W10'])('A4: that mcpmux never gave out is refused: %j', (cursor) => {
    expect(readPage(entriesOf([['a', 'b']]), 1, cursor)).toBeUndefined();
  });

  it('A4: of another list is refused', () => {
    const entries = entriesOf([['a', 'b']]);
    const cursor = readPage(entries, 1)?.nextCursor;
    expect(cursor).toBeDefined();
    expect(new ListPages('prompts', 'prompts', entries, 1).pageAt(cursor)).toBeUndefined();
  });

  it('A4: whose entry has gone leads to the next server, and to the end behind the last', () => {
    const cursor = readPage(entriesOf([['a'], ['b'], ['c']]), 1)?.nextCursor;
    expect(readPage(entriesOf([[], ['b'], ['c']]), 1, cursor)?.keys).toEqual(['[1,"b"]']);
    expect(readPage(entriesOf([[]]), 1, cursor)).toMatchObject({ keys: [], nextCursor: undefined });
  });

  it('A4: whose entry has gone leads to what stood behind it, of the same server too', () => {
    const cursor = readPage(entriesOf([['a', 'b', 'c'], ['d']]), 16)?.nextCursor;
    const rest = readPage(entriesOf([['a', 'c'], ['d']]), 16, cursor)?.keys;
    expect(rest).toEqual(['[0,"c"]', '[1,"d"]']);
  });
});
