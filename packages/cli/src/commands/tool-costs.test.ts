import { expect, it } from 'vitest';

import { costData, costText, toolCosts } from './tool-costs.js';

const TOOLS = [
  { server: 'a', originalName: 'one' },
  { server: 'a', originalName: 'two' },
  { server: 'b', originalName: 'three' },
].map(({ server, originalName }) => ({
  name: `${server}__${originalName}`,
  server,
  originalName,
  definition: { name: `${server}__${originalName}`, description: 'First. Second.' },
}));

const length = (text: string): number => text.length;

it('the costs are those of all definitions, and of those that the config lists', () => {
  const servers = [
    {
      name: 'b',
      status: 'ready',
      config: { command: 'b' },
      isRequired: false,
      tools: { exclude: [], overrides: {}, exposure: 'all' },
    },
  ] as const;
  const costs = toolCosts(
    TOOLS,
    { servers, exposure: { mode: 'pinned', pinned: ['a__one'], slim: true } },
    {},
    length,
  );
  expect(costs.map(({ all, listed }) => [all, listed])).toEqual([
    [48, 40],
    [48, undefined],
    [50, 42],
  ]);
  expect(costData(costs)).toMatchObject({ tokens: { all: 146, listed: 82 } });
  expect(costText(costs, 80)).toBe(
    [
      '             TOKENS  LISTED',
      'a            96      40      2 tools',
      '  one        48      40',
      '  two        48      -',
      'b            50      42      1 tools',
      '  three      50      42',
      'all servers  146     82      3 tools',
    ].join('\n'),
  );
});

it('the flags of the command line win over the config', () => {
  const costs = toolCosts(TOOLS, { servers: [], exposure: 'search' }, { exposure: 'all' }, length);
  expect(costs.every(({ listed }) => listed !== undefined)).toBe(true);
});
