import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';

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
  const { servers } = loadConfig(placement.configLocationFor('/p'), { ...context, cwd: '/p' });
  const shown = (all: typeof servers): unknown =>
    Object.fromEntries(all.map((one) => [one.name, one.status === 'ready' ? one.config : one.status]));
  expect(shown(placement.serversForAllWindows(servers))).toMatchObject({
    url: { url: 'https://example.com/mcp' },
    absolute: { cwd: resolve('/srv') },
    declared: { cwd: '/home/ann' },
    own: { cwd: resolve('/srv'), isolation: 'session' },
  });
  expect(Object.keys(shown(placement.serversForAllWindows(servers)) as object)).toHaveLength(4);
  expect(shown(placement.serversForFolder(servers, '/p'))).toMatchObject({
    relative: { cwd: resolve('/p/sub') },
    plain: { cwd: '/p' },
    varying: { cwd: '/p', args: ['/p'] },
    broken: 'misconfigured',
    off: 'disabled',
  });
  expect(Object.keys(shown(placement.serversForFolder(servers, '/p')) as object)).toHaveLength(5);
});

it('a server with a state for its client, or that asks for its roots, is for each window unless its config says otherwise', async () => {
  await using folder = await temporaryFolder();
  const file = join(folder.path, 'config.json');
  const browser = { command: 'npx', args: ['-y', '@playwright/mcp@latest'] };
  const servers = {
    browser,
    browserForAll: { ...browser, mux: { shared: true } },
    asks: { command: 'asks' },
    asksAtUrl: { url: 'https://example.com/mcp' },
    asksForAll: { command: 'asks', mux: { shared: true } },
    isolated: { command: 'a', mux: { isolation: 'session', shared: true } },
    plain: { command: 'a' },
  };
  writeFileSync(file, JSON.stringify({ mcpServers: servers }));
  const context = { environment: {}, home: '/home/ann', cwd: '/home/ann' };
  const location = { file, origin: 'user', folder: '/home/ann' } as const;
  const placement = new Placement(location, context, ({ name }) => name.startsWith('asks'));
  const { servers: loaded } = loadConfig(placement.configLocationFor('/p'), { ...context, cwd: '/p' });
  const shown = (all: typeof loaded): unknown =>
    Object.fromEntries(
      all.map((one) => [
        one.name,
        one.status === 'ready' && [
          one.config.isolation ?? 'shared',
          one.scopeReason,
          placement.isPlacementFixed(one),
        ],
      ]),
    );
  const declared = 'its config has "mux": {"shared": true}';
  const asks = 'it asks for the roots of its client';
  expect(shown(placement.serversForAllWindows(loaded))).toEqual({
    browserForAll: ['shared', declared, true],
    asksAtUrl: ['session', asks, true],
    asksForAll: ['shared', declared, true],
    isolated: ['session', 'its config has "isolation": "session"', true],
  });
  expect(shown(placement.serversForFolder(loaded, '/p'))).toEqual({
    browser: ['session', '@playwright/mcp keeps a state for its client', true],
    asks: ['session', asks, true],
    plain: ['shared', 'it runs in the folder of its window, or its settings differ by folder', false],
  });
});
