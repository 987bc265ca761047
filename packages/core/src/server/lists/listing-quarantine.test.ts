import { describe, expect, it } from 'vitest';
import { DEFAULT_LIMITS } from '@mcpmux/kit';

import { connected } from '../../testing/connected.js';
import { LISTS } from './list-kind.js';
import { readList } from './listing.js';

const SCHEMA = { type: 'object' };

/** The names and the warnings of a list of tools that is one page. */
async function listed(tools: readonly object[]): Promise<unknown> {
  const { connection, server } = connected();
  const listing = readList(connection, LISTS.tools, DEFAULT_LIMITS, () => 1000);
  server.answer(1, JSON.stringify({ tools }));
  const { items, warnings } = await listing;
  return { names: items.map(({ key }) => key), warnings };
}

describe('a tool that clients would refuse with its whole list', () => {
  it('A2: is left out alone, and a warning says why', async () => {
    await expect(
      listed([{ name: 'a', inputSchema: SCHEMA }, { name: 'b' }, { name: 'c', inputSchema: SCHEMA }]),
    ).resolves.toEqual({
      names: ['a', 'c'],
      warnings: ['tool "b" was left out: it has no inputSchema'],
    });
  });

  it('D15: does not take the place of a good one of the same name', async () => {
    await expect(listed([{ name: 'a' }, { name: 'a', inputSchema: SCHEMA }])).resolves.toEqual({
      names: ['a'],
      warnings: ['tool "a" was left out: it has no inputSchema'],
    });
  });
});
