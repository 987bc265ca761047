import { describe, expect, it } from 'vitest';

import { FakeSpawner } from '../../testing/fake-server.js';
import { RegistryRig } from '../../testing/registry-rig.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { Layers } from './layers.js';

const RUNS = { command: process.execPath };

function rigOf() {
  const clock = new ManualClock();
  const rig = RegistryRig.overFakes(new FakeSpawner());
  const layers = new Layers(rig.registry, clock, 1000);
  return { rig, clock, layers };
}

describe('a workspace', () => {
  it('H5: is one registry for all that name it, and no other one', async () => {
    const { rig, layers } = rigOf();
    await using _ = rig;
    const [one, two] = [layers.openSession({ workspace: 'a' }), layers.openSession({ workspace: 'a' })];
    const other = layers.openSession({ workspace: 'b' });
    expect(two.addRegistry).toBe(one.addRegistry);
    expect(other.addRegistry.sees(one.addRegistry)).toBe(false);
    expect(one.addRegistry.sees(other.addRegistry)).toBe(false);
  });

  it('is given up when nobody has been in it for long, and is another one after that', async () => {
    const { rig, clock, layers } = rigOf();
    await using _ = rig;
    const [one, two] = [layers.openSession({ workspace: 'a' }), layers.openSession({ workspace: 'a' })];
    await one.addRegistry.add('x', RUNS).started;
    const isThere = (): boolean => rig.registry.allServers().length === 1;
    await one.close();
    clock.advance(5000);
    expect(isThere()).toBe(true);
    await two.close();
    clock.advance(999);
    expect(isThere()).toBe(true);
    clock.advance(1);
    expect(isThere()).toBe(false);
    expect(layers.openSession({ workspace: 'a' }).addRegistry).not.toBe(one.addRegistry);
  });

  it('stays when somebody comes back in time', async () => {
    const { rig, clock, layers } = rigOf();
    await using _ = rig;
    const one = layers.openSession({ workspace: 'a' });
    await one.close();
    clock.advance(999);
    const back = layers.openSession({ workspace: 'a' });
    clock.advance(5000);
    expect(back.addRegistry).toBe(one.addRegistry);
    await back.addRegistry.add('x', RUNS).started;
    expect(back.own.list().map(({ name }) => name)).toEqual(['x']);
  });
});

describe('a session', () => {
  it('H5: that is alone adds servers for itself, which end with it', async () => {
    const { rig, layers } = rigOf();
    await using _ = rig;
    const [alone, other] = [layers.openSession({ isolated: true }), layers.openSession()];
    await alone.addRegistry.add('mine', RUNS).started;
    expect(alone.own.find('mine')).toBeDefined();
    expect(other.own.find('mine')).toBeUndefined();
    await alone.close();
    expect(rig.registry.allServers()).toEqual([]);
  });

  it('H5: goes on seeing its own server when a wider layer gets one of that name', async () => {
    const { rig, layers } = rigOf();
    await using _ = rig;
    const alone = layers.openSession({ isolated: true });
    const { upstream: own, started } = alone.addRegistry.add('Git', RUNS);
    const { upstream: shared, started: alsoStarted } = rig.registry.add('git', RUNS);
    await Promise.all([started, alsoStarted]);
    expect(alone.own.list()).toEqual([own]);
    expect(alone.own.find('git')).toBeUndefined();
    await alone.own.remove('Git');
    expect(alone.own.list()).toEqual([shared]);
  });
});

describe('a request without a session', () => {
  it('sees the servers of its layer, and no instance of a template', async () => {
    const { rig, layers } = rigOf();
    await using _ = rig;
    await rig.registry.add('t', { ...RUNS, isolation: 'session' }).started;
    const shared = await rig.registry.add('s', RUNS).started;
    const request = layers.openForRequest({});
    expect(request.own.list()).toEqual([shared]);
    expect(request.own.find('t')).toBeUndefined();
    await request.close();
    expect(rig.registry.find('s')).toBe(shared);
  });

  it('leaves no timer behind when it comes after the end', async () => {
    const { rig, clock, layers } = rigOf();
    await using _ = rig;
    layers.close();
    await layers.openForRequest({ workspace: 'w' }).close();
    expect(clock.timerCount).toBe(0);
  });
});
