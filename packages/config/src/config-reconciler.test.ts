import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import {
  MuxError,
  type AddOptions,
  type LogFields,
  type LogLevel,
  type ServerConfig,
  type ServerStatus,
  type UnusableConfig,
} from '@mcpmux/core';
import { afterAll, beforeAll, expect, it } from 'vitest';

import type { ConfigChange } from './config-change.js';
import { ConfigReconciler } from './config-reconciler.js';

let folder = '';
beforeAll(() => (folder = mkdtempSync(join(tmpdir(), 'mcpmux-config-'))));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

class Recorder {
  readonly added = new Map<string, ServerConfig | UnusableConfig>();
  readonly options = new Map<string, AddOptions>();
  readonly records: { readonly level: LogLevel; readonly message: string; readonly fields: LogFields }[] = [];

  readonly removed: string[] = [];
  change: ConfigChange | undefined;
  private reconciler: ConfigReconciler | undefined;

  constructor(
    private readonly failures: Readonly<Record<string, Error>> = {},
    private readonly onRequiredFailed: (server: string) => void = () => undefined,
  ) {}

  readonly mux = {
    addServer: (
      name: string,
      config: ServerConfig | UnusableConfig,
      options: AddOptions = {},
    ): Promise<ServerStatus> => {
      this.added.set(name, config);
      this.options.set(name, options);
      return Promise.reject(this.failures[name] ?? new MuxError('CLOSED', 'closed'));
    },
    removeServer: (name: string): Promise<void> => {
      this.removed.push(name);
      return Promise.resolve();
    },
  };

  readonly logger = {
    enabled: () => true,
    log: (level: LogLevel, message: string, fields: LogFields = {}) => {
      this.records.push({ level, message, fields });
    },
  };

  /** Starts a config; resolves when what the servers answered has been dealt with. */
  async start(config: object | string, environment: Record<string, string> = {}): Promise<boolean> {
    const file = join(folder, 'mcpmux.json');
    writeFileSync(file, typeof config === 'string' ? config : JSON.stringify(config));
    const context = { environment, home: folder, cwd: folder };
    this.reconciler ??= new ConfigReconciler(
      { file, origin: 'project', folder },
      { mux: this.mux, logger: this.logger, context, onRequiredFailed: this.onRequiredFailed },
    );
    this.change = this.reconciler.apply();
    await new Promise(setImmediate);
    return this.change.isUsable;
  }

  /** An agent has added a server and had it kept: the config is as it is then. */
  adopt(name: string, config: object): void {
    writeFileSync(join(folder, 'mcpmux.json'), JSON.stringify(config));
    this.reconciler?.adopt(name);
  }

  disown(name: string): void {
    this.reconciler?.disown(name);
  }

  /** The names in the config that is in force. */
  get inForce(): readonly string[] {
    return (this.reconciler?.applied?.servers ?? []).map(({ name }) => name);
  }

  errors(): readonly string[] {
    return this.records.filter(({ level }) => level === 'error').map(({ message }) => message);
  }
}

it('starts what can be started, in the order of the file, and says of the rest why not', async () => {
  const recorder = new Recorder();
  const mcpServers = {
    b: { command: 'b' },
    off: { command: 'x', disabled: true },
    far: { url: 'https://example.com' },
    bad: { command: '${NOT_SET}' },
    a: { command: 'a' },
  };
  await expect(recorder.start({ mcpServers })).resolves.toBe(true);
  expect([...recorder.added.keys()]).toEqual(['b', 'far', 'bad', 'a']);
  expect(recorder.added.get('bad')).toEqual({ problem: expect.stringContaining('NOT_SET is not set') });
  const reported = recorder.records.filter(({ fields }) => 'server' in fields);
  expect(reported.map(({ level, fields }) => [level, fields['server']])).toEqual([
    ['debug', 'off'],
    ['warn', 'bad'],
  ]);
  const column = JSON.stringify({ mcpServers }).indexOf('"command":"${NOT_SET}"') + 1;
  expect(recorder.errors()).toEqual([
    `${join(folder, 'mcpmux.json')}:1:${column}: mcpServers.bad.command: the environment variable NOT_SET is not set`,
  ]);
});

it('logs a server that fails by its reason, without its output, and starts the others', async () => {
  const failure = new MuxError('START_FAILED', 'Server "a" exited with code 3.\nLast lines: hunter2');
  const recorder = new Recorder({ a: failure });
  await recorder.start({ mcpServers: { a: { command: 'a' }, b: { command: 'b' } } });
  expect(recorder.added.size).toBe(2);
  expect(recorder.records.filter(({ level }) => level === 'error')).toEqual([
    {
      level: 'error',
      message: 'a server of the config did not start',
      fields: { server: 'a', problem: 'Server "a" exited with code 3.' },
    },
  ]);
});

