import { describe, expect, it } from 'vitest';

import { connected } from '../../testing/connected.js';
import { DEFAULT_LIMITS, type AllLimits } from '@mcpmux/kit';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { LISTS } from './list-kind.js';
import { readList } from './listing.js';

interface Page {
  readonly tools: readonly (string | object)[];
  readonly nextCursor?: string;
}

/** What was read from a server, and the cursors it was asked for (undefined for the first page). */
interface Reading {
  readonly names: readonly string[];
  readonly warnings: readonly string[];
  readonly cursors: readonly (string | undefined)[];
}

function cursorOf(line: string): string | undefined {
  const { params }: { params: { cursor?: string } } = JSON.parse(line);
  return params.cursor;
}

function toolOf(name: string): object {
  return { name, inputSchema: { type: 'object' } };
}

/** Lists the tools of a server whose pages are these. A tool that is only a name is given as a text. */
async function list(
  pageAt: (cursor: string | undefined) => Page,
  replaced: Partial<AllLimits> = {},
): Promise<Reading> {
  const { connection, server, clock } = connected();
  const limits = { ...DEFAULT_LIMITS, ...replaced };
  const listed = readList(connection, LISTS.tools, limits, () => 1000);
  // Each answer leads to the next request, or to none.
  await nextTurn();
  for (let id = 1; server.received.length === id; id += 1) {
    const { tools, ...rest } = pageAt(cursorOf(server.received.at(-1) ?? ''));
    const definitions = tools.map((tool) => (typeof tool === 'string' ? toolOf(tool) : tool));
    server.answer(id, JSON.stringify({ tools: definitions, ...rest }));
    await nextTurn();
  }
  const { items: tools, warnings } = await listed;
  expect(clock.timerCount).toBe(0);
  return { names: tools.map(({ key }) => key), warnings, cursors: server.received.map(cursorOf) };
}

