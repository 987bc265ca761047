import { expect, it } from 'vitest';

import type { LoadedConfig } from '@mcpmux/config';

import type { Outcome } from '../live/outcome.js';
import { checkConfig } from './check-config.js';
import { checkEnvironment } from './check-environment.js';
import { checkServer } from './check-server.js';

const state = { name: 's', status: 'running', tools: ['s__a'], restarts: 0, droppedLines: 0, warnings: [] };
const running: Outcome = { kind: 'running', name: 's', state };

it('an old Node.js is a problem, with what to do', () => {
  expect(checkEnvironment('20.18.9', {})).toMatchObject([
    { level: 'problem', next: expect.stringContaining('nodejs.org') },
  ]);
  expect(checkEnvironment('24.0.0', {})).toMatchObject([{ level: 'ok' }]);
});

it('variables that change the network are named without their values', () => {
  const findings = checkEnvironment('24.0.0', { HTTPS_PROXY: 'http://ann:hunter2@proxy' });
  expect(findings.at(-1)?.message).toContain('HTTPS_PROXY');
  expect(JSON.stringify(findings)).not.toContain('hunter2');
});

it('a missing variable is told with how to set it', () => {
  const message = 'the environment variable TOKEN is not set';
  const path = 'mcpServers.x.env.T';
  const problem = { severity: 'error', file: '/c.json', line: 3, column: 5, path, message } as const;
  const config: LoadedConfig = {
    file: '/c.json',
    isUsable: true,
    isShared: false,
    servers: [],
    profiles: {},
    problems: [problem],
  };
  const [, finding] = checkConfig(config);
  expect(finding).toMatchObject({ level: 'problem', next: expect.stringContaining('set TOKEN') });
  expect(finding?.message).toContain('/c.json:3:5');
});

it.each<[Outcome, string, string]>([
  [{ kind: 'disabled', name: 's' }, 'ok', 'mcpmux enable s'],
  [
    { kind: 'crashed', name: 's', reason: 'its command "uvx" was not found' },
    'problem',
    'install the program',
  ],
  [{ kind: 'crashed', name: 's', reason: 'its command "own" was not found' }, 'problem', 'whole path'],
  [
    { kind: 'crashed', name: 's', reason: 'no answer: http://h/mcp answered 502' },
    'problem',
    'shows its url',
  ],
  [{ kind: 'crashed', name: 's', reason: 'it exited' }, 'problem', 'mcpmux get s'],
])('%j is %s, and what to do is told', (outcome, level, next) => {
  expect(checkServer(outcome)).toMatchObject([{ level, next: expect.stringContaining(next) }]);
});

it('a server that is slow, noisy or has warnings runs, and each is told', () => {
  const troubled: Outcome = {
    ...running,
    startMs: 12_000,
    state: { ...state, droppedLines: 3, warnings: ['two tools are one'] },
  };
  expect(checkServer(running)).toMatchObject([{ level: 'ok', message: '1 tool' }]);
  expect(checkServer({ ...running, state: { ...state, protocolVersion: '2025-06-18' } })).toMatchObject([
    { level: 'ok', message: '1 tool, MCP 2025-06-18' },
  ]);
  expect(checkServer(troubled).map(({ level, message }) => [level, message])).toEqual([
    ['ok', '1 tool, up in 12.0 s'],
    ['warning', 'took 12 s to start'],
    ['warning', 'wrote 3 lines to stdout that are not MCP messages'],
    ['warning', 'two tools are one'],
  ]);
});

it('a server that sleeps is all right, and is told to sleep', () => {
  const asleep: Outcome = { ...running, state: { ...state, status: 'idle' } };
  expect(checkServer(asleep)).toMatchObject([
    { level: 'ok', message: '1 tool, idle: it starts with its next call' },
  ]);
});

it('a server that ended in a running mcpmux is started again by reload, and by a setting', () => {
  const outcome = { kind: 'crashed', name: 'a', reason: 'Server "a" was killed by signal SIGKILL.' } as const;
  const [finding] = checkServer(outcome, { startedCount: 1, isServed: true });
  expect(finding?.next).toMatch(/^mcpmux reload a .*"restart": "on-failure"/);
  expect(checkServer(outcome)[0]?.next).toContain('mcpmux get a');
});

it('servers that start at the same time may take longer', () => {
  const slow = { kind: 'running', name: 'a', state, startMs: 9000 } as const;
  expect(checkServer(slow, { startedCount: 4, isServed: false })).toHaveLength(1);
  expect(checkServer(slow)).toHaveLength(2);
});
