import { expect, it } from 'vitest';

import { literalSecretNames, secretsWarning } from './literal-secrets.js';

it('secrets in clear are found by the name and by the form of the value', () => {
  const env = { GITHUB_TOKEN: 'x', LEVEL: 'debug', KEY_FORM: 'ghp_0123456789abcdef', EMPTY_TOKEN: '' };
  const headers = { Authorization: 'Bearer x', 'X-Team': 'blue' };
  expect(literalSecretNames({ command: 'x', env, headers })).toEqual([
    'GITHUB_TOKEN',
    'KEY_FORM',
    'Authorization',
  ]);
});

it('secrets in clear are found in the credentials of a client, and in its identity', () => {
  const identity = { issuer: 'https://idp', clientId: 'b', clientSecret: '${secret:b}', idToken: 'x' };
  const own = { issuer: 'https://as', clientId: 'a', scope: 'all', algorithm: 'ES256' };
  const secretsOf = (more: object): readonly string[] =>
    literalSecretNames({ url: 'https://s', mux: { clientCredentials: { ...own, ...more } } });
  expect(secretsOf({ clientSecret: 'x', identity })).toEqual(['clientSecret', 'idToken']);
  expect(secretsOf({ privateKey: '{"kty":"EC","d":"x"}' })).toEqual(['privateKey']);
  expect(secretsOf({ privateKey: '${file:key.pem}' })).toEqual([]);
});

it('a reference to a variable or to the keyring is none', () => {
  const env = { A_TOKEN: '${A_TOKEN}', B_TOKEN: '${secret:B}', C_TOKEN: 'Bearer ${C:-none}' };
  expect(secretsWarning('x', { command: 'x', env })).toBeUndefined();
});

it('the warning names no value, and what to do', () => {
  const warning = secretsWarning('gh', { command: 'x', env: { GITHUB_TOKEN: 'hunter2' } });
  expect(warning).toContain('mcpmux secret set GITHUB_TOKEN');
  expect(warning).toContain('${secret:GITHUB_TOKEN}');
  expect(warning).not.toContain('hunter2');
});
