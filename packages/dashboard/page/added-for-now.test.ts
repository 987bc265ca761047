import { expect, it } from 'vitest';

import { addArguments, withSecrets } from './added-for-now.js';

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

it('a typed secret takes the place of the references to it, at any depth', () => {
  const entry = {
    args: ['--key=${secret:s.KEY}'],
    env: { A: '${secret:s.KEY}', B: '${B}' },
    startTimeoutMs: 7,
  };
  expect(withSecrets(entry, { 's.KEY': 'k$1' })).toEqual({
    args: ['--key=k$1'],
    env: { A: 'k$1', B: '${B}' },
    startTimeoutMs: 7,
  });
});

it('a reference to a secret that was not typed is refused with the next step', () => {
  expect(() => withSecrets({ env: { A: '${secret:s.KEY}' } }, {})).toThrow(
    '${secret:s.KEY} needs a config, and this mcpmux serves none. Put the value in its place.',
  );
});
