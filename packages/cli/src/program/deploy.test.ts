import { readFileSync } from 'node:fs';

import { Command } from 'commander';
import { expect, it } from 'vitest';

import { readConfig } from '@mcpmux/config';
import { addServeOptions } from './serve-flags.js';

const FOLDER = new URL('../../../../deploy/', import.meta.url);
const text = (path: string): string => readFileSync(new URL(path, FOLDER), 'utf8');

it.each(['compose/compose.yaml', 'systemd/mcpmux.service', 'kubernetes/mcpmux.yaml'])(
  '%s uses flags that mcpmux serve has',
  (path) => {
    const command = new Command('serve');
    addServeOptions(command);
    const known = new Set(command.options.map(({ long }) => long));
    const served = text(path)
      .split('\n')
      .filter((line) => !line.startsWith('#'))
      .join('\n');
    const used = [...served.matchAll(/(?<=[\s'"])--[a-z][a-z-]*/g)].map(([flag]) => flag);
    expect(used).toContain('--http');
    expect(used.filter((flag) => !known.has(flag))).toEqual([]);
  },
);

it.each([
  ['compose/mcpmux.json', text('compose/mcpmux.json')],
  [
    'the config in kubernetes/mcpmux.yaml',
    /mcpmux\.json: \|\n((?: {4}.*\n)+)/.exec(text('kubernetes/mcpmux.yaml'))?.[1] ?? '',
  ],
])('%s has no problem', (name, source) => {
  const { isUsable, problems, entries } = readConfig(name, source);
  expect({ isUsable, problems }).toEqual({ isUsable: true, problems: [] });
  expect(entries.length).toBeGreaterThan(0);
});
