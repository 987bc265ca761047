import { writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { loadConfig } from '@mcpmux/config';
import { temporaryFolder } from '@mcpmux/testing/temporary-folder';
import { expect, it } from 'vitest';

import { Placement } from './placement.js';

const SERVERS = {
  url: { url: 'https://example.com/mcp' },
  absolute: { command: 'a', cwd: '/srv' },
  relative: { command: 'a', cwd: 'sub' },
  plain: { command: 'a' },
  declared: { command: 'a', mux: { shared: true } },
  varying: { command: 'a', args: ['${workspaceFolder}'], mux: { shared: true } },
  own: { command: 'a', cwd: '/srv', mux: { shared: false } },
  broken: { command: '${NOWHERE}' },
  off: { command: 'a', disabled: true },
};

it('a server that is the same in every folder is for all windows, every other one for each folder', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'config.json');
  writeFileSync(file, JSON.stringify({ mcpServers: SERVERS }));
  const context = { environment: {}, home: '/home/ann', cwd: '/home/ann' };
  const location = { file, origin: 'user', folder: '/home/ann' } as const;
  const placement = new Placement(location, context);
  const { servers } = loadConfig(placement.locationIn('/p'), { ...context, cwd: '/p' });
  const shown = (all: typeof servers): unknown =>
    Object.fromEntries(all.map((one) => [one.name, one.status === 'ready' ? one.config : one.status]));
  expect(shown(placement.forAll(servers))).toMatchObject({
    url: { url: 'https://example.com/mcp' },
    absolute: { cwd: '/srv' },
    declared: { cwd: '/home/ann' },
    own: { cwd: '/srv', isolation: 'session' },
  });
  expect(Object.keys(shown(placement.forAll(servers)) as object)).toHaveLength(4);
  expect(shown(placement.forFolder(servers, '/p'))).toMatchObject({
    relative: { cwd: '/p/sub' },
    plain: { cwd: '/p' },
    varying: { cwd: '/p', args: ['/p'] },
    broken: 'misconfigured',
    off: 'disabled',
  });
  expect(Object.keys(shown(placement.forFolder(servers, '/p')) as object)).toHaveLength(5);
});
