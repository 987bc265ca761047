import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { createMux } from '@mcpmux/core';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { afterEach, expect, it, vi } from 'vitest';

import { StderrLogger } from '../log/stderr-logger.js';
import { SharedServers } from './shared-servers.js';

afterEach(() => vi.unstubAllEnvs());

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
      idleMs: 1,
    },
  );
  await servers.start();
  expect(exposed).toHaveBeenLastCalledWith({ mode: 'search', ownTools: 'none', budget: 1000 });
  await vi.waitFor(() => expect(guarded).toHaveBeenCalledTimes(1), { timeout: 10_000 });
  write(2000);
  await servers.apply();
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
  const parts = { mux, logger, options: {}, guards: undefined, idleMs: 1 };
  const servers = new SharedServers({ file, origin: 'flag', folder: folder.path }, parts);
  expect(servers.applied).toBeUndefined();
  await servers.start();
  servers.enter('/one');
  const placed = { name: 'near', layer: 'l', workspace: '/one' };
  expect(servers.has({ name: 'far' })).toBe(true);
  expect(servers.has(placed)).toBe(true);
  for (const other of [
    { name: 'near' },
    { ...placed, name: 'far' },
    { ...placed, workspace: '/two' },
    { ...placed, session: 1 },
  ])
    expect(servers.has(other)).toBe(false);
  expect(servers.applied?.servers.map(({ name }) => name)).toEqual(['far', 'near']);
});
