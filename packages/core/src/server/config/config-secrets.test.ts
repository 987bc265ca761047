import { expect, it } from 'vitest';

import { secretsOfConfig } from './config-secrets.js';

it('secrets of a server at a url are the values of its headers, without the scheme too, and what is hidden of the url', () => {
  const headers = { Authorization: 'Bearer abc', 'X-Key': 'xyz' };
  expect(secretsOfConfig({ url: 'https://u:pw@example.com/mcp?k=v', headers })).toEqual(
    expect.arrayContaining(['Bearer abc', 'abc', 'xyz', 'u', 'pw', 'v']),
  );
});

it('a url that is none has no secrets, and its headers have', () => {
  expect(secretsOfConfig({ url: 'nowhere', headers: { A: 'secret' } })).toEqual(['secret']);
});

it('secrets of a program are those of its environment', () => {
  expect(secretsOfConfig({ command: 'x', env: { TOKEN: 't', PATH: '/bin' } })).toEqual(['t']);
});
