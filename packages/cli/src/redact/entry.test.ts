import { expect, it } from 'vitest';

import { redactEntry } from './entry.js';

it('values of variables and headers are hidden unless they only name a variable', () => {
  const entry = {
    command: 'x',
    env: { A: 'hunter2', B: '${B}', C: '${C:-hunter2}', D: 'Bearer ${env:D}', E: 'x${E}', F: '' },
    headers: { Authorization: 'Bearer hunter2' },
    url: 'https://ann:hunter2@example.com/mcp?key=hunter2&x=1#part',
  };
  expect(JSON.stringify(redactEntry(entry))).not.toContain('hunter2');
  expect(redactEntry(entry)).toMatchObject({
    env: { A: '***', B: '${B}', C: '***', D: 'Bearer ${env:D}', E: '***', F: '' },
    url: 'https://***@example.com/mcp?key=***&x=***#part',
  });
});

it('so is what looks like a secret in arguments, every spelling of a url, and what only the client knows', () => {
  const entry = {
    command: 'x',
    args: ['--token', 'hunter2', '--port', '1', 'postgres://u:hunter2@h/db'],
    serverUrl: 'https://u:hunter2@h/?t=hunter2',
    mux: { name: 'a', imported: { client: 'codex', keys: { bearer_token: 'hunter2' } } },
  };
  expect(JSON.stringify(redactEntry(entry))).not.toContain('hunter2');
  expect(redactEntry(entry)).toMatchObject({
    args: ['--token', '[redacted]', '--port', '1', expect.any(String)],
  });
});

it('the secret of a client is hidden too', () => {
  const clientCredentials = { issuer: 'https://login.example.com', clientId: 'me', clientSecret: 'hunter2' };
  const entry = { url: 'https://example.com/mcp', mux: { name: 'far', clientCredentials } };
  expect(JSON.stringify(redactEntry(entry))).not.toContain('hunter2');
});

it('of keys that mcpmux does not know, and of values of another kind, no text and no number is shown', () => {
  const entry = {
    command: 'x',
    timeout: 5,
    alwaysAllow: ['find'],
    oauth: { clientSecret: 'hunter2', ids: ['hunter2'], isPublic: false },
    pin: 1234,
    env: ['hunter2'],
    cwd: { of: 'hunter2' },
    mux: { lazy: true, restart: 'always', unknown: 'hunter2' },
  };
  expect(redactEntry(entry)).toEqual({
    command: 'x',
    timeout: 5,
    alwaysAllow: ['find'],
    oauth: { clientSecret: '***', ids: ['***'], isPublic: false },
    pin: '***',
    env: ['***'],
    cwd: { of: '***' },
    mux: { lazy: true, restart: 'always', unknown: '***' },
  });
});