it('a server that the mux was closed on is no failure', async () => {
  const recorder = new Recorder();
  await recorder.start({ mcpServers: { a: { command: 'a' } } });
  expect(recorder.errors()).toEqual([]);
});

it('starts nothing of a config that cannot be used, and says where it is broken', async () => {
  const recorder = new Recorder();
  await expect(recorder.start('{ "mcpServers": { "a": { "command": "x" } }')).resolves.toBe(false);
  expect(recorder.added.size).toBe(0);
  expect(recorder.errors()).toHaveLength(1);
});

it('a mcpmux among the servers does not serve the same config again', async () => {
  const outer = new Recorder();
  const config = { mcpServers: { self: { command: 'mcpmux', env: { A: '1' } } } };
  await outer.start(config);
  const self = outer.added.get('self');
  const given = self !== undefined && 'env' in self ? self.env : {};
  expect(given).toMatchObject({ A: '1' });
  const inner = new Recorder();
  await expect(inner.start(config, given)).resolves.toBe(true);
  expect(inner.added.size).toBe(0);
  expect(inner.records).toMatchObject([{ level: 'warn' }]);
});

it('E10: read again, it starts what is new, stops what is gone, restarts what is other and leaves the rest alone', async () => {
  const recorder = new Recorder();
  await recorder.start({
    mcpServers: { same: { command: 's' }, other: { command: 'o' }, gone: { command: 'g' } },
  });
  recorder.added.clear();
  await recorder.start({
    mcpServers: { same: { command: 's' }, other: { command: 'o2' }, fresh: { command: 'f' } },
  });
  expect(recorder.change).toMatchObject({ added: ['fresh'], removed: ['gone'], changed: ['other'] });
  expect(recorder.removed).toEqual(['gone', 'other']);
  expect([...recorder.added.keys()]).toEqual(['other', 'fresh']);
});

it('what can be started after all takes the place of the failed one, and the other way round', async () => {
  const recorder = new Recorder();
  const unset = { command: 'u', env: { T: '${TOKEN}' } };
  await recorder.start({ mcpServers: { a: { command: 'a' }, unset } });
  expect(recorder.change).toMatchObject({ added: ['a'] });
  await recorder.start({ mcpServers: { a: { command: 5 }, unset: { command: 'u' } } });
  expect(recorder.change).toMatchObject({ added: ['unset'], removed: ['a'], changed: [] });
  expect(recorder.removed).toEqual(['a', 'unset']);
  expect(recorder.added.get('a')).toEqual({
    problem: expect.stringContaining('mcpServers.a.command: expected'),
  });
  expect(recorder.added.get('unset')).toMatchObject({ command: 'u' });
});

it('a reload of a failed server reads the environment and the config again', async () => {
  const recorder = new Recorder();
  const environment: Record<string, string> = {};
  const config = { mcpServers: { unset: { command: 'u', env: { T: '${TOKEN}' }, includeTools: ['x'] } } };
  await recorder.start(config, environment);
  const reread = recorder.options.get('unset')?.reread;
  expect(reread?.()).toMatchObject({ config: { problem: expect.stringContaining('TOKEN is not set') } });
  environment['TOKEN'] = 'hunter2';
  const reading = reread?.();
  expect(reading).toMatchObject({ config: { command: 'u', env: { T: 'hunter2' } } });
  expect(reading?.tools?.shown('y')).toBe(false);
  // It is registered as it stands in the config: nothing is left to change.
  reading?.registered?.();
  recorder.added.clear();
  await recorder.start(config, environment);
  expect([...recorder.added, ...recorder.removed]).toEqual([]);
  writeFileSync(join(folder, 'mcpmux.json'), '{ "mcpServers": {} }');
  expect(reread).toThrow('does not have it');
  writeFileSync(join(folder, 'mcpmux.json'), '{');
  expect(reread).toThrow('cannot be used');
});

it('a server whose reload was declined is started when the config is read again', async () => {
  const recorder = new Recorder();
  const environment: Record<string, string> = {};
  const config = { mcpServers: { unset: { command: 'u', env: { T: '${TOKEN}' } } } };
  await recorder.start(config, environment);
  environment['TOKEN'] = 'hunter2';
  // The question of the reload shows it. The user declines.
  recorder.options.get('unset')?.reread?.();
  await recorder.start(config, environment);
  expect(recorder.change).toMatchObject({ added: ['unset'] });
  expect(recorder.added.get('unset')).toMatchObject({ command: 'u', env: { T: 'hunter2' } });
});

