import { doorDifferences, memberDifferences } from '@mcpmux/testing/door';
import { expect, it } from 'vitest';

import * as index from './index.js';

it('exports these values and no others', () => {
  expect(Object.keys(index).toSorted()).toEqual([
    'ANYBODY',
    'DEFAULT_LIMITS',
    'GuardRefusal',
    'HOST',
    'INSTANCE_HEADER',
    'LIST_KINDS',
    'LOCAL',
    'MuxError',
    'NamespaceError',
    'OWN_SERVER',
    'RUN_CODE',
    'configProblem',
    'createMux',
    'escapeControls',
    'guarded',
    'isSecretName',
    'isStreams',
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
  ['@mcpmux/core/guards', 'guards/index.ts'],
  ['@mcpmux/core/telemetry', 'guards/telemetry/index.ts'],
])('the README lists every export of %s, and no other name', (door, file) => {
  const readme = new URL('../README.md', import.meta.url);
  const title = `Exports of \`${door}\``;
  expect(doorDifferences(readme, new URL(file, import.meta.url), title)).toEqual({
    missing: [],
    unknown: [],
  });
});

it.each([
  [
    'Mux',
    [
      ['Mux', 'mux/mux-api.ts'],
      ['HostRequests', 'mux/host-requests.ts'],
    ],
  ],
  ['ClientSession', [['ClientSession', 'mux/client-session.ts']]],
  [
    'ConnectOptions',
    [
      ['ConnectOptions', 'mux/connect-options.ts'],
      ['Isolation', 'server/registry/layers.ts'],
    ],
  ],
  ['AddOptions', [['AddOptions', 'mux/add-options.ts']]],
  ['MuxOptions', [['MuxOptions', 'mux/mux-options.ts']]],
  ['MuxComponents', [['MuxComponents', 'mux/mux-options.ts']]],
  [
    'ServerConfig',
    [
      'CommonConfig',
      'ProcessConfig',
      'RemoteConfig',
      'TransportConfig',
      'StreamConfig',
      'UnusableConfig',
    ].map((name): [string, string] => [name, 'server/config/server-config.ts']),
  ],
] as [string, [string, string][]][])(
  'the README lists every member of %s, and no other name',
  (section, parts) => {
    const readme = new URL('../README.md', import.meta.url);
    const interfaces = parts.map(([name, file]) => [name, new URL(file, import.meta.url)] as const);
    expect(memberDifferences(readme, section, interfaces)).toEqual({ missing: [], unknown: [] });
  },
);
