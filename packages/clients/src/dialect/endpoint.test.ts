import { expect, it } from 'vitest';

import { endpointOf } from './endpoint.js';

it('the same command with another account is another server', () => {
  const server = { command: 'npx', args: ['-y', 'x'] };
  const ann = endpointOf({ ...server, env: { TOKEN: 'a', LEVEL: '1' } });
  expect(endpointOf({ ...server, env: { TOKEN: 'b', LEVEL: '1' } })).not.toBe(ann);
  expect(endpointOf({ ...server, env: { LEVEL: '1', TOKEN: 'a' } })).toBe(ann);
  expect(endpointOf({ ...server, cwd: '/elsewhere' })).not.toBe(endpointOf(server));
});

it('the same address is the same server whatever its client calls it', () => {
  const all = ['url', 'serverUrl', 'httpUrl', 'baseUrl', 'uri'].map((key) =>
    endpointOf({ [key]: 'https://x.y' }),
  );
  expect(new Set(all).size).toBe(1);
  expect(endpointOf({ url: 'https://x.y', headers: { A: '1' } })).not.toBe(all[0]);
});
