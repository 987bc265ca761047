import { expect, it } from 'vitest';

import { secretsOfUrl, redactUrl } from './redact-url.js';

it.each([
  ['https://example.com/mcp', 'https://example.com/mcp'],
  ['http://127.0.0.1:8080/', 'http://127.0.0.1:8080/'],
  ['https://me:pass@example.com/mcp', 'https://***@example.com/mcp'],
  ['https://token@example.com/mcp', 'https://***@example.com/mcp'],
  ['https://example.com/mcp?key=abc&key=def&team=x', 'https://example.com/mcp?key=***&team=***'],
  ['https://example.com/mcp#secret', 'https://example.com/mcp'],
  ['https://example.com/s/NDk1ZWQ3NTMtYWJj01/mcp', 'https://example.com/s/***/mcp'],
  [
    'https://example.com/a-long-name-without-any-number',
    'https://example.com/a-long-name-without-any-number',
  ],
  ['me:pass@example', '(no url)'],
])('fault H3: %s is shown as %s', (url, shown) => {
  expect(redactUrl(url)).toBe(shown);
});

it('what is not shown counts as secret, as written and decoded', () => {
  const secrets = secretsOfUrl(new URL('https://me:p%40ss@example.com/s/NDk1ZWQ3NTMtYWJj01/mcp?key=abc'));
  expect(secrets).toEqual(expect.arrayContaining(['p%40ss', 'p@ss', 'abc', 'NDk1ZWQ3NTMtYWJj01']));
  expect(secrets).not.toContain('mcp');
});
