import { expect, it } from 'vitest';

import { readDefinition, readPage, type Definition } from './definition.js';
import { LISTS } from './list-kind.js';
import type { Listing } from './listing.js';
import { applyToolFilter, type ToolFilter, type ToolShown } from './tool-filter.js';

/** Members in an order and a layout of their own, so that a copy would be noticed. */
function listing(...tools: readonly string[]): Listing {
  const line = Buffer.from(`{"tools":[${tools.join(',')}]}`);
  const items = readPage(line, { start: 0, end: line.length }, LISTS.tools)?.items ?? [];
  return { items, warnings: ['as it was'] };
}

function view(shown: Readonly<Record<string, ToolShown | false>>): ToolFilter {
  return { shown: (tool) => shown[tool] };
}

const viewed = (all: Listing, filter: ToolFilter): Listing => applyToolFilter('tools', all, filter);
const texts = ({ items }: Listing): readonly string[] => items.map(({ bytes }) => bytes.toString());
const keys = ({ items }: Listing): readonly string[] => items.map(({ key }) => key);
const part = ({ bytes, keySpan }: Definition): string => bytes.toString('utf8', keySpan.start, keySpan.end);

const FIND = '{ "x":1.0, "name":"find",\t"description": "Finds.","_meta":{"a":1}}';
const LIST = '{"name":"list","inputSchema":{"n":1e2}}';

it('what is not spoken of stays byte for byte', () => {
  const all = listing(FIND, LIST);
  expect(viewed(all, view({}))).toEqual(all);
});

it('a tool that is not to exist does not', () => {
  expect(keys(viewed(listing(FIND, LIST), view({ find: false })))).toEqual(['list']);
});

it('a tool has another name for clients, and its own for its server', () => {
  const [tool] = viewed(listing(FIND), view({ find: { name: 'search' } })).items;
  expect(tool).toMatchObject({ key: 'search' });
  expect(tool?.keyJson.toString()).toBe('"find"');
});

it('another description takes the place of the old one and of nothing else', () => {
  const result = viewed(
    listing(FIND, LIST),
    view({ find: { description: 'a "new" one' }, list: { description: 'L' } }),
  );
  expect(texts(result)).toEqual([
    '{ "x":1.0, "name":"find",\t"description": "a \\"new\\" one","_meta":{"a":1}}',
    '{"description":"L","name":"list","inputSchema":{"n":1e2}}',
  ]);
  expect(result.items.map(part)).toEqual(['"find"', '"list"']);
  const { metaSpan } = result.items[0] ?? {};
  expect(texts(result)[0]?.slice(metaSpan?.start, metaSpan?.end)).toBe('{"a":1}');
});

it('a hidden tool is there', () => {
  expect(viewed(listing(FIND), view({ find: { isHidden: true } })).items).toMatchObject([
    { key: 'find', isHidden: true },
  ]);
});

it('of two tools that would have one name the second is left out, and told', () => {
  const result = viewed(listing(FIND, LIST), view({ find: { name: 'list' } }));
  expect(keys(result)).toEqual(['list']);
  expect(result.items[0]?.keyJson.toString()).toBe('"find"');
  expect(result.warnings).toEqual(['as it was', expect.stringContaining('would be called "list"')]);
});

it('a tool that clients of each era see in another form has the new description in both', () => {
  const [tool, forOthers] = ['{"name":"x"}', '{"name":"x","y":1}'].map((text) =>
    readDefinition(Buffer.from(text), LISTS.tools),
  );
  if (tool === undefined || forOthers === undefined) throw new Error('no definition');
  const both = { items: [{ ...tool, forOthers }], warnings: [] };
  const { items } = applyToolFilter('tools', both, { shown: () => ({ description: 'new' }) });
  expect(items.map((item) => item.forOthers?.bytes.toString())).toEqual([
    '{"description":"new","name":"x","y":1}',
  ]);
});

const WITH = '{"name":"with","inputSchema":{"properties":{"q":{}}}}';

it('an argument that a named tool does not have is reported for the tool', () => {
  const shape = { arguments: { q: { value: 1 } } } as const;
  const result = viewed(listing(WITH, LIST), view({ with: shape, list: shape }));
  expect(result.warnings).toEqual(['as it was', expect.stringContaining('the argument "q" of "list"')]);
});

it('an argument that no tool of a pattern has is reported once, and one that any tool has is not', () => {
  const shape = { arguments: { q: { value: 1 }, typo: { hidden: true } }, isPattern: true } as const;
  const result = viewed(listing(WITH, LIST), view({ with: shape, list: shape }));
  expect(result.items[0]?.shape?.arguments.has('q')).toBe(true);
  expect(result.warnings).toEqual(['as it was', expect.stringContaining('the argument "typo"')]);
});
