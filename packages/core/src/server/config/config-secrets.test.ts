import { expect, it } from 'vitest';

import { configSecrets, withCommandOutputs } from './config-secrets.js';

it('secrets of a server at a url are the values of its headers, without the scheme too, and what is hidden of the url', () => {
  const headers = { Authorization: 'Bearer abc', 'X-Key': 'xyz' };
  expect(configSecrets({ url: 'https://u:pw@example.com/mcp?k=v', headers })).toEqual(
    expect.arrayContaining(['Bearer abc', 'abc', 'xyz', 'u', 'pw', 'v']),
  );
});

it('a url that is none has no secrets, and its headers have', () => {
  expect(configSecrets({ url: 'nowhere', headers: { A: 'secret' } })).toEqual(['secret']);
});

it('secrets of a program are those of its environment', () => {
  expect(configSecrets({ command: 'x', env: { TOKEN: 't', PATH: '/bin' } })).toEqual(['t']);
});

it('the credentials of a client are secret, also those at its identity provider', () => {
  const identity = { issuer: 'https://idp.example', clientId: 'b', clientSecret: 's2', idToken: 't' };
  const clientCredentials = { issuer: 'https://as.example', clientId: 'a', clientSecret: 's1', identity };
  expect(configSecrets({ url: 'https://example.com/mcp', clientCredentials })).toEqual(
    expect.arrayContaining(['s1', 's2', 't']),
  );
  const own = { issuer: 'https://as.example', clientId: 'a', privateKey: 'k' };
  expect(configSecrets({ url: 'https://example.com/mcp', clientCredentials: own })).toContain('k');
});

it('the output of a command takes its place in the credentials at an identity provider too', () => {
  const identity = { issuer: 'https://idp.example', clientId: 'b', idToken: '<cmd>' };
  const clientCredentials = { issuer: 'https://as.example', clientId: 'a', clientSecret: '<cmd>!', identity };
  const config = withCommandOutputs(
    { url: 'https://example.com/mcp', clientCredentials },
    new Map([['<cmd>', 'printed']]),
  );
  expect(config).toMatchObject({
    clientCredentials: { clientSecret: 'printed!', identity: { clientId: 'b', idToken: 'printed' } },
  });
});

it('the output of a command is not searched for the texts of others', () => {
  const values = new Map([
    ['${cmd:a}', '${cmd:b}'],
    ['${cmd:b}', '${cmd:a}'],
  ]);
  const config = withCommandOutputs({ command: 'c', args: ['${cmd:a} ${cmd:b} ${cmd:a}'] }, values);
  expect(config).toMatchObject({ args: ['${cmd:b} ${cmd:a} ${cmd:b}'] });
});
