import { describe, expect, it } from 'vitest';

import type { LoadedConfig, LoadedServer } from '@mcpmux/config';

import { parseAnnouncement } from './announcement.js';
import { outcomesIn } from './live-servers.js';
import { parseServerState } from './server-state.js';

const ready = (name: string): LoadedServer => ({
  name,
  status: 'ready',
  config: { command: 'x' },
  isRequired: false,
});
const config: LoadedConfig = {
  file: '/c.json',
  isUsable: true,
  isShared: false,
  servers: [
    ready('a'),
    ready('b'),
    { name: 'broken', status: 'misconfigured', problem: 'TOKEN is not set', isRequired: false },
    { name: 'off', status: 'disabled', isRequired: false },
  ],
  profiles: { work: ['b'] },
  problems: [],
};
const running = parseServerState({ name: 'a', status: 'running' });

function kinds(selection?: { readonly only?: string[]; readonly profile?: string }): readonly string[] {
  return outcomesIn(config, [running], { pid: 7, selection }).map(({ kind }) => kind);
}

describe('a mcpmux that serves a config', () => {
  it('has not loaded a server that is in the config alone', () => {
    expect(kinds()).toEqual(['running', 'not_loaded', 'failed', 'disabled']);
  });

  it('tells the reason of a server that it has registered as failed', () => {
    const failed = parseServerState({
      name: 'broken',
      status: 'failed',
      last_error: { message: 'no TOKEN' },
    });
    expect(outcomesIn(config, [failed], { pid: 7 })).toContainEqual({
      kind: 'failed',
      name: 'broken',
      reason: 'no TOKEN',
    });
  });

  it('tells a crashed server from a failed one, in the words of list_servers', () => {
    const crashed = parseServerState({ name: 'b', status: 'crashed', last_error: { message: 'it exited' } });
    expect(outcomesIn(config, [crashed], { pid: 7 })[1]).toEqual({
      kind: 'crashed',
      name: 'b',
      reason: 'it exited',
    });
  });

  it('was not to start what --only leaves out, right or wrong', () => {
    expect(kinds({ only: ['a'] })).toEqual(['running', 'not_selected', 'not_selected', 'not_selected']);
  });

  it('was not to start what its profile leaves out', () => {
    expect(kinds({ profile: 'work' })).toEqual(['running', 'not_loaded', 'not_selected', 'not_selected']);
  });

  it('is not to blame when the config has lost its profile', () => {
    expect(kinds({ profile: 'gone' })).toEqual(['running', 'not_selected', 'not_selected', 'not_selected']);
  });

  it('is named with its flags where a server is not selected', () => {
    const [, b] = outcomesIn(config, [running], { pid: 7, selection: { only: ['a', 'x'], profile: 'work' } });
    expect(b).toMatchObject({
      reason: 'the running mcpmux (pid 7) was started with --only a,x --profile work',
    });
  });

  it('may be of a version that does not announce what it was told to start', () => {
    const announcement = { id: '1', pid: 7, socket: '/s', version: '0', started: 1, cwd: '/' };
    expect(parseAnnouncement(JSON.stringify(announcement))).toEqual(announcement);
    const selection = { only: ['a'] };
    expect(parseAnnouncement(JSON.stringify({ ...announcement, selection }))).toMatchObject({ selection });
  });
});
