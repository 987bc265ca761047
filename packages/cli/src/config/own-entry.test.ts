import { expect, it } from 'vitest';

import { isOwn, ownEntry } from './own-entry.js';

const local = { node: '/usr/bin/node', script: '/opt/mcpmux/bin/mcpmux.cjs' };

it.each([
  ['the package', ownEntry({ platform: 'linux', flags: [] })],
  ['the package on Windows', ownEntry({ platform: 'win32', flags: ['--project-config'] })],
  ['an installation', ownEntry({ platform: 'linux', local, flags: [] })],
  ['the program', { command: 'mcpmux' }],
  ['the program with a flag', { command: '/usr/local/bin/mcpmux', args: ['--log-level', 'debug'] }],
  ['a version of the package', { command: 'npx', args: ['--yes', '@mcpmux/cli@1.2.3', 'serve'] }],
  ['another runner', { command: 'pnpm', args: ['dlx', '@mcpmux/cli'] }],
  ['a checkout of before', { command: 'node', args: ['/home/ann/mcpmux/bin/mcpmux.js'] }],
  ['a path of Windows', { command: 'C:\\tools\\mcpmux.cmd' }],
])('mcpmux knows itself as %s', (_, entry) => {
  expect(isOwn(entry)).toBe(true);
});

it.each([
  [
    'a server for a folder of that name',
    { command: 'npx', args: ['-y', 'server-filesystem', '/opt/mcpmux'] },
  ],
  ['a server whose option names it', { command: 'uvx', args: ['mcp-server-git', '--repository', 'mcpmux'] }],
  ['a server at a url', { url: 'https://example.com/mcpmux' }],
])('%s is not mcpmux', (_, entry) => {
  expect(isOwn(entry)).toBe(false);
});
