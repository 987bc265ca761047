import { expect, it } from 'vitest';

import { entriesOf } from './entries.js';

it.each([
  [
    '',
    'npx -y @modelcontextprotocol/server-memory',
    { memory: { command: 'npx', args: ['-y', '@modelcontextprotocol/server-memory'] } },
  ],
  ['', 'uvx mcp-server-git', { git: { command: 'uvx', args: ['mcp-server-git'] } }],
  ['mine', 'tool "two words" \'and more\'', { mine: { command: 'tool', args: ['two words', 'and more'] } }],
  ['', '/opt/bin/files', { files: { command: '/opt/bin/files' } }],
  ['', 'https://mcp.example.com/mcp', { example: { type: 'http', url: 'https://mcp.example.com/mcp' } }],
  ['docs', 'http://127.0.0.1:1/mcp', { docs: { type: 'http', url: 'http://127.0.0.1:1/mcp' } }],
  ['', '{"mcpServers":{"a":{"command":"a"}}}', { a: { command: 'a' } }],
  ['', '{"servers":{"a":{"url":"https://a.example"}}}', { a: { url: 'https://a.example' } }],
  ['', '"a":{"command":"a"},', { a: { command: 'a' } }],
  ['n', '{"command":"a"}', { n: { command: 'a' } }],
  ['', '{ // a comment\n "mcpServers": { "a": { "command": "a", }, }, }', { a: { command: 'a' } }],
])('the name %j and the text %j are %j', (name, text, entries) => {
  expect(entriesOf(name, text)).toEqual(entries);
});

it.each([
  ['', '  ', 'missing'],
  ['', '{"command":"a"}', 'needs a name'],
  ['', '{"mcpServers":', 'not JSON'],
  ['', '{"mcpServers":7}', 'not an object'],
])('the name %j and the text %j are refused', (name, text, problem) => {
  expect(() => entriesOf(name, text)).toThrow(problem);
});
