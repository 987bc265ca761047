import process from 'node:process';

import { afterEach, describe, expect, it } from 'vitest';

import { DualClient, FRONT, getsAll, statusOf } from '../testing/dual-client.js';
import { dualProgram, DualServers, type Where } from '../testing/dual-program.js';
import { createMux } from './mux.js';

const servers = new DualServers();

afterEach(() => servers[Symbol.asyncDispose]());

describe.each<Where>(['over stdio', 'at a url'])('a server of both eras, %s', (where) => {
  it('gives a modern client and a legacy one that call at the same time what it gives each alone', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await servers.configOf(where));
    const modern = await DualClient.open(mux, 'modern');
    await modern.call('era');
    const legacy = await DualClient.open(mux, 'legacy');
    await Promise.all([getsAll(modern), getsAll(legacy)]);
    await Promise.all([getsAll(legacy), getsAll(modern)]);
    expect(statusOf(mux)).toMatchObject({ era: 'modern', second_run: { era: 'legacy' } });
  });

  it('tells each of them, while both are there, of the changes that either makes', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await servers.configOf(where));
    const modern = await DualClient.open(mux, 'modern');
    await modern.call('era');
    const legacy = await DualClient.open(mux, 'legacy');
    await legacy.wire.request('resources/subscribe', { uri: 'memo:///a' });
    const updates = (): number => legacy.wire.count('notifications/resources/updated');
    const isTold = async (client: DualClient): Promise<boolean> => {
      const before = updates();
      await client.call('touch');
      return updates() > before;
    };
    // A call may overtake the subscription, or the answer what it causes.
    await expect.poll(() => isTold(legacy)).toBe(true);
    await expect.poll(() => isTold(modern)).toBe(true);
    expect(statusOf(mux)).toMatchObject({ era: 'modern', second_run: { era: 'legacy' } });
  });

  it('of the modern era alone is left to the bridge, and asked once whether it has the other', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await servers.configOf(where, { legacy: 'reject', hasSessions: false }));
    const modern = await DualClient.open(mux, 'modern');
    await modern.call('era');
    const legacy = await DualClient.open(mux, 'legacy');
    expect(await legacy.call('ask_by_input')).toMatch(/"so"/);
    expect(statusOf(mux)).toMatchObject({ status: 'running', era: 'modern', restarts: 0 });
    expect(statusOf(mux).second_run).toBeUndefined();
    expect(statusOf(mux).warnings).toBeUndefined();
  });

  it('says which kinds a second run was not told of, since it started for a client that has fewer', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await servers.configOf(where));
    const modern = await DualClient.open(mux, 'modern');
    await modern.call('era');
    const first = await DualClient.open(mux, 'legacy', { elicitation: { form: {} } });
    expect(await first.call('ask')).toMatch(/"so"/);
    await first.wire.tools();
    expect(statusOf(mux).warnings).toBeUndefined();
    const later = await DualClient.open(mux, 'legacy');
    await later.wire.tools();
    expect(statusOf(mux).warnings).toEqual([
      expect.stringMatching(/^does not ask for sampling: .*reload_server/),
    ]);
  });

  it('has one run where its configuration names the era', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', { ...(await servers.configOf(where)), protocol: 'modern' });
    const legacy = await DualClient.open(mux, 'legacy');
    expect(await legacy.call('ask')).toContain('2026-07-28');
    expect(await legacy.call('ask_by_input')).toMatch(/"so"/);
    expect(statusOf(mux)).toMatchObject({ era: 'modern', restarts: 0 });
    expect(statusOf(mux).second_run).toBeUndefined();
  });

  it('has one run for clients that it cannot ask anything', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await servers.configOf(where));
    const legacy = await DualClient.open(mux, 'legacy', {});
    expect(await legacy.call('era')).toBe('modern');
    expect(statusOf(mux)).toMatchObject({ era: 'modern', restarts: 0 });
    expect(statusOf(mux).second_run).toBeUndefined();
  });
});

describe('the program of a server of both eras', () => {
  it('runs once while all of its clients speak one era, and a second time for those of the other', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await dualProgram());
    const one = await DualClient.open(mux, 'legacy');
    const both = await Promise.all([one.call('pid'), one.call('pid')]);
    expect(statusOf(mux)).toMatchObject({ era: 'legacy', restarts: 1 });
    expect(both).toEqual([String(statusOf(mux).pid), String(statusOf(mux).pid)]);
    // Of the two bridges, that of the modern client loses nothing here.
    const modern = await DualClient.open(mux, 'modern');
    expect(await modern.call('pid')).toBe(both[0]);
    expect(await modern.call('ask')).toMatch(/"so"/);
  });

  it('runs twice for clients of both eras, and each keeps its process', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await dualProgram());
    const modern = await DualClient.open(mux, 'modern');
    const first = await modern.call('pid');
    const legacy = await DualClient.open(mux, 'legacy');
    const [second, third] = await Promise.all([legacy.call('pid'), legacy.call('pid')]);
    expect(second).toBe(third);
    expect(second).not.toBe(first);
    const version = '2025-11-25';
    const shown = { era: 'legacy', protocol_version: version, pid: Number(second) };
    expect(statusOf(mux)).toMatchObject({ pid: Number(first), era: 'modern', second_run: shown });
    expect(await modern.call('pid')).toBe(first);
  });

  it('goes on in the modern era when it does not start in the other, and says so', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await dualProgram({ breaksInLegacy: true }));
    const legacy = await DualClient.open(mux, 'legacy');
    expect(await legacy.call('ask_by_input')).toMatch(/"so"/);
    expect(statusOf(mux)).toMatchObject({ status: 'running', era: 'modern' });
    expect(statusOf(mux).warnings?.[0]).toMatch(/^the second run, for clients of the legacy era, has failed/);
    expect(await legacy.call('era')).toBe('modern');
  });

  it('goes on for the others when the process of the second run ends, which is started anew when needed', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await dualProgram());
    const modern = await DualClient.open(mux, 'modern');
    const first = await modern.call('pid');
    const legacy = await DualClient.open(mux, 'legacy');
    process.kill(Number(await legacy.call('pid')), 'SIGKILL');
    await expect.poll(() => statusOf(mux).second_run).toBeUndefined();
    expect(statusOf(mux).warnings?.[0]).toMatch(/^the second run, for clients of the legacy era, has failed/);
    expect(await modern.call('pid')).toBe(first);
    expect(await legacy.call('pid')).toBe(first);
    await mux.reloadServer('v');
    expect(statusOf(mux).warnings).toBeUndefined();
    await modern.call('pid');
    expect(await legacy.call('ask')).toMatch(/"so"/);
  });
});

describe('a url of both eras without sessions', () => {
  it('is asked nothing in the legacy era: questions in results are put to the client all the same', async () => {
    await using mux = createMux(FRONT);
    await mux.addServer('v', await servers.configOf('at a url', { hasSessions: false }));
    const legacy = await DualClient.open(mux, 'legacy');
    expect(await legacy.call('ask_by_input')).toMatch(/"so"/);
    expect(await legacy.call('era')).toBe('modern');
    expect(statusOf(mux).warnings).toBeUndefined();
  });
});
