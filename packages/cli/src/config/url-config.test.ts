import { expect, it } from 'vitest';

import { nameOfUrl } from './url-config.js';

it.each([
  ['https://mcp.sentry.dev/mcp', 'sentry'],
  ['https://example.com/mcp', 'example'],
  ['http://localhost:3000/mcp', 'localhost'],
  ['http://127.0.0.1:3000', '127-0-0-1'],
  ['https://api.githubcopilot.com/mcp/', 'githubcopilot'],
])('the server at %s is named %s', (url, name) => {
  expect(nameOfUrl(url)).toBe(name);
});
