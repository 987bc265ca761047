import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';

import { createMux, type Mux } from '@mcpmux/core';
import { fixtureCommand } from '@mcpmux/test-servers';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { afterEach, describe, expect, it, vi } from 'vitest';

import { StderrLogger } from '../log/stderr-logger.js';
import { startReconciler } from '../serve/serve-config.js';
import { SharedServers } from './shared-servers.js';

afterEach(() => vi.unstubAllEnvs());

const SILENT = { logger: new StderrLogger('silent', 'json'), options: {} };
const LONG = { ms: 60_000, isChosen: true };

it('the flags of the command line win over the config, at the start and when the config is read again', async () => {
  await using folder = await temporaryFolder();
  vi.stubEnv('XDG_STATE_HOME', folder.path);
  const file = join(folder.path, 'mcpmux.json');
  const write = (budget: number): void =>
    writeFileSync(
      file,
      JSON.stringify({ mcpServers: {}, mux: { exposure: { mode: 'all', tools: 'all', budget } } }),
    );
  write(1000);
  await using mux = createMux();
  const exposed = vi.spyOn(mux, 'expose');
  const guarded = vi.spyOn(mux, 'use');
  const servers = new SharedServers(
    { file, origin: 'flag', folder: folder.path },
    {
      mux,
      logger: new StderrLogger('error', 'json'),
      options: { exposure: 'search', tools: 'none', codeMode: true },
      guards: undefined,
      idle: { ms: 1, isChosen: true },
    },
  );
  await servers.start();
  expect(exposed).toHaveBeenLastCalledWith({ mode: 'search', ownTools: 'none', budget: 1000 });
  await vi.waitFor(() => expect(guarded).toHaveBeenCalledTimes(1), { timeout: 10_000 });
  write(2000);
  await servers.reload();
  expect(exposed).toHaveBeenLastCalledWith({ mode: 'search', ownTools: 'none', budget: 2000 });
});

it('a server is of the config in the layer in which the config has it', async () => {
  await using folder = await temporaryFolder();
  vi.stubEnv('XDG_STATE_HOME', folder.path);
  const file = join(folder.path, 'mcpmux.json');
  const mcpServers = { far: { url: 'http://127.0.0.1:1/' }, near: { command: 'false' } };
  writeFileSync(file, JSON.stringify({ mcpServers }));
  await using mux = createMux();
  const logger = new StderrLogger('silent', 'json');
  const parts = { mux, logger, options: {}, guards: undefined, idle: { ms: 1, isChosen: true } };
  const servers = new SharedServers({ file, origin: 'flag', folder: folder.path }, parts);
  expect(servers.applied).toBeUndefined();
  await servers.start();
  servers.addWindow('/one');
  const placed = { name: 'near', layer: 'l', workspace: '/one' };
  expect(servers.hasServer({ name: 'far' })).toBe(true);
  expect(servers.hasServer(placed)).toBe(true);
  for (const other of [
    { name: 'near' },
    { ...placed, name: 'far' },
    { ...placed, workspace: '/two' },
    { ...placed, session: 1 },
  ])
    expect(servers.hasServer(other)).toBe(false);
  expect(servers.applied?.servers.map(({ name }) => name)).toEqual(['far', 'near']);
});

describe('the kept lists of a server that runs once for each folder', () => {
  const served = (file: string, mux: Mux): SharedServers =>
    new SharedServers(
      { file, origin: 'flag', folder: dirname(file) },
      { ...SILENT, mux, guards: undefined, idle: LONG },
    );
  const toolsIn = (mux: Mux): readonly string[] =>
    mux.listServers({ everywhere: true }).flatMap(({ tools }) => tools);

  it('are saved with those for all windows, and listed in another folder before the server runs', async () => {
    await using folder = await temporaryFolder();
    vi.stubEnv('XDG_STATE_HOME', folder.path);
    const file = join(folder.path, 'mcpmux.json');
    const near = fixtureCommand('echo');
    writeFileSync(file, JSON.stringify({ mcpServers: { near, all: { ...near, mux: { shared: true } } } }));
    await using first = createMux();
    const before = served(file, first);
    await before.start();
    const leave = before.addWindow(folder.path);
    await vi.waitUntil(() => toolsIn(first).length === 4, { timeout: 20_000 });
    leave();
    await before.saveLists();
    await using next = createMux();
    const after = served(file, next);
    await after.start();
    after.addWindow(dirname(folder.path));
    expect(next.listServers({ everywhere: true }).map(({ status }) => status)).toEqual([
      'starting',
      'starting',
    ]);
    expect(toolsIn(next)).toHaveLength(4);
  });

  it('are those of a mcpmux without --shared, and stay while no window is in a folder', async () => {
    await using folder = await temporaryFolder();
    vi.stubEnv('XDG_STATE_HOME', folder.path);
    const file = join(folder.path, 'mcpmux.json');
    const near = fixtureCommand('echo');
    writeFileSync(file, JSON.stringify({ mcpServers: { near } }));
    const location = { file, origin: 'flag', folder: process.cwd() } as const;
    await using plain = createMux();
    const alone = await startReconciler(location, {
      ...SILENT,
      mux: plain,
      onRequiredFailed: () => undefined,
    });
    await vi.waitUntil(() => toolsIn(plain).length === 2, { timeout: 20_000 });
    alone.saveLists();
    await using mux = createMux();
    const servers = served(file, mux);
    await servers.start();
    await servers.saveLists();
    servers.addWindow(folder.path);

    expect(mux.listServers({ everywhere: true })).toMatchObject([{ status: 'starting' }]);
    expect(toolsIn(mux)).toHaveLength(2);
  });
});
