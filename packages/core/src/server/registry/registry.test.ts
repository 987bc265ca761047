import { describe, expect, it, vi } from 'vitest';

import { FakeSpawner } from '../../testing/fake-server.js';
import { RegistryRig } from '../../testing/registry-rig.js';

const RUNS = { command: process.execPath };
/** Exits as soon as it is spoken to. */
const FAILS = { command: process.execPath, args: ['fail'] };
const WAIT = { timeout: 10_000, interval: 5 };

function spawnerOf(): FakeSpawner {
  return new FakeSpawner(({ args }) =>
    args[0] === 'fail' ? { intercept: (_, __, server) => server.exit(3) } : {},
  );
}

describe('adding a server', () => {
  it('registers it at once and resolves when it runs', async () => {
    await using rig = RegistryRig.overFakes(spawnerOf());
    const { upstream, started } = rig.registry.add('echo', RUNS);
    expect(rig.registry.find('echo')).toBe(upstream);
    expect(rig.states).toEqual(['starting']);
    await expect(started).resolves.toBe(upstream);
    expect(rig.states).toEqual(['running']);
    expect(rig.events).toEqual(['added echo', 'echo starting', 'echo running']);
  });

  it('puts it behind those that are there', async () => {
    await using rig = RegistryRig.overFakes(spawnerOf());
    for (const name of ['c', 'a', 'b']) rig.registry.add(name, RUNS).started.catch(() => undefined);
    expect(rig.names).toEqual(['c', 'a', 'b']);
    await rig.registry.remove('a');
    await rig.registry.add('a', RUNS).started;
    expect(rig.names).toEqual(['c', 'b', 'a']);
  });

  it.each(['日本語', 'a-b', 'A_b', 'constructor', '__proto__'.replaceAll('__', '_x')])(
    'takes the name %s as it is written',
    async (name) => {
      await using rig = RegistryRig.overFakes(spawnerOf());
      await rig.registry.add(name, RUNS).started;
      expect(rig.names).toEqual([name]);
    },
  );

  it.each(['', 'a__b', 'a_', ' a'])('refuses the illegal name %j', async (name) => {
    await using rig = RegistryRig.overFakes(spawnerOf());
    expect(() => rig.registry.add(name, RUNS)).toThrow(
      expect.objectContaining({ code: 'INVALID_SERVER_NAME' }),
    );
    expect(rig.events).toEqual([]);
  });

  it('E7: is refused above the limit, until one is removed', async () => {
    await using rig = RegistryRig.overFakes(spawnerOf(), { limits: { maxServers: 2 } });
    await rig.registry.add('a', RUNS).started;
    await rig.registry.add('b', RUNS).started;
    expect(() => rig.registry.add('c', RUNS)).toThrow(
      expect.objectContaining({
        code: 'INVALID_CONFIG',
        message: '2 servers are registered, which is the limit. Remove one of them first.',
      }),
    );
    await rig.registry.remove('a');
    await expect(rig.registry.add('c', RUNS).started).resolves.toBeDefined();
  });

  it('E7: is counted in the layer in which it is to be, whoever adds it', async () => {
    await using rig = RegistryRig.overFakes(spawnerOf(), { limits: { maxServers: 4 } });
    const workspace = rig.registry.openWorkspace('workspace a');
    const options = { actorRegistry: workspace.openSession(1) };
    await workspace.add('a', RUNS, options).started;
    expect(() => workspace.add('b', RUNS, options)).toThrow('your own');
    expect(() => workspace.checkName('b', options)).toThrow('your own');
    await expect(rig.registry.add('b', RUNS).started).resolves.toBeDefined();
  });
});

