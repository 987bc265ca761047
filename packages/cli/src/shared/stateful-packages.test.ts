import { expect, it } from 'vitest';

import { statefulPackage } from './stateful-packages.js';

it.each([
  [['npx', '-y', '@playwright/mcp@latest', '--headless'], '@playwright/mcp'],
  [['npx.cmd', 'chrome-devtools-mcp'], 'chrome-devtools-mcp'],
  [['node', '/opt/x/node_modules/@playwright/mcp/cli.js'], '@playwright/mcp'],
  [['node', '/p/node_modules/.pnpm/x/node_modules/chrome-devtools-mcp/a.js'], 'chrome-devtools-mcp'],
  [['/home/ann/.local/bin/serena-mcp-server', '--project', '/p'], 'serena-mcp-server'],
  [
    ['uvx', '--from', 'git+https://github.com/oraios/serena@v0.1', 'serena', 'start-mcp-server'],
    'git+https://github.com/oraios/serena',
  ],
  [['docker', 'run', '-i', 'mcr.microsoft.com/playwright/mcp:v1'], 'mcr.microsoft.com/playwright/mcp'],
  [['npx', '@modelcontextprotocol/server-filesystem'], '@modelcontextprotocol/server-filesystem'],
  [['npx', '@modelcontextprotocol/server-filesystem@1.2.3', '/srv'], undefined],
  [['npx', '@modelcontextprotocol/server-memory'], undefined],
  [['node', 'server.js', 'https://example.com:8080/a@b'], undefined],
])('%j runs a server with a state for its client: %s', ([command = '', ...args], name) => {
  expect(statefulPackage({ command, args })).toBe(name);
});

it('a server at a url is none of them', () => {
  expect(statefulPackage({ url: 'https://example.com/mcp' })).toBeUndefined();
});
