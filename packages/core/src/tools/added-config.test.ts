import { expect, it } from 'vitest';

import { addedConfig } from './added-config.js';

it.each([
  [{ command: 'node' }, { command: 'node' }],
  [
    { command: 'node', args: ['a'], env: { A: '1' }, cwd: '/' },
    { command: 'node', args: ['a'], env: { A: '1' }, cwd: '/' },
  ],
  [{ url: 'https://x' }, { url: 'https://x' }],
  [
    { url: 'https://x', headers: { A: '1' }, transport: 'sse' as const },
    { url: 'https://x', headers: { A: '1' }, transport: 'sse' },
  ],
])('M1, S13: %j is a server of one kind', (input, config) => {
  expect(addedConfig(input)).toEqual(config);
});

it.each([
  [{}, 'command: is missing'],
  [{ command: 'node', url: 'https://x' }, 'url: cannot be given with command'],
  [
    { command: 'node', headers: {}, transport: 'sse' as const },
    'headers, transport: cannot be given with command',
  ],
  [{ url: 'https://x', args: [], cwd: '/' }, 'args, cwd: cannot be given with url'],
  [
    { url: 'https://x', transport: 'sse' as const, protocol: 'modern' as const },
    'protocol: modern cannot be given with the SSE transport, which is of 2024-11-05; leave one of the two out.',
  ],
])('A12: %j is refused, and says why', (input, problem) => {
  expect(() => addedConfig(input)).toThrow(`Invalid arguments for add_server: ${problem}`);
});
