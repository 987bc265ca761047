import { expect, it } from 'vitest';

import { openStateLine, OPENING_START, openingLine, parseOpenState } from './opening.js';
import { parseOpening, type Opening } from './read-opening.js';

it.each<Opening>([
  { for: 'command', cwd: '/x' },
  { for: 'instance', window: 3 },
  { for: 'window', cwd: '/x', epoch: 0, pid: 7, added: [] },
  { for: 'window', cwd: '/x "y"\n', epoch: 1, pid: 7, version: '1.0.0', added: [{ name: 'a' }] },
])('%j is read from its line', (opening) => {
  const line = openingLine(opening);
  expect(line).not.toContain('\n');
  expect(line.startsWith(OPENING_START.toString())).toBe(true);
  expect(parseOpening(line)).toEqual(opening);
});

it.each(['opened', 'older'] as const)('the response "%s" is read from its line', (opened) => {
  expect(parseOpenState(openStateLine(opened))).toBe(opened);
});

it.each(['', '{', '{"jsonrpc":"2.0","id":0,"error":{}}', '{"jsonrpc":"2.0","id":0,"result":null}'])(
  '%j is no response to an opening',
  (line) => {
    expect(parseOpenState(line)).toBeUndefined();
  },
);
