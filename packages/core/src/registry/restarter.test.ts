import { describe, expect, it, vi } from 'vitest';

import { FakeSpawner } from '../testing/fake-server.js';
import { ManualClock } from '../testing/manual-clock.js';
import { RegistryRig } from '../testing/registry-rig.js';
import type { RestartMode } from '../upstream/server-config.js';
import { MAX_RESTARTS, WINDOW_MS } from './restart-policy.js';

const WAIT = { timeout: 10_000, interval: 1 };

/** A server that runs, and the clock that its restarts wait for. */
async function running(restart?: RestartMode) {
  const clock = new ManualClock();
  const spawner = new FakeSpawner();
  const rig = RegistryRig.overFakes(spawner, { clock });
  await rig.registry.add('a', { command: process.execPath, ...(restart && { restart }) }).started;
  const crash = async (exitCode = 1): Promise<void> => {
    spawner.last.exit(exitCode);
    await vi.waitUntil(() => rig.states[0] === 'crashed', WAIT);
  };
  /** Resolves when the n-th process runs. */
  const ran = (count: number): Promise<unknown> =>
    vi.waitUntil(() => spawner.servers.length === count && rig.states[0] === 'running', WAIT);
  return { clock, spawner, rig, crash, ran, note: () => rig.registry.find('a')?.restartNote };
}

describe('a server with a restart policy', () => {
  it('E8: starts again after its delay, and says before when', async () => {
    const { clock, rig, crash, ran, note } = await running('on-failure');
    await using _ = rig;
    await crash();
    expect(note()).toMatch(/^starts again 0\.\d+ s after its end$/);
    clock.advance(600);
    await ran(2);
    expect(note()).toBeUndefined();
  });

  it('E9: that ends again and again is given up, and says so; a reload begins anew', async () => {
    const { clock, spawner, rig, crash, ran, note } = await running('always');
    await using _ = rig;
    for (let round = 0; round < MAX_RESTARTS; round += 1) {
      await crash();
      clock.advance(600 * 2 ** round);
      await ran(round + 2);
    }
    await crash();
    clock.advance(WINDOW_MS);
    expect(spawner.servers).toHaveLength(MAX_RESTARTS + 1);
    expect(note()).toBe('given up after 5 restarts in 60 s; call reload_server');
    await rig.registry.reload('a');
    expect(rig.states).toEqual(['running']);
  });

  it('E8: that ended in order is left alone with on-failure', async () => {
    const { clock, spawner, rig, crash } = await running('on-failure');
    await using _ = rig;
    await crash(0);
    clock.advance(WINDOW_MS);
    expect(spawner.servers).toHaveLength(1);
  });

  it('is not started again once it was removed', async () => {
    const { clock, spawner, rig, crash } = await running('always');
    await using _ = rig;
    await crash();
    await rig.registry.remove('a');
    clock.advance(WINDOW_MS);
    expect(spawner.servers).toHaveLength(1);
  });

  it('M7: without one is never started again by itself', async () => {
    const { clock, spawner, rig, crash, note } = await running();
    await using _ = rig;
    await crash();
    clock.advance(WINDOW_MS);
    expect(spawner.servers).toHaveLength(1);
    expect(note()).toBeUndefined();
  });
});
