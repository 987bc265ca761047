import { expect, it } from 'vitest';

import { serverNameFromUrl } from './url-config.js';

it.each([
  ['https://mcp.sentry.dev/mcp', 'sentry'],
  ['https://example.com/mcp', 'example'],
  ['http://localhost:3000/mcp', 'localhost'],
  ['http://127.0.0.1:3000', '127-0-0-1'],
  ['https://api.githubcopilot.com/mcp/', 'githubcopilot'],
])('the server at %s is named %s', (url, name) => {
  expect(serverNameFromUrl(url)).toBe(name);
});
