import { describe, expect, it, vi } from 'vitest';

import { FakeSpawner } from '../../testing/fake-server.js';
import { DEFAULT_LIMITS } from '@mcpmux/kit';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { RegistryRig } from '../../testing/registry-rig.js';
import type { ProcessConfig, RestartMode } from '../config/server-config.js';
import { MAX_RESTARTS, WINDOW_MS } from './restart-policy.js';

const WAIT = { timeout: 10_000, interval: 1 };
const RETRY_MS = DEFAULT_LIMITS.retryGivenUpMs;

/** A server that runs, and the clock that its restarts wait for. */
async function running(
  restart?: RestartMode,
  exitsAtOnce = () => false,
  config: Partial<ProcessConfig> = {},
) {
  const clock = new ManualClock();
  const spawner = new FakeSpawner(() => ({
    intercept: (_, proceed, fake) => (exitsAtOnce() ? fake.exit(1) : proceed()),
  }));
  const rig = RegistryRig.overFakes(spawner, { clock });
  await rig.registry.add('a', { command: process.execPath, ...config, ...(restart && { restart }) }).started;
  const crash = async (exitCode = 1): Promise<void> => {
    spawner.last.exit(exitCode);
    await vi.waitUntil(() => rig.states[0] === 'crashed', WAIT);
  };
  /** Resolves when the n-th process runs. */
  const ran = (count: number): Promise<unknown> =>
    vi.waitUntil(() => spawner.servers.length === count && rig.states[0] === 'running', WAIT);
  /** Lets it end so often that it is given up. */
  const giveUp = async (): Promise<void> => {
    for (let round = 0; round < MAX_RESTARTS; round += 1) {
      await crash();
      clock.advance(600 * 2 ** round);
      await ran(round + 2);
    }
    await crash();
  };
  const upstream = rig.registry.require('a');
  const supervisor = rig.registry.supervisorOf(upstream);
  return {
    clock,
    spawner,
    rig,
    crash,
    ran,
    giveUp,
    upstream,
    supervisor,
    note: () => supervisor?.restartNote,
  };
}

describe('a server that was given up by its restart policy', () => {
  it('E8: is started once more for a call that comes 5 minutes later, not before and not without', async () => {
    const { clock, spawner, rig, giveUp, supervisor, note } = await running('on-failure');
    await using _ = rig;
    await giveUp();
    expect(supervisor?.restartState).toBe('given-up');
    clock.advance(RETRY_MS - 1);
    expect(supervisor?.wake()).toBeUndefined();
    clock.advance(60 * 60_000);
    expect(spawner.servers).toHaveLength(MAX_RESTARTS + 1);
    const started = supervisor?.wake();
    expect(rig.states).toEqual(['starting']);
    expect(note()).toBe('starts once more because it was called');
    expect(supervisor?.restartState).toBe('trying');
    await started;
    expect(rig.states).toEqual(['running']);
    expect(note()).toBeUndefined();
    expect(supervisor?.restartState).toBeUndefined();
  });

  it('E8: is started once more for a call also when it stops after idle time', async () => {
    const { clock, rig, giveUp, supervisor } = await running('on-failure', () => false, {
      idleTimeoutMs: 60 * 60_000,
    });
    await using _ = rig;
    await giveUp();
    clock.advance(RETRY_MS);
    await supervisor?.wake();
    expect(rig.states).toEqual(['running']);
  });

  it('E8: is started once for all calls that come while it starts', async () => {
    const { clock, spawner, rig, giveUp, supervisor } = await running('on-failure');
    await using _ = rig;
    await giveUp();
    clock.advance(RETRY_MS);
    await Promise.all([supervisor?.wake(), supervisor?.wake(), supervisor?.wake()]);
    expect(spawner.servers).toHaveLength(MAX_RESTARTS + 2);
  });

  it('E8: is given up again for as long when that start fails', async () => {
    let isBroken = false;
    const { clock, spawner, rig, giveUp, supervisor, note } = await running('on-failure', () => isBroken);
    await using _ = rig;
    await giveUp();
    isBroken = true;
    clock.advance(RETRY_MS);
    await supervisor?.wake();
    expect(rig.states).toEqual(['crashed']);
    expect(note()).toMatch(/^given up again: it ended after a call had started it; after 300 s a call /);
    clock.advance(RETRY_MS - 1);
    expect(supervisor?.wake()).toBeUndefined();
    expect(spawner.servers).toHaveLength(MAX_RESTARTS + 2);
    isBroken = false;
    clock.advance(1);
    await supervisor?.wake();
    expect(rig.states).toEqual(['running']);
  });

  it('E8: has its restarts again once it has run', async () => {
    const { clock, rig, giveUp, crash, ran, supervisor } = await running('on-failure');
    await using _ = rig;
    await giveUp();
    clock.advance(RETRY_MS);
    await supervisor?.wake();
    await crash();
    clock.advance(60_000);
    await ran(MAX_RESTARTS + 3);
    expect(rig.states).toEqual(['running']);
  });

  it('E8: is not started for a call once it was removed', async () => {
    const { clock, rig, giveUp, upstream, supervisor } = await running('on-failure');
    await using _ = rig;
    await giveUp();
    await rig.registry.remove('a');
    clock.advance(RETRY_MS);
    await supervisor?.wake();
    expect(upstream.state.kind).toBe('removed');
  });
});

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
    const { clock, spawner, rig, giveUp, note } = await running('always');
    await using _ = rig;
    await giveUp();
    clock.advance(WINDOW_MS);
    expect(spawner.servers).toHaveLength(MAX_RESTARTS + 1);
    expect(note()).toBe(
      'given up after 5 restarts in 60 s; after 300 s a call starts it once more; reload_server starts it at once',
    );
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

  it('A8, E8: that answers no pings is stopped and started again', async () => {
    const health = { intervalMs: 1000, timeoutMs: 100, failures: 1 };
    const { clock, rig, ran, spawner, upstream } = await running('on-failure', () => false, { health });
    await using _ = rig;
    clock.advance(1000);
    clock.advance(100);
    await vi.waitUntil(() => rig.states[0] === 'crashed', WAIT);
    expect(upstream.state).toMatchObject({ failure: { kind: 'unresponsive', pings: 1 } });
    clock.advance(600);
    await ran(2);
    expect(spawner.alive).toHaveLength(1);
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
    const { clock, spawner, rig, crash, supervisor, note } = await running();
    await using _ = rig;
    await crash();
    clock.advance(WINDOW_MS);
    expect(spawner.servers).toHaveLength(1);
    expect(note()).toBeUndefined();
    clock.advance(RETRY_MS);
    expect(supervisor?.wake()).toBeUndefined();
  });
});

describe('a restart that is broken off by a fault', () => {
  it('E8: is told to the log', async () => {
    const { clock, rig, crash, upstream } = await running('on-failure');
    await using _ = rig;
    upstream.reload = () => Promise.reject(new Error('a fault'));
    await crash();
    clock.advance(600);
    await vi.waitFor(() => expect(rig.logger.messages('error')).toContain('the restart failed'), WAIT);
  });
});
