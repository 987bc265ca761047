import { doorDifferences } from '@mcpmux/testing/door';
import { expect, it } from 'vitest';

import * as index from './index.js';

it('exports these values and no others', () => {
  expect(Object.keys(index).toSorted()).toEqual([
    'ANYBODY',
    'DEFAULT_LIMITS',
    'GuardRefusal',
    'HOST',
    'INSTANCE_HEADER',
    'LOCAL',
    'MuxError',
    'NamespaceError',
    'configProblem',
    'createMux',
    'escapeControls',
    'guarded',
    'isSecretName',
    'listedDefinitions',
    'logIn',
    'maskArgs',
    'messageOf',
    'nullLogger',
    'resultAnswer',
    'spawnProcess',
    'systemClock',
  ]);
});

it.each([
  ['@mcpmux/core', 'index.ts'],
  ['@mcpmux/core/cluster', 'cluster/index.ts'],
  ['@mcpmux/core/guards', 'guards/index.ts'],
  ['@mcpmux/core/code-mode', 'code/index.ts'],
  ['@mcpmux/core/telemetry', 'telemetry/index.ts'],
])('the README lists every export of %s, and no other name', (door, file) => {
  const readme = new URL('../README.md', import.meta.url);
  const title = `Exports of \`${door}\``;
  expect(doorDifferences(readme, new URL(file, import.meta.url), title)).toEqual({
    missing: [],
    unknown: [],
  });
});
