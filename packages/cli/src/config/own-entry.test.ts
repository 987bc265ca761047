import { expect, it } from 'vitest';

import { VERSION } from '../base/version.js';
import { isCheckout, isMcpmuxEntry, ownEntry, withOwnVersion } from './own-entry.js';

const localInstallation = { node: '/usr/bin/node', script: '/opt/mcpmux/bin/mcpmux.cjs' };

it.each([
  ['the package', ownEntry({ platform: 'linux', flags: [] })],
  ['the package on Windows', ownEntry({ platform: 'win32', flags: ['--project-config'] })],
  ['an installation', ownEntry({ platform: 'linux', localInstallation, flags: [] })],
  ['the program', { command: 'mcpmux' }],
  ['the program with a flag', { command: '/usr/local/bin/mcpmux', args: ['--log-level', 'debug'] }],
  ['a version of the package', { command: 'npx', args: ['--yes', '@mcpmux/cli@1.2.3', 'serve'] }],
  ['another runner', { command: 'pnpm', args: ['dlx', '@mcpmux/cli'] }],
  ['a checkout of before', { command: 'node', args: ['/home/ann/mcpmux/bin/mcpmux.js'] }],
  ['a path of Windows', { command: 'C:\\tools\\mcpmux.cmd' }],
])('mcpmux knows itself as %s', (_, entry) => {
  expect(isMcpmuxEntry(entry)).toBe(true);
});

it.each([
  [
    'a server for a folder of that name',
    { command: 'npx', args: ['-y', 'server-filesystem', '/opt/mcpmux'] },
  ],
  ['a server whose option names it', { command: 'uvx', args: ['mcp-server-git', '--repository', 'mcpmux'] }],
  ['a server at a url', { url: 'https://example.com/mcpmux' }],
])('%s is not mcpmux', (_, entry) => {
  expect(isMcpmuxEntry(entry)).toBe(false);
});

it('the package is named with its version: a registry cannot exchange what clients run', () => {
  const pinned = `@mcpmux/cli@${VERSION}`;
  expect(ownEntry({ platform: 'linux', flags: [] })).toEqual({ command: 'npx', args: ['-y', pinned] });
  expect(ownEntry({ platform: 'win32', flags: [] })).toMatchObject({ args: ['/c', 'npx', '-y', pinned] });
});

it('the single-file executable is named once', () => {
  const executable = { node: '/opt/mcpmux', script: '/opt/mcpmux' };
  expect(ownEntry({ platform: 'linux', localInstallation: executable, flags: ['--shared'] })).toEqual({
    command: '/opt/mcpmux',
    args: ['--shared'],
  });
});

it('an entry with another version gets this one; a tag, no version and other words stay', () => {
  const other = { command: 'npx', args: ['-y', '@mcpmux/cli@0.0.1', 'serve'], env: { A: '1' } };
  expect(withOwnVersion(other)).toEqual({ ...other, args: ['-y', `@mcpmux/cli@${VERSION}`, 'serve'] });
  for (const word of ['@mcpmux/cli', '@mcpmux/cli@latest', 'mcpmux']) {
    const entry = { command: 'npx', args: ['-y', word] };
    expect(withOwnVersion(entry)).toBe(entry);
  }
});

it.each([
  ['/home/ann/mcpmux/packages/cli/bin/mcpmux.cjs', true],
  ['/usr/lib/node_modules/@mcpmux/cli/bin/mcpmux.cjs', false],
  ['C:\\Users\\ann\\AppData\\npm\\node_modules\\@mcpmux\\cli\\bin\\mcpmux.cjs', false],
])('%s is a clone: %s', (script, expected) => {
  expect(isCheckout(script)).toBe(expected);
});
