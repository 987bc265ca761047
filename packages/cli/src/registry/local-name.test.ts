import { expect, it } from 'vitest';

import { localServerName } from './local-name.js';

it.each([
  ['io.github.user/mcp-server-files', 'files'],
  ['io.github.user/files-mcp-server', 'files'],
  ['com.example/mcp-server', 'server'],
  ['com.example/two__words', 'two-words'],
  ['plain', 'plain'],
])('%s has the local name %s', (name, local) => {
  expect(localServerName(name)).toBe(local);
});
