import { expect, it } from 'vitest';

import { partsOf } from './result-parts.js';

it.each([
  [
    { type: 'text', text: '<b>' },
    { kind: 'text', text: '<b>' },
  ],
  [
    { type: 'image', mimeType: 'image/png', data: 'AAAA' },
    { kind: 'picture', type: 'image/png', bytes: 3 },
  ],
  [
    { type: 'image', mimeType: 'image/svg+xml', data: 'AAA=' },
    { kind: 'file', type: 'image/svg+xml', bytes: 2 },
  ],
  [
    { type: 'image', mimeType: 'image/png', data: 'A'.repeat(6e6) },
    { kind: 'file', bytes: 4.5e6 },
  ],
  [
    { type: 'image', data: 7 },
    { kind: 'file', type: 'unknown type', bytes: 0 },
  ],
  [
    { type: 'audio', mimeType: 'audio/wav', data: 'AAAA' },
    { kind: 'file', type: 'audio/wav', bytes: 3 },
  ],
  [
    { type: 'resource', resource: { uri: 'a:b', mimeType: 'text/plain', text: 'x' } },
    { kind: 'text', text: 'x', head: 'a:b · text/plain' },
  ],
  [
    { type: 'resource', resource: { uri: 'a:b', mimeType: 'image/png', blob: 'AAAA' } },
    { kind: 'picture', head: 'a:b · image/png' },
  ],
  [
    { type: 'resource_link', uri: 'a:b', name: 'n', description: 'd', size: 4 },
    { kind: 'link', uri: 'a:b', name: 'n', notes: 'd · 4 B' },
  ],
  [
    { type: 'other', a: 1 },
    { kind: 'text', text: expect.stringContaining('"a": 1') },
  ],
])('the block %# of a tool has its view', (block, part) => {
  expect(partsOf({ content: [block] })).toMatchObject([part]);
});

it('messages of a prompt have their role, and contents of a resource their address', () => {
  const messages = [
    { role: 'user', content: { type: 'text', text: 'q' } },
    { role: 'assistant', content: [{ type: 'text', text: 'a' }] },
  ];
  expect(partsOf({ description: 'd', messages })).toMatchObject([
    { text: 'd', head: '' },
    { text: 'q', head: 'user' },
    { text: 'a', head: 'assistant' },
  ]);
  expect(partsOf({ contents: [{ uri: 'a:b', text: 'x' }, { uri: 'a:c' }] })).toMatchObject([
    { head: 'a:b', text: 'x' },
    { head: 'a:c', kind: 'text' },
  ]);
});

it.each([
  [
    { content: [null, 7] },
    [
      ['no content block', 'null'],
      ['no content block', '7'],
    ],
  ],
  [{ content: 'text' }, [['content, which is no list', '"text"']]],
  [{ content: { text: 'x' } }, [['content, which is no list', expect.stringContaining('"x"')]]],
  [{ messages: ['hello'] }, [['no message', '"hello"']]],
  [{ messages: [{ role: 'user' }] }, [['user · no content block', 'nothing']]],
  [{ messages: [{ content: { type: 'text', text: 'x' } }] }, [['no role', 'x']]],
  [{ contents: {} }, [['contents, which is no list', '{}']]],
  [{ contents: [null] }, [['no contents of a resource', 'null']]],
])('what has not the shape of MCP is shown as it is: %j', (result, parts) => {
  expect(partsOf(result)).toMatchObject(parts.map(([head, text]) => ({ head, kind: 'text', text })));
});

it('a result without parts has none', () => {
  expect(partsOf({})).toEqual([]);
});
