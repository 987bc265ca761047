import { describe, expect, it, vi } from 'vitest';

import { ManualClock } from '@mcpmux/testing/manual-clock';
import { nextTurn } from '@mcpmux/testing/next-turn';
import { ABORT_TIMINGS, longestStopMs } from '../../testing/processes.js';
import { FakeSpawner, type FakeServer } from '../../testing/fake-server.js';
import { RegistryRig } from '../../testing/registry-rig.js';

const CONFIG = { command: process.execPath };
const HANGS = { command: process.execPath, args: ['hang'] };
const STAYS = { command: process.execPath, args: ['stay'] };
const WAIT = { timeout: 10_000, interval: 5 };

/** Servers that answer; `hang` never does, `stay` does not go when its stdin ends. */
function spawnerOf(): FakeSpawner {
  return new FakeSpawner(({ args }) => {
    if (args[0] === 'hang') return { intercept: () => undefined };
    return { ignoresEof: args[0] === 'stay' };
  });
}

/** As long as a server takes that comes and goes. */
async function aWhile(): Promise<void> {
  await using other = RegistryRig.overFakes(new FakeSpawner());
  await other.registry.add('other', CONFIG).started;
  await other.registry.remove('other');
}

describe('removing a server', () => {
  it('M2: unregisters it at once, then ends its process', async () => {
    const spawner = spawnerOf();
    await using rig = RegistryRig.overFakes(spawner);
    await rig.registry.add('echo', CONFIG).started;
    const removed = rig.registry.remove('echo');
    expect(rig.names).toEqual([]);
    expect(rig.events.slice(-2)).toEqual(['echo removed', 'removed echo']);
    expect(spawner.alive.length).toBe(1);
    await removed;
    expect(spawner.alive.length).toBe(0);
  });

  it('takes no longer than the end of a failed start once haste is needed', async () => {
    const clock = new ManualClock();
    const spawner = spawnerOf();
    await using rig = RegistryRig.overFakes(spawner, { clock });
    await rig.registry.add('stay', STAYS).started;
    const haste = new AbortController();
    const removed = rig.registry.remove('stay', undefined, { haste: haste.signal });
    await nextTurn();
    haste.abort();
    await nextTurn();
    clock.advance(longestStopMs(ABORT_TIMINGS));
    await expect(removed).resolves.toBeUndefined();
  });

  it('twice is an error: it is there no more', async () => {
    await using rig = RegistryRig.overFakes(spawnerOf());
    await rig.registry.add('echo', CONFIG).started;
    const [first, second] = await Promise.allSettled([
      rig.registry.remove('echo'),
      rig.registry.remove('echo'),
    ]);
    expect(first.status).toBe('fulfilled');
    expect(second).toMatchObject({ status: 'rejected', reason: { code: 'SERVER_NOT_FOUND' } });
  });

  it('E2: during its start tells whoever added it', async () => {
    const spawner = spawnerOf();
    await using rig = RegistryRig.overFakes(spawner);
    const { started } = rig.registry.add('slow', HANGS);
    await vi.waitUntil(() => spawner.servers.length === 1, WAIT);
    const [added] = await Promise.allSettled([started, rig.registry.remove('slow')]);
    expect(added).toMatchObject({
      status: 'rejected',
      reason: { code: 'SERVER_REMOVED', message: 'Server "slow" was removed before it was running.' },
    });
    expect(spawner.alive.length).toBe(0);
  });

  it('before it was spawned starts nothing', async () => {
    const spawner = spawnerOf();
    await using rig = RegistryRig.overFakes(spawner);
    const { started } = rig.registry.add('echo', CONFIG);
    const [added] = await Promise.allSettled([started, rig.registry.remove('echo')]);
    expect(added).toMatchObject({ status: 'rejected', reason: { code: 'SERVER_REMOVED' } });
    await aWhile();
    expect(spawner.servers.length).toBe(0);
  });

  it('in the moment of its spawn leaves no process behind', async () => {
    const spawner = spawnerOf();
    let removed: Promise<void> | undefined;
    await using rig: RegistryRig = RegistryRig.overFakes(spawner, {
      spawn: (spec) => {
        removed = rig.registry.remove('echo');
        return spawner.spawn(spec);
      },
    });
    await Promise.allSettled([rig.registry.add('echo', CONFIG).started]);
    await removed;
    expect(spawner.servers.length).toBe(1);
    expect(spawner.alive.length).toBe(0);
  });

  it('does not touch the others', async () => {
    const spawner = spawnerOf();
    await using rig = RegistryRig.overFakes(spawner);
    for (const name of ['a', 'b', 'c']) await rig.registry.add(name, CONFIG).started;
    await rig.registry.remove('b');
    expect([rig.names, rig.states]).toEqual([
      ['a', 'c'],
      ['running', 'running'],
    ]);
  });
});

describe('adding a server again', () => {
  /** Adds a server that stays, and removes it: its process goes on. */
  async function leaveOneBehind(rig: RegistryRig, spawner: FakeSpawner): Promise<FakeServer> {
    await rig.registry.add('db', STAYS).started;
    const left = spawner.last;
    void rig.registry.remove('db');
    return left;
  }

  it('right after it was removed waits until the old process has gone', async () => {
    const spawner = spawnerOf();
    await using rig = RegistryRig.overFakes(spawner);
    const left = await leaveOneBehind(rig, spawner);
    const { started } = rig.registry.add('db', CONFIG);
    expect(rig.states).toEqual(['starting']);
    await aWhile();
    expect(spawner.servers.length).toBe(1);
    left.exit(0);
    await started;
    expect(spawner.servers.length).toBe(2);
  });

  it('in another case or width waits too', async () => {
    const spawner = spawnerOf();
    await using rig = RegistryRig.overFakes(spawner);
    const left = await leaveOneBehind(rig, spawner);
    const { started } = rig.registry.add('ＤＢ', CONFIG);
    await aWhile();
    expect(spawner.servers.length).toBe(1);
    left.exit(0);
    await started;
  });

  it('waits for the oldest of several that were removed in a row', async () => {
    const spawner = spawnerOf();
    await using rig = RegistryRig.overFakes(spawner);
    const left = await leaveOneBehind(rig, spawner);
    const second = rig.registry.add('db', CONFIG).started;
    second.catch(() => undefined);
    await rig.registry.remove('db');
    const { started } = rig.registry.add('db', CONFIG);
    await aWhile();
    expect(spawner.servers.length).toBe(1);
    left.exit(0);
    await started;
    await expect(second).rejects.toMatchObject({ code: 'SERVER_REMOVED' });
    expect(spawner.servers.length).toBe(2);
  });

  it('under another name waits for nobody', async () => {
    const spawner = spawnerOf();
    await using rig = RegistryRig.overFakes(spawner);
    const left = await leaveOneBehind(rig, spawner);
    await rig.registry.add('db2', CONFIG).started;
    expect(left.isAlive).toBe(true);
    left.exit(0);
  });
});
