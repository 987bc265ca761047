import { expect, it } from 'vitest';

import { descriptionLines, listedTools, toolSignature } from './server-tools.js';

const inputSchema = {
  properties: {
    limit: { type: 'integer' },
    query: { type: 'string' },
    sort: { enum: ['up', 'down'] },
    tags: { type: 'array', items: { type: 'string' } },
    id: { type: ['string', 'null'] },
    any: {},
  },
  required: ['query'],
};

it('a signature has what is required first', () => {
  const tool = { name: 's__find', server: 's', originalName: 'find', definition: { inputSchema } };
  expect(toolSignature(tool)).toBe(
    'find(query: string, limit?: integer, sort?: "up" | "down", tags?: string[], id?: string | null, any?: any)',
  );
});

it('a tool without a schema has no arguments', () => {
  expect(toolSignature({ name: 's__x', server: 's', originalName: 'x', definition: {} })).toBe('x()');
});

it('tools of servers are told from those of mcpmux, and by the name that their server gave them', () => {
  const definitions = [
    { name: 'add_server' },
    { name: 's__find' },
    { name: 's__long_1a2b', _meta: { 'dev.mcpmux/originalName': 's__long name' } },
  ];
  const found = listedTools(definitions, new Map([['s', ['s__find', 's__long_1a2b']]]));
  expect(found.map(({ server, originalName }) => [server, originalName])).toEqual([
    ['s', 'find'],
    ['s', 'long name'],
  ]);
});

it.each([
  ['First one. Second one.\nThird line.', 'First one.'],
  ['Reads example.com/a.txt, or v1.2 of it', 'Reads example.com/a.txt, or v1.2 of it'],
  ['\n Why? Because.', 'Why?'],
  ['', ''],
])('the first sentence of %j is %j', (description, sentence) => {
  expect(descriptionLines(description)).toEqual([sentence]);
  expect(descriptionLines(description, true).join('\n')).toBe(description.trim());
});
