import { describe, expect, it, vi } from 'vitest';

import { FakeSpawner, type FakeBehaviour } from '../../testing/fake-server.js';
import { RegistryRig } from '../../testing/registry-rig.js';
import type { ServerConfig } from '../config/server-config.js';

const SWAP: ServerConfig = { command: process.execPath, reload: 'swap' };
const FAIL: FakeBehaviour = { intercept: (_, __, server) => server.exit(3) };
const HANG: FakeBehaviour = { intercept: () => undefined };
const WAIT = { timeout: 10_000, interval: 5 };

/** Servers that behave in turn as they are told; after that they answer. */
function inTurn(...behaviours: readonly FakeBehaviour[]): FakeSpawner {
  const left = [...behaviours];
  return new FakeSpawner(() => left.shift() ?? {});
}

describe('reloading a server by a swap', () => {
  it('E4: never takes it out of service', async () => {
    const spawner = inTurn();
    await using rig = RegistryRig.overFakes(spawner);
    await rig.registry.add('db', SWAP).started;
    await rig.registry.reload('db');
    expect(rig.events).toEqual(['added db', 'db starting', 'db running', 'db running']);
    expect(spawner.alive).toEqual([spawner.last]);
  });

  it('E4: that fails leaves the old one, and says so', async () => {
    const spawner = inTurn({}, FAIL);
    await using rig = RegistryRig.overFakes(spawner);
    await rig.registry.add('db', SWAP).started;
    await expect(rig.registry.reload('db')).rejects.toMatchObject({
      code: 'START_FAILED',
      message:
        'Server "db" exited with code 3.\nThe reload failed. The previous run of the server continues.',
    });
    expect(rig.states).toEqual(['running']);
    expect(rig.events).toEqual(['added db', 'db starting', 'db running', 'db not swapped']);
    expect(spawner.alive).toEqual([spawner.servers[0]]);
  });

  it('E4: that was removed meanwhile is told so', async () => {
    const spawner = inTurn({}, HANG);
    await using rig = RegistryRig.overFakes(spawner);
    await rig.registry.add('db', SWAP).started;
    const reloaded = rig.registry.reload('db');
    await vi.waitUntil(() => spawner.servers.length === 2, WAIT);
    const [outcome] = await Promise.allSettled([reloaded, rig.registry.remove('db')]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'SERVER_REMOVED' } });
    expect(spawner.alive).toEqual([]);
  });

  it('E4, E5: coalesces as any other: never more than two processes', async () => {
    const spawner = inTurn();
    await using rig = RegistryRig.overFakes(spawner);
    await rig.registry.add('db', SWAP).started;
    const reloads = Array.from({ length: 20 }, () => rig.registry.reload('db'));
    await vi.waitUntil(() => spawner.servers.length > 1, WAIT);
    expect(spawner.alive.length).toBeLessThanOrEqual(2);
    await Promise.all(reloads);
    expect(spawner.servers).toHaveLength(3);
    expect(spawner.alive).toEqual([spawner.last]);
  });

  it('E4: of one that has crashed is a start', async () => {
    const spawner = inTurn();
    await using rig = RegistryRig.overFakes(spawner);
    await rig.registry.add('db', SWAP).started;
    spawner.last.exit(1);
    await vi.waitUntil(() => rig.states[0] === 'crashed', WAIT);
    await rig.registry.reload('db');
    expect(rig.events.slice(-2)).toEqual(['db starting', 'db running']);
  });
});
