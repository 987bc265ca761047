import { describe, expect, it, vi } from 'vitest';

import { FakeSpawner } from '../../testing/fake-server.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { RegistryRig } from '../../testing/registry-rig.js';

const CONFIG = { command: process.execPath };
const HANGS = { command: process.execPath, args: ['hang'] };
const STAYS = { command: process.execPath, args: ['stay'] };
const WAIT = { timeout: 10_000, interval: 5 };

function spawnerOf(): FakeSpawner {
  return new FakeSpawner(({ args }) => {
    if (args[0] === 'hang') return { intercept: () => undefined };
    return { ignoresEof: args[0] === 'stay' };
  });
}

describe('shutting down', () => {
  it('ends all servers, whatever they are doing', async () => {
    const spawner = spawnerOf();
    await using rig = RegistryRig.overFakes(spawner);
    await rig.registry.add('running', CONFIG).started;
    await rig.registry.add('crashed', CONFIG).started;
    spawner.last.exit(1);
    const hanging = rig.registry.add('starting', HANGS).started;
    hanging.catch(() => undefined);
    await vi.waitUntil(() => spawner.servers.length === 3, WAIT);
    await rig.registry.shutDown();
    expect(spawner.alive.length).toBe(0);
    expect(rig.registry.list()).toEqual([]);
    await expect(hanging).rejects.toMatchObject({ code: 'SERVER_REMOVED' });
  });

  it('lets nothing be added afterwards', async () => {
    const spawner = spawnerOf();
    await using rig = RegistryRig.overFakes(spawner);
    const down = rig.registry.shutDown();
    expect(() => rig.registry.add('late', CONFIG)).toThrow(
      expect.objectContaining({
        code: 'CLOSED',
        message: 'mcpmux is shutting down; no server can be added.',
      }),
    );
    await down;
    expect(() => rig.registry.add('late', CONFIG)).toThrow(expect.objectContaining({ code: 'CLOSED' }));
    expect(spawner.servers.length).toBe(0);
  });

  it('lets nothing be reloaded afterwards', async () => {
    const spawner = spawnerOf();
    await using rig = RegistryRig.overFakes(spawner);
    await rig.registry.add('echo', CONFIG).started;
    await rig.registry.shutDown();
    await expect(rig.registry.reload('echo')).rejects.toMatchObject({ code: 'SERVER_NOT_FOUND' });
    expect(spawner.servers.length).toBe(1);
  });

  it('ends a reload that is under way', async () => {
    const spawner = spawnerOf();
    await using rig = RegistryRig.overFakes(spawner);
    await rig.registry.add('echo', CONFIG).started;
    const reloads = [rig.registry.reload('echo'), rig.registry.reload('echo')];
    const outcomes = Promise.allSettled(reloads);
    await rig.registry.shutDown();
    expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(spawner.alive.length).toBe(0);
  });

  it('twice is shutting down once', async () => {
    const spawner = spawnerOf();
    await using rig = RegistryRig.overFakes(spawner);
    await rig.registry.add('echo', CONFIG).started;
    await Promise.all([rig.registry.shutDown(), rig.registry.shutDown()]);
    expect(spawner.alive.length).toBe(0);
  });

  it('waits for servers that were removed before', async () => {
    const clock = new ManualClock();
    const spawner = spawnerOf();
    await using rig = RegistryRig.overFakes(spawner, { clock });
    await rig.registry.add('db', STAYS).started;
    const left = spawner.last;
    void rig.registry.remove('db');
    let isDown = false;
    const down = rig.registry.shutDown().then(() => (isDown = true));
    await nextTurn();
    expect(isDown).toBe(false);
    left.exit(0);
    await down;
  });

  it('hastens removals and reloads that are under way: all is over within 2.6 s', async () => {
    const clock = new ManualClock();
    const spawner = spawnerOf();
    await using rig = RegistryRig.overFakes(spawner, { clock });
    for (const name of ['removed', 'reloaded', 'running']) await rig.registry.add(name, STAYS).started;
    void rig.registry.remove('removed');
    rig.registry.reload('reloaded').catch(() => undefined);
    await nextTurn();
    const down = rig.registry.shutDown();
    // The fakes take no notice of signals: each is given up 1 s after SIGKILL.
    for (let step = 0; step < 26; step += 1) {
      await nextTurn();
      clock.advance(100);
    }
    await expect(down).resolves.toBeUndefined();
    expect(clock.now()).toBe(2600);
    for (const server of spawner.alive) server.exit(0);
  });
});