describe('the tools of a server', () => {
  it('are those of all its pages, in order', async () => {
    const pages = new Map<string | undefined, Page>([
      [undefined, { tools: ['a', 'b'], nextCursor: 'second' }],
      ['second', { tools: [], nextCursor: 'third' }],
      ['third', { tools: ['c'] }],
    ]);
    await expect(list((cursor) => pages.get(cursor) ?? { tools: [] })).resolves.toEqual({
      names: ['a', 'b', 'c'],
      warnings: [],
      cursors: [undefined, 'second', 'third'],
    });
  });

  it('D13: go on after a page whose cursor is empty', async () => {
    const pages = new Map<string | undefined, Page>([
      [undefined, { tools: ['a'], nextCursor: '' }],
      ['', { tools: ['b'] }],
    ]);
    await expect(list((cursor) => pages.get(cursor) ?? { tools: [] })).resolves.toEqual({
      names: ['a', 'b'],
      warnings: [],
      cursors: [undefined, ''],
    });
  });

  it('D11: end where the pages lead back', async () => {
    const pages = new Map<string | undefined, Page>([
      [undefined, { tools: ['a'], nextCursor: 'x' }],
      ['x', { tools: ['b'], nextCursor: 'y' }],
      ['y', { tools: ['c'], nextCursor: 'x' }],
    ]);
    await expect(list((cursor) => pages.get(cursor) ?? { tools: [] })).resolves.toEqual({
      names: ['a', 'b', 'c'],
      warnings: ['the pages of tools/list lead back to an earlier one; the rest was not read'],
      cursors: [undefined, 'x', 'y'],
    });
  });

  it('end where a page leads to itself', async () => {
    const { cursors, warnings } = await list(() => ({ tools: ['a'], nextCursor: '' }));
    expect(cursors).toEqual([undefined, '']);
    expect(warnings).toContain('the pages of tools/list lead back to an earlier one; the rest was not read');
  });

  it('D12: end at the page limit when there is always one more', async () => {
    let page = 0;
    const { names, warnings } = await list(
      () => ({ tools: [`tool ${(page += 1)}`], nextCursor: `${page}` }),
      {
        maxListPages: 3,
      },
    );
    expect(names).toEqual(['tool 1', 'tool 2', 'tool 3']);
    expect(warnings).toEqual(['tools/list did not end after 3 pages; the rest was not read']);
  });

  it('are all there when the last page is the last that is allowed', async () => {
    const pages = new Map<string | undefined, Page>([
      [undefined, { tools: ['a'], nextCursor: 'x' }],
      ['x', { tools: ['b'] }],
    ]);
    await expect(
      list((cursor) => pages.get(cursor) ?? { tools: [] }, { maxListPages: 2 }),
    ).resolves.toMatchObject({
      names: ['a', 'b'],
      warnings: [],
    });
  });

  it.each([
    ['on one page', undefined],
    ['with more pages to come', 'more'],
  ])('G7: are cut at their limit, and a warning says so, %s', async (_, nextCursor) => {
    const tools = ['a', 'b', 'c', 'd'];
    const page = nextCursor === undefined ? { tools } : { tools, nextCursor };
    await expect(list(() => page, { maxToolsPerServer: 3 })).resolves.toEqual({
      names: ['a', 'b', 'c'],
      warnings: ['only the first 3 tools are used'],
      cursors: [undefined],
    });
  });

  it('G7: are cut at 5 MB together, and a warning says so', async () => {
    const large = (name: string): object => ({ ...toolOf(name), description: 'x'.repeat(2_000_000) });
    const page = { tools: [large('a'), large('b'), large('c'), toolOf('d')], nextCursor: 'more' };
    await expect(list(() => page)).resolves.toEqual({
      names: ['a', 'b'],
      warnings: ['only the first 2 tools are used: more would be above 5000000 bytes'],
      cursors: [undefined],
    });
  });

  it('G3: with text that cannot be seen are used, and warned of', async () => {
    const tools = [
      { ...toolOf('tags'), description: 'a\u{e0041}' },
      { ...toolOf('bidi'), title: 'a\u202eb' },
      { ...toolOf('deep'), inputSchema: { type: 'object', properties: { a: { description: 'x\u200by' } } } },
      { ...toolOf('emoji'), description: 'naïve \u{1f469}\u200d\u{1f4bb} ❤️ می‌خواهم\n\tok' },
    ];
    const { names, warnings } = await list(() => ({ tools }));
    expect(names).toEqual(['tags', 'bidi', 'deep', 'emoji']);
    expect(warnings).toEqual([
      'tool "tags" has invisible characters (U+E0041), which may hide instructions',
      'tool "bidi" has invisible characters (U+202E), which may hide instructions',
      'tool "deep" has invisible characters (U+200B), which may hide instructions',
    ]);
  });

  it('may be exactly as many as the limit', async () => {
    await expect(list(() => ({ tools: ['a', 'b', 'c'] }), { maxToolsPerServer: 3 })).resolves.toMatchObject({
      names: ['a', 'b', 'c'],
      warnings: [],
    });
  });

  it('D15: of one name count once, the first of them, also across pages', async () => {
    const pages = new Map<string | undefined, Page>([
      [undefined, { tools: ['a', 'b', 'a'], nextCursor: 'x' }],
      ['x', { tools: ['b', 'c', 'a'] }],
    ]);
    await expect(list((cursor) => pages.get(cursor) ?? { tools: [] })).resolves.toMatchObject({
      names: ['a', 'b', 'c'],
      warnings: [
        'tool "a" is listed twice; the first one counts',
        'tool "b" is listed twice; the first one counts',
      ],
    });
  });

  it('without a name are left out, with one warning for all', async () => {
    await expect(list(() => ({ tools: [{}, 'a', { name: 7 }, { title: 'x' }] }))).resolves.toMatchObject({
      names: ['a'],
      warnings: ['tools without a name were left out'],
    });
  });

  it('may be none', async () => {
    await expect(list(() => ({ tools: [] }))).resolves.toMatchObject({ names: [], warnings: [] });
  });
});

describe('a page that cannot be had', () => {
  it.each([
    ['has no array of tools', '"result":{"items":[]}', 'tools/list has no array "tools" in its result'],
    [
      'is refused',
      '"error":{"code":-32601,"message":"no"}',
      'the server answered {"code":-32601,"message":"no"}',
    ],
  ])('because it %s is an error', async (_, answer, message) => {
    const { connection, server } = connected();
    const listed = readList(connection, LISTS.tools, DEFAULT_LIMITS, () => 1000);
    server.send(`{"jsonrpc":"2.0","id":1,${answer}}`);
    await expect(listed).rejects.toMatchObject({ name: 'OwnRequestError', message, timedOut: false });
  });

  it('because it is late is an error of that page alone: every page has its own time', async () => {
    const { connection, server, clock } = connected();
    const times = [1000, 50];
    const listed = readList(connection, LISTS.tools, DEFAULT_LIMITS, () => times.shift() ?? 0);
    clock.advance(900);
    server.answer(1, '{"tools":[],"nextCursor":"x"}');
    await nextTurn();
    clock.advance(50);
    await expect(listed).rejects.toMatchObject({
      timedOut: true,
      message: 'no answer to tools/list within 0.05 s',
    });
  });
});

describe('a list of entries that are all wrong', () => {
  it('G4: is told of in a few sentences and a number', async () => {
    const tools = Array.from({ length: 100 }, (_, index) => ({ name: `${index}${'x'.repeat(1000)}` }));
    const { names, warnings } = await list(() => ({ tools }));
    expect(names).toEqual([]);
    expect(warnings).toHaveLength(21);
    expect(warnings.at(-1)).toBe('and 80 more like these');
    expect(Math.max(...warnings.map(({ length }) => length))).toBeLessThan(300);
  });
});
