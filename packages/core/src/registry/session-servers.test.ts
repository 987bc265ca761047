import { describe, expect, it } from 'vitest';

import { FakeSpawner, type FakeBehaviour } from '../testing/fake-server.js';
import { RegistryRig } from '../testing/registry-rig.js';
import { SHARED, Scope } from '../upstream/config/scope.js';
import { ToolPins } from '../upstream/lists/tool-pins.js';
import type { Upstream } from '../upstream/upstream.js';
import { HOST } from './actor.js';
import { SessionServers, type SessionPlace } from './session-servers.js';

const RUNS = { command: process.execPath };
const OWN = { ...RUNS, isolation: 'session' } as const;
const WAIT = { timeout: 10_000, interval: 5 };

/** The place of a session in the shared scope. */
function place(session: number): SessionPlace {
  return { scope: new Scope(`session ${session}`, SHARED), session };
}

/** A registry of fake servers, and what sessions have in it. */
function rigOf(behaviourOf: () => FakeBehaviour = () => ({ tools: ['t'] }), pins = new ToolPins('warn')) {
  const spawner = new FakeSpawner(behaviourOf);
  const rig = RegistryRig.overFakes(spawner, { pins });
  const servers = new SessionServers(rig.registry);
  const register = (name: string): Upstream => {
    const { upstream } = rig.registry.add(name, OWN);
    servers.added(upstream);
    return upstream;
  };
  return { rig, registry: rig.registry, spawner, servers, register };
}

/** A session that comes when the server `mine` of another one runs. */
async function secondSession({
  registry,
  servers,
  register,
}: ReturnType<typeof rigOf>): Promise<SessionPlace> {
  const [one, two] = [place(1), place(2)];
  servers.entered(one);
  register('mine');
  const first = registry.require('mine', one.scope);
  await expect.poll(() => first.state.kind, WAIT).toBe('running');
  servers.started(first);
  servers.entered(two);
  return two;
}

const namesIn = (rig: RegistryRig, { scope }: SessionPlace): readonly string[] =>
  rig.registry.list(scope).map(({ name }) => name);

describe('what a session has from a registration', () => {
  it('does not take the place of a server of its own whose name differs in case alone', async () => {
    const { rig, registry, servers, spawner, register } = rigOf();
    await using _ = rig;
    const one = place(1);
    servers.entered(one);
    const { upstream, started } = registry.add('Mine', RUNS, { scope: one.scope });
    await started;
    register('mine');
    expect(namesIn(rig, one)).toEqual(['Mine']);
    expect(registry.find('Mine', one.scope)).toBe(upstream);
    await servers.left(one);
    expect(spawner.alive).toEqual([]);
  });

  it('starts at once as long as nothing is known that it could be asked for', async () => {
    const sessions = rigOf(() => ({}));
    await using _ = sessions.rig;
    const two = await secondSession(sessions);
    expect(sessions.registry.require('mine', two.scope).state.kind).toBe('starting');
  });

  it('is idle once one of them has told its tools', async () => {
    const sessions = rigOf();
    await using _ = sessions.rig;
    const two = await secondSession(sessions);
    expect(sessions.registry.require('mine', two.scope)).toMatchObject({
      state: { kind: 'idle' },
      tools: [{ key: 't' }],
    });
  });
});

describe('the name of a server for each session', () => {
  it('is taken for the host as any other, and for a session that has removed its own by what each has', async () => {
    const { rig, registry, servers, register } = rigOf();
    await using _ = rig;
    const one = place(1);
    servers.entered(one);
    register('mine');
    expect(() => registry.add('mine', RUNS)).toThrow(
      'A server named "mine" exists already and is idle. Use reload_server to start it again',
    );
    await registry.remove('mine', HOST, one.scope);
    expect(() => registry.add('mine', RUNS, { from: one.scope })).toThrow(
      'each session has one of its own, which was removed from this one',
    );
  });

  it('stands among those that there are for its host, and for a session that has it', async () => {
    const { rig, registry, servers, register } = rigOf();
    await using _ = rig;
    const [one, two] = [place(1), place(2)];
    for (const session of [one, two]) servers.entered(session);
    register('mine');
    await registry.remove('mine', HOST, two.scope);
    expect(() => registry.require('other')).toThrow('Registered servers: mine.');
    expect(() => registry.require('other', one.scope)).toThrow('Registered servers: mine.');
    expect(() => registry.require('other', two.scope)).toThrow('No server is registered.');
  });
});

describe('the reload of a server for each session by its host', () => {
  const APPROVE = { approve: true };
  const FAILS: FakeBehaviour = { intercept: (_, __, server) => server.exit(3) };

  /** A session's own server, which runs. */
  async function used({ registry, servers }: ReturnType<typeof rigOf>, session: SessionPlace) {
    servers.entered(session);
    const own = registry.require('mine', session.scope);
    if (own.state.kind === 'idle') await registry.reload('mine', { from: session.scope });
    await expect.poll(() => own.state.kind, WAIT).toBe('running');
    servers.started(own);
    return own;
  }

  it('approves what the next one lists, where no session uses one', async () => {
    let tools = ['t'];
    const made = rigOf(() => ({ tools }), new ToolPins('block'));
    await using _ = made.rig;
    made.register('mine');
    const [one, two, three] = [place(1), place(2), place(3)];
    await used(made, one);
    await made.servers.left(one);
    tools = ['t', 'more'];
    expect((await used(made, two)).pinned.blocked('more')).toBe('new');
    await made.servers.left(two);
    await made.servers.reload('mine', APPROVE);
    expect(made.rig.events).toContain('approved mine');
    expect((await used(made, three)).pinned.blocked('more')).toBeUndefined();
    await made.servers.left(three);
    tools = ['t', 'more', 'yet more'];
    expect((await used(made, place(4))).pinned.blocked('yet more')).toBe('new');
  });

  it('fails when all that are in use have failed, and only then', async () => {
    const failing = new Set<number>();
    let started = 0;
    const made = rigOf(() => (failing.has((started += 1)) ? FAILS : { tools: ['t'] }));
    await using _ = made.rig;
    made.register('mine');
    const owned = [await used(made, place(1)), await used(made, place(2))];
    failing.add(3);
    await expect(made.servers.reload('mine', { approve: false })).resolves.toMatchObject({ name: 'mine' });
    expect(owned.map(({ state }) => state.kind).toSorted()).toEqual(['crashed', 'running']);
    failing.add(5).add(6);
    await expect(made.servers.reload('mine', { approve: false })).rejects.toMatchObject({
      code: 'START_FAILED',
    });
  });
});