it('a name that no server can have, or has already, is left to the log', async () => {
  const recorder = new Recorder();
  await recorder.start({ mcpServers: { ___: { command: 'x' }, a: { command: 'a' }, A: { command: 'b' } } });
  expect([...recorder.added.keys()]).toEqual(['a']);
  expect(recorder.errors()).toHaveLength(2);
});

it('read again, a server of which clients are to see other tools is restarted', async () => {
  const recorder = new Recorder();
  await recorder.start({ mcpServers: { a: { command: 'a' }, b: { command: 'b', includeTools: ['x'] } } });
  await recorder.start({
    mcpServers: { a: { command: 'a', excludeTools: ['y'] }, b: { command: 'b', includeTools: ['x'] } },
  });
  expect(recorder.change).toMatchObject({ added: [], removed: [], changed: ['a'] });
});

it('E10: read again, a config that cannot be used changes nothing', async () => {
  const recorder = new Recorder();
  await recorder.start({ mcpServers: { a: { command: 'a' } } });
  recorder.added.clear();
  await expect(recorder.start('{ "mcpServers": [')).resolves.toBe(false);
  expect(recorder.change?.problems).toHaveLength(1);
  expect({ added: recorder.added.size, removed: recorder.removed }).toEqual({ added: 0, removed: [] });
});

it('a required server that does not start is told, whatever the reason; one that is disabled is not', async () => {
  const failed: string[] = [];
  const recorder = new Recorder({ dead: new Error('exited') }, (server) => failed.push(server));
  const mux = { required: true };
  await recorder.start({
    mcpServers: {
      dead: { command: 'x', mux },
      unset: { command: '${NOT_SET}', mux },
      wrong: { command: 5, mux },
      off: { command: 'x', disabled: true, mux },
      other: { command: '${NOT_SET}' },
    },
  });
  expect(failed.toSorted()).toEqual(['dead', 'unset', 'wrong']);
});

it('read again, what an agent had kept in it is neither started twice nor stopped', async () => {
  const recorder = new Recorder();
  await recorder.start({ mcpServers: { own: { command: 'x' } } });
  recorder.added.clear();
  const both = { mcpServers: { own: { command: 'x' }, kept: { command: 'y' } } };
  recorder.adopt('kept', both);
  expect(recorder.inForce).toContain('kept');
  await recorder.start(both);
  expect([...recorder.added]).toEqual([]);
  recorder.disown('kept');
  expect(recorder.inForce).not.toContain('kept');
  await recorder.start({ mcpServers: { own: { command: 'x' } } });
  expect(recorder.removed).toEqual([]);
});

it('tells once how many servers and tools are there, when all have started or failed', async () => {
  const file = join(folder, 'ready.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { a: { command: 'x' }, b: { command: 'y' } } }));
  const reported: (readonly [string, LogFields])[] = [];
  const status = {
    name: 'a',
    status: 'running',
    tools: ['a__x', 'a__y'],
    restarts: 0,
    dropped_lines: 0,
  } as const;
  const reconciler = new ConfigReconciler(
    { file, origin: 'flag', folder },
    {
      mux: {
        addServer: (name) => (name === 'a' ? Promise.resolve(status) : Promise.reject(new Error('no'))),
        removeServer: () => Promise.resolve(),
      },
      logger: {
        enabled: () => true,
        log: (_, message, fields = {}) => void reported.push([message, fields]),
      },
      context: { environment: {}, home: folder, cwd: folder },
    },
  );
  reconciler.apply();
  await expect
    .poll(() => reported.at(-1))
    .toEqual(['the servers of the config are ready', { servers: 1, tools: 2, failed: 1 }]);
});

it('the servers of a config are published when the config is applied, and not when one is read again', async () => {
  const file = join(folder, 'published.json');
  writeFileSync(file, JSON.stringify({ mcpServers: { a: { command: '${NOT_SET}' }, b: { command: 'y' } } }));
  const published: (readonly [readonly string[], string | undefined])[] = [];
  const options = new Map<string, AddOptions>();
  const reconciler = new ConfigReconciler(
    { file, origin: 'flag', folder },
    {
      mux: {
        addServer: (name, _config, given = {}) => {
          options.set(name, given);
          return Promise.reject(new MuxError('CLOSED', 'closed'));
        },
        removeServer: () => Promise.resolve(),
      },
      logger: { enabled: () => true, log: () => undefined },
      context: { environment: {}, home: folder, cwd: folder },
      publish: (servers, only) => void published.push([servers.map(({ name }) => name), only]),
    },
  );
  reconciler.apply();
  options.get('a')?.reread?.();
  expect(published).toEqual([[['a', 'b'], undefined]]);
  reconciler.adopt('b');
  expect(published.slice(1)).toEqual([[['a', 'b'], 'b']]);
});
