import { ApprovalDesk } from '@mcpmux/core/guards';
import { describe, expect, it } from 'vitest';

import type { Guard } from '@mcpmux/core';

import { ConfigGuards } from './config-guards.js';
import { readConfig } from './read-config.js';

function read(settings: unknown) {
  return readConfig('mcpmux.json', JSON.stringify({ mcpServers: {}, ...(settings as object) }));
}

const EVERYTHING = {
  audit: true,
  access: {
    rules: [{ roles: ['dev'], servers: ['git*'], tools: ['get_*'], allow: true }],
    otherwise: 'deny',
  },
  rateLimit: [
    { perSecond: 5, burst: 20, by: ['principal', 'server'] },
    { perSecond: 0.1, tools: ['slow'] },
  ],
  concurrency: { max: 4, maxWaiting: 10, by: ['server'] },
  cache: { ttlMs: 60_000, maxBytes: 1_000_000, servers: ['docs'] },
  timeouts: { ms: 30_000 },
  resultBytes: { bytes: 100_000 },
  approvals: { rules: [{ hint: 'destructive', arguments: { path: ['/etc/*'] } }], timeoutMs: 1000 },
  largeResults: { tokens: 1000 },
};

describe('the section "guards"', () => {
  it('A6, A7, A12: each setting becomes guards', async () => {
    const { guards: settings, problems } = read({ guards: EVERYTHING });
    expect(problems).toEqual([]);
    const used: Guard[] = [];
    const guards = new ConfigGuards({
      mux: {
        approvals: new ApprovalDesk(),
        use: (guard: Guard | string) => (typeof guard !== 'string' && used.push(guard), () => undefined),
      },
      logger: { enabled: () => false, log: () => undefined },
    });
    guards.apply(settings);
    expect(used).toHaveLength(10);
    expect(used[1]?.shows?.({ id: 'x', roles: ['dev'], rights: [] }, 'git', 'get_file')).toBe(true);
  });

  it('largeResults is auto where a host gives the limits of clients and the config says nothing', () => {
    const inUse = new Set<Guard>();
    const use = (guard: Guard | string) => {
      if (typeof guard !== 'string') inUse.add(guard);
      return () => void (typeof guard !== 'string' && inUse.delete(guard));
    };
    const guards = new ConfigGuards({
      mux: { approvals: new ApprovalDesk(), use },
      logger: { enabled: () => false, log: () => undefined },
      results: { limits: [{ client: 'known', most: 10, unit: 'bytes' }] },
    });
    const isFor = (client: string) => [...inUse].map(({ clients }) => clients?.(client) ?? true);
    guards.apply(undefined);
    expect([isFor('Known-client'), isFor('other')]).toEqual([[true], [false]]);
    for (const [largeResults, expected] of [
      ['on', [true]],
      ['off', []],
      [{ mode: 'auto', clients: { oth: 5 } }, [true]],
      [{ tokens: 5 }, [true]],
    ] as const) {
      const { guards: settings, problems } = read({ guards: { largeResults } });
      expect(problems).toEqual([]);
      guards.apply(settings);
      expect(isFor('other')).toEqual(expected);
    }
    expect(JSON.stringify(read({ guards: { largeResults: 'yes' } }).problems)).toContain('auto, on, off');
  });

  it('guards of a config that is read again take the place of those before, and the same ones stay', async () => {
    const used: string[] = [];
    let made = 0;
    const use = (): (() => void) => {
      const name = `${(made += 1)}`;
      used.push(`+${name}`);
      return () => used.push(`-${name}`);
    };
    const guards = new ConfigGuards({
      mux: { approvals: new ApprovalDesk(), use },
      logger: { enabled: () => false, log: () => undefined },
    });
    guards.apply({ timeouts: { ms: 1000 } });
    guards.apply({ timeouts: { ms: 1000 } });
    guards.apply({ timeouts: [{ ms: 2000 }, { ms: 3000 }] });
    guards.apply(undefined);
    expect(used).toEqual(['+1', '-1', '+2', '+3', '-2', '-3']);
  });

  it.each([
    ['a key that does not exist', { guards: { acces: {} } }, 'guards: guards has no such setting: acces'],
    [
      'a rule that nobody knows',
      { guards: { access: { rules: [{ role: ['x'] }] } } },
      'no such setting: role',
    ],
    ['a rate of nothing', { guards: { rateLimit: { perSecond: 0 } } }, 'guards.rateLimit'],
    [
      'a token that is none',
      { http: { tokens: [{ hash: 'secret', principal: 'x' }] } },
      'http.tokens[0].hash',
    ],
    [
      'a right that does not exist',
      { http: { tokens: [{ hash: '', principal: 'x', rights: ['all'] }] } },
      'rights',
    ],
    ['keys over a network that is open', { http: { jwt: { jwksUrl: 'http://x.example/' } } }, 'https:'],
  ])('A6: %s leaves nothing of the config usable, and no value is told', (_, settings, expected) => {
    const { isUsable, problems } = read(settings);
    expect(isUsable).toBe(false);
    const reported = problems.map(({ path, message }) => `${path}: ${message}`).join('\n');
    expect(reported).toContain(expected);
    expect(reported).not.toContain('secret');
  });
});

it('a fault in the guards does not hide the faults of servers', () => {
  const { isUsable, problems, entries } = read({
    mcpServers: { a: { command: 7 } },
    guards: { ratelimit: {} },
  });
  expect({ isUsable, entries }).toEqual({ isUsable: false, entries: [] });
  expect(problems.map(({ path }) => path)).toEqual(
    expect.arrayContaining(['guards', 'mcpServers.a.command']),
  );
});
