import { expect, it } from 'vitest';

import { Layer } from '../config/layer.js';
import { restoredLists, toRememberedLists, rememberedListsOf } from './remembered-lists.js';
import { NO_LISTS } from './server-lists.js';
import { applyToolFilter } from './tool-filter.js';

const TEXTS = {
  tools: ['{ "name":"find", "n":1.0 }', '{"name":"list","_meta":{}}'],
  resources: ['{"uri":"a:b","name":"r"}'],
};

it('lists that were kept come back byte for byte', () => {
  const lists = restoredLists(TEXTS);
  expect(lists.tools.map(({ key }) => key)).toEqual(['find', 'list']);
  expect(toRememberedLists(lists)).toEqual(TEXTS);
});

it('a view counts for what was kept, too', () => {
  const view = { shown: (tool: string) => (tool === 'list' ? false : { name: 'search' }) } as const;
  const { items } = applyToolFilter('tools', { items: restoredLists(TEXTS).tools, warnings: [] }, view);
  expect(items.map(({ key, keyJson }) => [key, keyJson.toString()])).toEqual([['search', '"find"']]);
});

it.each([[{ tools: ['{'] }], [{ tools: ['1'] }], [{ tools: ['{"no":"name"}'] }], [{}]])(
  'what is no list any more is an empty one: %j',
  (texts) => {
    expect(restoredLists(texts)).toEqual(NO_LISTS);
  },
);

it('what was found out about the era of a server is kept beside its lists', () => {
  const layer = new Layer('shared');
  const server = {
    state: { kind: 'idle' },
    unfilteredLists: NO_LISTS,
    hasRunBefore: true,
    config: {},
    layer,
  };
  const verdict = { era: 'modern', at: 1 } as const;
  expect(rememberedListsOf({ ...server, verdict })).toEqual({ protocol: verdict });
  expect(rememberedListsOf(server)).toEqual({});
});
