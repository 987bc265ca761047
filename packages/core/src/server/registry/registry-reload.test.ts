import { describe, expect, it, vi } from 'vitest';

import { FakeSpawner, type FakeBehaviour } from '../../testing/fake-server.js';
import { RegistryRig } from '../../testing/registry-rig.js';
import type { RereadResult } from '../lists/registration.js';

const CONFIG = { command: process.execPath };
const FAIL: FakeBehaviour = { intercept: (_, __, server) => server.exit(3) };
const HANG: FakeBehaviour = { intercept: () => undefined };
const WAIT = { timeout: 10_000, interval: 5 };

/** Servers that behave in turn as they are told; after that they answer. */
function inTurn(...behaviours: readonly FakeBehaviour[]): FakeSpawner {
  const left = [...behaviours];
  return new FakeSpawner(() => left.shift() ?? {});
}

describe('reloading a server', () => {
  it('reload keeps the configuration', async () => {
    const spawner = inTurn();
    await using rig = RegistryRig.overFakes(spawner, { environment: { PATH: '/usr/bin' } });
    const config = { command: process.execPath, args: ['--port', '0'], env: { TOKEN: 'secret' }, cwd: '/' };
    const { upstream, started } = rig.registry.add('db', config);
    await started;
    await expect(rig.registry.reload('db')).resolves.toBe(upstream);
    expect(upstream.config).toEqual(config);
    const launched = spawner.servers.map(({ spec: { command, args, cwd, env } }) => ({
      command,
      args,
      cwd,
      env: { PATH: env['PATH'], TOKEN: env['TOKEN'] },
    }));
    const { env, ...rest } = config;
    expect(launched).toEqual(
      Array.from({ length: 2 }, () => ({ ...rest, env: { PATH: '/usr/bin', ...env } })),
    );
  });

  it('that is broken off by a fault does not keep later ones from being carried out', async () => {
    const spawner = inTurn();
    await using rig = RegistryRig.overFakes(spawner);
    const { upstream, started } = rig.registry.add('db', CONFIG);
    await started;
    const reload = upstream.reload.bind(upstream);
    upstream.reload = async () => {
      upstream.reload = reload;
      throw new Error('a fault');
    };
    const [broken, waiting] = await Promise.allSettled([
      rig.registry.reload('db'),
      rig.registry.reload('db'),
    ]);
    expect([broken.status, waiting.status]).toEqual(['rejected', 'fulfilled']);
    await expect(rig.registry.reload('db')).resolves.toBe(upstream);
    expect(spawner.servers).toHaveLength(3);
  });

  it('keeps its place', async () => {
    await using rig = RegistryRig.overFakes(inTurn());
    for (const name of ['a', 'b', 'c']) await rig.registry.add(name, CONFIG).started;
    await rig.registry.reload('b');
    expect(rig.names).toEqual(['a', 'b', 'c']);
    expect(rig.states).toEqual(['running', 'running', 'running']);
  });

  it('discovers its tools anew', async () => {
    await using rig = RegistryRig.overFakes(inTurn({ tools: ['v1'] }, { tools: ['v1', 'v2'] }));
    const { upstream, started } = rig.registry.add('echo', CONFIG);
    await started;
    await rig.registry.reload('echo');
    expect(upstream.tools.map(({ key }) => key)).toEqual(['v1', 'v2']);
  });

  it('that fails leaves it registered as crashed, and says so', async () => {
    await using rig = RegistryRig.overFakes(inTurn({}, FAIL));
    await rig.registry.add('db', CONFIG).started;
    await expect(rig.registry.reload('db')).rejects.toMatchObject({
      code: 'START_FAILED',
      message: 'Server "db" exited with code 3.\nCall reload_server with {"name": "db"} to start it again.',
    });
    expect(rig.states).toEqual(['crashed']);
    await rig.registry.reload('db');
    expect(rig.states).toEqual(['running']);
  });

  it('that is removed meanwhile is told so', async () => {
    const spawner = inTurn({}, HANG);
    await using rig = RegistryRig.overFakes(spawner);
    await rig.registry.add('db', CONFIG).started;
    const reloaded = rig.registry.reload('db');
    await vi.waitUntil(() => spawner.servers.length === 2, WAIT);
    const [outcome] = await Promise.allSettled([reloaded, rig.registry.remove('db')]);
    expect(outcome).toMatchObject({ status: 'rejected', reason: { code: 'SERVER_REMOVED' } });
    expect(spawner.alive.length).toBe(0);
    expect(rig.names).toEqual([]);
  });
});

