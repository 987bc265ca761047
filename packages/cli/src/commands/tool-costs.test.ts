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
    { servers, exposure: { mode: 'search', pinned: ['a__one'], slim: true } },
    {},
  );
  expect(costs.map(({ fullCost, listedCost }) => [fullCost, listedCost])).toEqual([
    [11, 9],
    [11, undefined],
    [11, 9],
  ]);
  expect(costData(costs)).toMatchObject({ tokens: { all: 33, listed: 18 } });
  expect(costText(costs, 80)).toBe(
    [
      '             TOKENS  LISTED',
      'a            22      9       2 tools',
      '  one        11      9',
      '  two        11      -',
      'b            11      9       1 tools',
      '  three      11      9',
      'all servers  33      18      3 tools',
    ].join('\n'),
  );
});

it('the flags of the command line win over the config', () => {
  const costs = toolCosts(TOOLS, { servers: [], exposure: 'search' }, { exposure: 'all' });
  expect(costs.every(({ listedCost }) => listedCost !== undefined)).toBe(true);
});
