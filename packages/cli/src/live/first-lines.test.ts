import { expect, it } from 'vitest';

import { controlLine } from './control-line.js';
import { beginningOf, MAX_COMMAND } from './first-lines.js';

const reload = (name: string): Buffer => Buffer.from(`${controlLine({ command: 'restart', name })}\n`);
const OVERHEAD = reload('').length - 1;

it.each([1, 600, MAX_COMMAND - OVERHEAD])('a command with a name of %i bytes is a command', (length) => {
  const name = 'x'.repeat(length);
  expect(beginningOf(reload(name))).toEqual({ kind: 'command', request: { command: 'restart', name } });
});

it('a command is the same one wherever its bytes are cut', () => {
  const bytes = reload('a "hostile" näme\u0007');
  for (let cut = 1; cut < bytes.length; cut += 1) expect(beginningOf(bytes.subarray(0, cut))).toBeUndefined();
  expect(beginningOf(bytes)).toMatchObject({ kind: 'command' });
});

it('a command above the limit is known as one, with its end or without', () => {
  const bytes = reload('x'.repeat(MAX_COMMAND - OVERHEAD + 1));
  expect(beginningOf(bytes)).toEqual({ kind: 'too-long' });
  expect(beginningOf(bytes.subarray(0, -1))).toEqual({ kind: 'too-long' });
});

it.each([
  '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  'x',
  ' ',
  '{"mcpmuy',
  '{"mcpmux":"what"}\n',
  '{"mcpmux":7\n',
])('bytes that are no command begin a session: %j', (text) => {
  const bytes = Buffer.from(text);
  expect(beginningOf(bytes)).toEqual({ kind: 'session', bytes });
});
