import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';

import { createMux } from '@mcpmux/core';
import { fixtureCommand } from '@mcpmux/test-servers';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { expect, it } from 'vitest';

import { applyConfig, loadConfigFile } from './apply-config.js';

async function configOf(folder: string, config: object) {
  const file = join(folder, 'mcpmux.json');
  await writeFile(file, JSON.stringify(config));
  return loadConfigFile(file);
}

it('adds the servers of a config, those that cannot start too, and its guards', async () => {
  await using folder = await temporaryFolder();
  await using mux = createMux();
  const config = await configOf(folder.path, {
    mcpServers: {
      e: { ...fixtureCommand('echo'), includeTools: ['echo'] },
      off: { command: 'x', disabled: true },
      lost: { command: 'x', env: { TOKEN: '${NOT_SET_ANYWHERE}' } },
      gone: { command: 'no-such-program-here' },
    },
    guards: { resultBytes: { bytes: 10 } },
  });
  const statuses = await applyConfig(mux, config);
  expect(statuses.map(({ name, status }) => [name, status])).toEqual([
    ['e', 'running'],
    ['lost', 'failed'],
    ['gone', 'crashed'],
  ]);
  expect((await mux.listTools()).map(({ name }) => name)).toEqual(['e__echo']);
  await expect(mux.callTool('e__echo', { message: 'x'.repeat(100) })).rejects.toThrow('bytes');
});

it('adds nothing of a config that cannot be used, and says why', async () => {
  await using folder = await temporaryFolder();
  await using mux = createMux();
  const config = await configOf(folder.path, {
    mcpServers: { e: fixtureCommand('echo') },
    guards: { ratelimit: {} },
  });
  await expect(applyConfig(mux, config)).rejects.toThrow('guards');
  expect(mux.listServers()).toEqual([]);
});

it('reads no file as a config with one problem', () => {
  expect(loadConfigFile('/nowhere/mcpmux.json')).toMatchObject({ isUsable: false, problems: { length: 1 } });
});
