import { expect, it } from 'vitest';

import { packageSource } from './package-source.js';

it.each([
  ['npm:@modelcontextprotocol/server-memory', 'memory', 'npx', ['-y', '@modelcontextprotocol/server-memory']],
  ['npm:mcp-server-x@1.2.0', 'x', 'npx', ['-y', 'mcp-server-x@1.2.0']],
  ['pypi:mcp-server-git', 'git', 'uvx', ['mcp-server-git']],
  [
    'oci:ghcr.io/github/github-mcp-server:v1',
    'github',
    'docker',
    ['run', '-i', '--rm', 'ghcr.io/github/github-mcp-server:v1'],
  ],
])('%s is run by its runner, under a short name', (text, name, command, args) => {
  expect(packageSource(text)).toEqual({ name, entry: { command, args } });
});

it.each(['https://example.com', 'files', './x', ''])('%j is no package', (text) => {
  expect(packageSource(text)).toBeUndefined();
});

it.each(['npm:', 'pypi:', 'oci:'])('%s without a package is refused', (text) => {
  expect(() => packageSource(text)).toThrow(`"${text}" names no package.`);
});

it('words behind a package are its arguments', () => {
  expect(packageSource('npm:server-filesystem', ['/tmp', '--flag'])?.entry).toEqual({
    command: 'npx',
    args: ['-y', 'server-filesystem', '/tmp', '--flag'],
  });
});
