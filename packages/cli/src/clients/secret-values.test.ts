import { expect, it } from 'vitest';

import { maskedEntry, maskedLine, secretValues } from './secret-values.js';

it('values of variables and headers are hidden unless they only name a variable', () => {
  const entry = {
    command: 'x',
    env: { A: 'hunter2', B: '${B}', C: '${C:-hunter2}', D: 'Bearer ${env:D}', E: 'x${E}', F: '' },
    headers: { Authorization: 'Bearer hunter2' },
    url: 'https://ann:hunter2@example.com/mcp?key=hunter2&x=1#part',
  };
  expect(JSON.stringify(maskedEntry(entry))).not.toContain('hunter2');
  expect(maskedEntry(entry)).toMatchObject({
    env: { A: '***', B: '${B}', C: '***', D: 'Bearer ${env:D}', E: '***', F: '' },
    url: 'https://***@example.com/mcp?key=***&x=***#part',
  });
});

it('the secret of a client is hidden too', () => {
  const clientCredentials = { issuer: 'https://login.example.com', clientId: 'me', clientSecret: 'hunter2' };
  const entry = { url: 'https://example.com/mcp', mux: { name: 'far', clientCredentials } };
  expect(JSON.stringify(maskedEntry(entry))).not.toContain('hunter2');
  expect(secretValues({ mcpServers: { far: entry } })).toContain('hunter2');
});

it.each([
  ['JSON', '  "TOKEN": "hunter2",', '  "TOKEN": "***",'],
  ['TOML', "TOKEN = 'hunter2'", "TOKEN = '***'"],
  ['an inline table', 'env = { TOKEN = "hunter2" }', 'env = { TOKEN = "***" }'],
  ['YAML', '      TOKEN: hunter2', '      TOKEN: ***'],
])('a line of %s is shown without them', (_, line, shown) => {
  expect(maskedLine(line, ['hunter2'])).toBe(shown);
});

it('what is no secret stays, even where it looks the same', () => {
  expect(maskedLine('  "args": ["--port", "1234"]', ['1'])).toBe('  "args": ["--port", "1234"]');
});

it.each(['env', 'envs', 'environment', 'headers', 'http_headers'])(
  'they are found under %s in any depth',
  (key) => {
    const document = { servers: [{ a: { [key]: { T: 'hunter2', N: 5, V: '${V}' } } }], other: { T: 'seen' } };
    expect(secretValues(document)).toEqual(['hunter2']);
  },
);