describe('reloads at the same time', () => {
  it('E5: coalesce: twenty of them start the server twice', async () => {
    const spawner = inTurn();
    await using rig = RegistryRig.overFakes(spawner);
    const { upstream, started } = rig.registry.add('db', CONFIG);
    await started;
    const reloads = Array.from({ length: 20 }, () => rig.registry.reload('db'));
    await expect(Promise.all(reloads)).resolves.toEqual(reloads.map(() => upstream));
    expect(spawner.servers.length).toBe(1 + 2);
    expect(spawner.alive.length).toBe(1);
    expect(upstream.restartCount).toBe(2);
  });

  it('each get the outcome of the run that they waited for', async () => {
    await using rig = RegistryRig.overFakes(inTurn({}, FAIL));
    await rig.registry.add('db', CONFIG).started;
    const outcomes = await Promise.allSettled([1, 2, 3].map(() => rig.registry.reload('db')));
    expect(outcomes.map(({ status }) => status)).toEqual(['rejected', 'fulfilled', 'fulfilled']);
    expect(rig.states).toEqual(['running']);
  });

  it('of different servers do not wait for each other', async () => {
    const spawner = inTurn({}, {}, HANG);
    await using rig = RegistryRig.overFakes(spawner);
    await rig.registry.add('a', CONFIG).started;
    await rig.registry.add('b', CONFIG).started;
    const hanging = rig.registry.reload('a');
    hanging.catch(() => undefined);
    await vi.waitUntil(() => spawner.servers.length === 3, WAIT);
    await rig.registry.reload('b');
    expect(rig.states).toEqual(['starting', 'running']);
    await rig.registry.remove('a');
    await expect(hanging).rejects.toMatchObject({ code: 'SERVER_REMOVED' });
  });
});

describe('reloading a server that is still being added', () => {
  it('lets both wait for the run that counts', async () => {
    const spawner = inTurn(HANG);
    await using rig = RegistryRig.overFakes(spawner);
    const { started } = rig.registry.add('db', CONFIG);
    const added = started.then(({ state }) => state.kind);
    await vi.waitUntil(() => spawner.servers.length === 1, WAIT);
    await rig.registry.reload('db');
    await expect(added).resolves.toBe('running');
    expect(spawner.alive.length).toBe(1);
  });

  it('several times lets all wait for the last of these runs', async () => {
    const spawner = inTurn(HANG, FAIL);
    await using rig = RegistryRig.overFakes(spawner);
    const { started } = rig.registry.add('db', CONFIG);
    const added = started.then(({ state }) => state.kind);
    await vi.waitUntil(() => spawner.servers.length === 1, WAIT);
    const reloads = Promise.allSettled([rig.registry.reload('db'), rig.registry.reload('db')]);
    await expect(added).resolves.toBe('running');
    expect((await reloads).map(({ status }) => status)).toEqual(['rejected', 'fulfilled']);
  });

  it('and fails leaves it registered as crashed, as whoever reloaded it was told', async () => {
    const spawner = inTurn(HANG, FAIL);
    await using rig = RegistryRig.overFakes(spawner);
    const { started } = rig.registry.add('db', CONFIG);
    started.catch(() => undefined);
    await vi.waitUntil(() => spawner.servers.length === 1, WAIT);
    await expect(rig.registry.reload('db')).rejects.toMatchObject({ code: 'START_FAILED' });
    await expect(started).rejects.toMatchObject({
      code: 'START_FAILED',
      message: 'Server "db" exited with code 3.\nCall reload_server with {"name": "db"} to start it again.',
    });
    expect(rig.states).toEqual(['crashed']);
  });
});

it('a failed server stays registered when a reload cannot take over what was read', async () => {
  await using rig = RegistryRig.overFakes(new FakeSpawner());
  const reread = (): RereadResult => ({ config: { command: 'x', args: throwing } });
  const { started, keep } = rig.registry.add('broken', { problem: 'TOKEN is not set' }, { reread });
  keep();
  await started.catch(() => undefined);
  await expect(rig.registry.reload('broken')).rejects.toThrow('a defect');
  expect(rig.registry.allServers().map(({ name, state }) => [name, state.kind])).toEqual([
    ['broken', 'crashed'],
  ]);
});

const throwing = new Proxy<string[]>([], {
  get: () => {
    throw new Error('a defect');
  },
});
