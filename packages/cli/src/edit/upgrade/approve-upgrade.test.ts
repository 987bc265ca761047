import { expect, it } from 'vitest';

import { blockedUpgrades } from './approve-upgrade.js';

const CHANGES = { added: ['new'], removed: ['old'], changed: [{ tool: 'read', members: ['description'] }] };

it.each([
  ['all shown', { new: 'new', read: 'changed' }, CHANGES, [{ name: 'files', isSeen: true }]],
  ['one not shown', { read: 'changed', other: 'new' }, CHANGES, [{ name: 'files', isSeen: false }]],
  ['the tools before unknown', { read: 'changed' }, undefined, [{ name: 'files', isSeen: false }]],
  ['none blocked', undefined, CHANGES, []],
])(
  'an upgrade is approved only if a person has seen each blocked tool: %s',
  (_, blocked, changes, expected) => {
    const servers = [
      { name: 'other', blocked_tools: { a: 'new' } },
      { name: 'files', blocked_tools: blocked },
    ];
    expect(blockedUpgrades(servers, [{ name: 'files', ...(changes && { changes }) }])).toEqual(expected);
  },
);
