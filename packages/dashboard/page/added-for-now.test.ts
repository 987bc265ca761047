import { expect, it } from 'vitest';

import { addArguments } from './added-for-now.js';

it.each([
  [
    { command: 'npx', args: ['-y', 'a'], env: { A: 'b' } },
    { name: 's', command: 'npx', args: ['-y', 'a'], env: { A: 'b' } },
  ],
  [
    { type: 'http', url: 'https://a.example' },
    { name: 's', url: 'https://a.example', transport: 'http' },
  ],
  [
    { type: 'stdio', command: 'a' },
    { name: 's', command: 'a' },
  ],
])('the entry %j is added as %j', (entry, args) => {
  expect(addArguments('s', entry)).toEqual(args);
});

it('a member that needs a config is refused with the next step', () => {
  expect(() => addArguments('s', { command: 'a', mux: { lazy: true } })).toThrow(
    's: mux needs a config, and this mcpmux serves none. Leave it out, or start mcpmux with --config.',
  );
});
