import { describe, expect, it } from 'vitest';

import { FakeSpawner, type FakeBehaviour } from '../../testing/fake-server.js';
import { ManualClock } from '@mcpmux/testing/manual-clock';
import { RegistryRig } from '../../testing/registry-rig.js';
import { ToolPins } from '../lists/tool-pins.js';
import type { Upstream } from '../upstream.js';
import { Layers, type SessionLayers } from './layers.js';
import type { Registry } from './registry.js';

const RUNS = { command: process.execPath };
const OWN = { ...RUNS, isolation: 'session' } as const;
const WAIT = { timeout: 10_000, interval: 5 };

/** A registry of fake servers, and sessions in it. */
function rigOf(behaviourOf: () => FakeBehaviour = () => ({ tools: ['t'] }), pins = new ToolPins('warn')) {
  const spawner = new FakeSpawner(behaviourOf);
  const rig = RegistryRig.overFakes(spawner, { pins });
  const { registry } = rig;
  const layers = new Layers(registry, new ManualClock(), 1000);
  const register = (name: string): Upstream => registry.add(name, OWN).upstream;
  return { rig, registry, spawner, layers, register };
}

/** A session that comes when the server `mine` of another one runs. */
async function secondSession({ layers, register }: ReturnType<typeof rigOf>): Promise<Registry> {
  const { own: one } = layers.openSession();
  register('mine');
  const first = one.require('mine');
  await expect.poll(() => first.state.kind, WAIT).toBe('running');
  return layers.openSession().own;
}

describe('what a session has from a registration', () => {
  it('does not take the place of a server of its own whose name differs in case alone', async () => {
    const { rig, layers, spawner, register } = rigOf();
    await using _ = rig;
    const session = layers.openSession();
    const { upstream, started } = session.own.add('Mine', RUNS);
    await started;
    register('mine');
    expect(session.own.list().map(({ name }) => name)).toEqual(['Mine']);
    expect(session.own.find('Mine')).toBe(upstream);
    await session.close();
    expect(spawner.alive).toEqual([]);
  });

  it('starts at once as long as nothing is known that it could be asked for', async () => {
    const sessions = rigOf(() => ({}));
    await using _ = sessions.rig;
    const two = await secondSession(sessions);
    expect(two.require('mine').state.kind).toBe('starting');
  });

  it('is idle once one of them has told its tools', async () => {
    const sessions = rigOf();
    await using _ = sessions.rig;
    const two = await secondSession(sessions);
    expect(two.require('mine')).toMatchObject({
      state: { kind: 'idle' },
      tools: [{ key: 't' }],
    });
  });
});

describe('the name of a server for each session', () => {
  it('is taken for the host as any other, and for a session that has removed its own by what each has', async () => {
    const { rig, registry, layers, register } = rigOf();
    await using _ = rig;
    const { own: one, addRegistry } = layers.openSession();
    register('mine');
    expect(() => registry.add('mine', RUNS)).toThrow(
      'A server named "mine" exists already and is idle. Use reload_server to start it again',
    );
    await one.remove('mine');
    expect(() => addRegistry.add('mine', RUNS, { actorRegistry: one })).toThrow(
      'each session has its own session instance, and this session removed it',
    );
  });

  it('stands among those that there are for its host, and for a session that has it', async () => {
    const { rig, registry, layers, register } = rigOf();
    await using _ = rig;
    const [{ own: one }, { own: two }] = [layers.openSession(), layers.openSession()];
    register('mine');
    await two.remove('mine');
    expect(() => registry.require('other')).toThrow('Registered servers: mine.');
    expect(() => one.require('other')).toThrow('Registered servers: mine.');
    expect(() => two.require('other')).toThrow('No server is registered.');
  });
});

describe('the reload of a server for each session by its host', () => {
  const APPROVE = { approve: true };
  const FAILS: FakeBehaviour = { intercept: (_, __, server) => server.exit(3) };

  /** A session's own server, which runs. */
  async function used({ own: registry }: SessionLayers): Promise<Upstream> {
    const own = registry.require('mine');
    if (own.state.kind === 'idle') await registry.reload('mine');
    await expect.poll(() => own.state.kind, WAIT).toBe('running');
    return own;
  }

  it('approves what the next one lists, where no session uses one', async () => {
    let tools = ['t'];
    const made = rigOf(() => ({ tools }), new ToolPins('block'));
    await using _ = made.rig;
    made.register('mine');
    const { layers, registry } = made;
    const one = layers.openSession();
    await used(one);
    await one.close();
    tools = ['t', 'more'];
    const two = layers.openSession();
    expect((await used(two)).offer.blockedTools.get('more')).toBe('new');
    await two.close();
    await registry.reload('mine', APPROVE);
    expect(made.rig.events).toContain('approved mine');
    const three = layers.openSession();
    expect((await used(three)).offer.blockedTools.get('more')).toBeUndefined();
    await three.close();
    tools = ['t', 'more', 'yet more'];
    expect((await used(layers.openSession())).offer.blockedTools.get('yet more')).toBe('new');
  });

  it('fails when all that are in use have failed, and only then', async () => {
    const failing = new Set<number>();
    let started = 0;
    const made = rigOf(() => (failing.has((started += 1)) ? FAILS : { tools: ['t'] }));
    await using _ = made.rig;
    made.register('mine');
    const owned = [await used(made.layers.openSession()), await used(made.layers.openSession())];
    failing.add(3);
    await expect(made.registry.reload('mine')).resolves.toMatchObject({ name: 'mine' });
    expect(owned.map(({ state }) => state.kind).toSorted()).toEqual(['crashed', 'running']);
    failing.add(5).add(6);
    await expect(made.registry.reload('mine')).rejects.toMatchObject({
      code: 'START_FAILED',
    });
  });
});
