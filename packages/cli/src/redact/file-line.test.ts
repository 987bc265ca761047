import { expect, it } from 'vitest';

import { redactFileLine } from './file-line.js';

const OPEN = new Set(['-y', '@mcpmux/cli', 'say "yes"']);

it.each([
  ['a string of JSON', '  "TOKEN": "hunter2",', '  "TOKEN": "***",'],
  ['an escaped string', String.raw`  "TOKEN": "h\u0075nter2"`, '  "TOKEN": "***"'],
  ['a number', '  "PIN": 12345,', '  "PIN": ***,'],
  ['arguments on one line', '  "args": ["--token", "hunter2"],', '  "args": ["***", "***"],'],
  ['an argument of its own', '    "hunter2",', '    "***",'],
  ['a url', '  "serverUrl": "https://u:hunter2@h/?k=hunter2"', '  "serverUrl": "***"'],
  ['TOML', 'bearer_token = "hunter2"', 'bearer_token = "***"'],
  ['a bare value of TOML', 'pin = 12345', 'pin = ***'],
  ['an inline table', 'env = { TOKEN = "hunter2" }', 'env = { TOKEN = "***" }'],
  ['YAML', '      TOKEN: hunter2', '      TOKEN: ***'],
  ['YAML with a comment', '  A: hunter2 # old: hunter1', '  A: ***'],
  ['a flow of YAML', 'envs: { K: hunter2 }', 'envs: { K: *** }'],
  ['an element of YAML', '  - hunter2', '  - ***'],
  ['folded text of YAML', '    hunter2 goes on here', '    ***'],
  ['a comment', '  // the old key was hunter2', '  // …'],
  ['a comment of TOML', '# hunter2', '# …'],
])('%s is shown without its value', (_, line, shown) => {
  expect(redactFileLine(line, OPEN)).toBe(shown);
});

it.each([
  '  "command": "npx",',
  '  "args": ["-y", "@mcpmux/cli"],',
  '  "disabled": true,',
  String.raw`  "say \"yes\"",`,
  '  "TOKEN": "${TOKEN}",',
  '[mcp_servers.github]',
  '  },',
  'extensions:',
  '  "mcpServers": {',
])('%j says nothing secret, and stays', (line) => {
  expect(redactFileLine(line, OPEN)).toBe(line);
});