describe('duplicate add', () => {
  it('is an error that names the state and what to do instead', async () => {
    await using rig = RegistryRig.overFakes(spawnerOf());
    const { started } = rig.registry.add('git', RUNS);
    const message = (state: string): string =>
      `A server named "git" exists already and is ${state}. ` +
      'Use reload_server to start it again, or remove_server first to change its configuration.';
    expect(() => rig.registry.add('git', RUNS)).toThrow(
      expect.objectContaining({ code: 'SERVER_EXISTS', message: message('starting') }),
    );
    await started;
    expect(() => rig.registry.add('git', FAILS)).toThrow(message('running'));
    expect(rig.names).toEqual(['git']);
  });

  it.each(['Git', 'GIT', 'ｇｉｔ', 'Ｇit'])(
    'D19: in another case or width is an error too: %s',
    async (name) => {
      await using rig = RegistryRig.overFakes(spawnerOf());
      await rig.registry.add('git', RUNS).started;
      expect(() => rig.registry.add(name, RUNS)).toThrow(
        expect.objectContaining({
          code: 'SERVER_EXISTS',
          message: expect.stringContaining(
            `A server named "${name}" (spelled "git") exists already and is running.`,
          ),
        }),
      );
    },
  );

  it('of a crashed server is an error: its name is taken', async () => {
    const spawner = spawnerOf();
    await using rig = RegistryRig.overFakes(spawner);
    await rig.registry.add('git', RUNS).started;
    spawner.last.exit(1);
    await vi.waitUntil(() => rig.states[0] === 'crashed', WAIT);
    expect(() => rig.registry.add('git', RUNS)).toThrow('exists already and is crashed.');
  });

  it('E1: at the same moment starts one process', async () => {
    const spawner = spawnerOf();
    await using rig = RegistryRig.overFakes(spawner);
    const add = async (): Promise<unknown> => rig.registry.add('git', RUNS).started;
    const outcomes = await Promise.allSettled([add(), add(), add()]);
    expect(outcomes.map(({ status }) => status)).toEqual(['fulfilled', 'rejected', 'rejected']);
    expect(spawner.servers.length).toBe(1);
  });
});

describe('a server that does not start', () => {
  it('is not added: its first failure says why and unregisters it', async () => {
    await using rig = RegistryRig.overFakes(spawnerOf());
    await expect(rig.registry.add('bad', FAILS).started).rejects.toMatchObject({
      code: 'START_FAILED',
      message: 'Server "bad" exited with code 3.\nIt was not added.',
    });
    expect(rig.names).toEqual([]);
    expect(rig.events).toEqual(['added bad', 'bad starting', 'bad crashed', 'bad removed', 'removed bad']);
    await expect(rig.registry.add('bad', RUNS).started).resolves.toBeDefined();
  });

  it('because its command is not there is not added', async () => {
    await using rig = RegistryRig.overFakes(spawnerOf(), { environment: { PATH: '/usr/bin' } });
    await expect(rig.registry.add('bad', { command: 'no-such-program' }).started).rejects.toMatchObject({
      code: 'START_FAILED',
      message: expect.stringMatching(
        /^Server "bad" could not be started: command "no-such-program" was not found in PATH \(\/usr\/bin\)(?:, with the endings of PATHEXT \([^()]+\))?\. Install it, or give its absolute path\.\nIt was not added\.$/,
      ) as string,
    });
  });

  it('stays as crashed once whoever asked was told that it is starting', async () => {
    await using rig = RegistryRig.overFakes(spawnerOf());
    const { started, keep } = rig.registry.add('bad', FAILS);
    keep();
    await expect(started).rejects.toMatchObject({
      code: 'START_FAILED',
      message: 'Server "bad" exited with code 3.\nCall reload_server with {"name": "bad"} to start it again.',
    });
    expect(rig.states).toEqual(['crashed']);
  });
});

describe('finding a server', () => {
  it('takes the name as it was written when it was added', async () => {
    await using rig = RegistryRig.overFakes(spawnerOf());
    const { upstream, started } = rig.registry.add('Git', RUNS);
    await started;
    expect(rig.registry.find('Git')).toBe(upstream);
    expect(rig.registry.require('Git')).toBe(upstream);
    expect(rig.registry.find('git')).toBeUndefined();
    expect(rig.registry.find('toString')).toBeUndefined();
  });

  it('that is unknown is an error that names the known ones', async () => {
    await using rig = RegistryRig.overFakes(spawnerOf());
    const message = (known: string): string => `There is no server named "gihtub". ${known}`;
    expect(() => rig.registry.require('gihtub')).toThrow(message('No server is registered.'));
    await rig.registry.add('github', RUNS).started;
    await rig.registry.add('echo', RUNS).started;
    for (const operation of [rig.registry.remove('gihtub'), rig.registry.reload('gihtub')]) {
      await expect(operation).rejects.toMatchObject({
        code: 'SERVER_NOT_FOUND',
        message: message('Registered servers: github, echo.'),
      });
    }
  });

  it('in another case is an error: names are exact', async () => {
    await using rig = RegistryRig.overFakes(spawnerOf());
    await rig.registry.add('git', RUNS).started;
    await expect(rig.registry.remove('Git')).rejects.toMatchObject({ code: 'SERVER_NOT_FOUND' });
    expect(rig.names).toEqual(['git']);
  });
});
