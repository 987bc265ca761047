import { expect, it } from 'vitest';

import { parseBeginning, MAX_OPENING_BYTES } from './first-lines.js';
import { OPENING_START, openingLine } from './opening.js';
import type { Opening } from './read-opening.js';

const opening = (cwd: string): Opening => ({ for: 'command', cwd });
const bytesOf = (cwd: string): Buffer => Buffer.from(`${openingLine(opening(cwd))}\n`);
const OVERHEAD = bytesOf('').length - 1;

it.each([1, 600, MAX_OPENING_BYTES - OVERHEAD])(
  'an opening with a folder of %i bytes is an opening',
  (length) => {
    const cwd = 'x'.repeat(length);
    const beginning = parseBeginning(bytesOf(cwd));
    expect(beginning).toEqual({ kind: 'opening', opening: opening(cwd), rest: Buffer.alloc(0) });
  },
);

it('an opening is the same one wherever its bytes are cut', () => {
  const bytes = bytesOf('a "hostile" näme\u0007');
  for (let cut = 1; cut < bytes.length; cut += 1)
    expect(parseBeginning(bytes.subarray(0, cut))).toBeUndefined();
  expect(parseBeginning(bytes)).toMatchObject({ kind: 'opening' });
});

it('the bytes after an opening belong to the session', () => {
  const session = Buffer.from('{"jsonrpc":"2.0","id":1,"method":"ping"}\n');
  expect(parseBeginning(Buffer.concat([bytesOf('/x'), session]))).toMatchObject({ rest: session });
});

it('an opening above the limit is malformed, with its end or without', () => {
  const bytes = bytesOf('x'.repeat(MAX_OPENING_BYTES - OVERHEAD + 1));
  expect(parseBeginning(bytes)).toEqual({ kind: 'malformed' });
  expect(parseBeginning(bytes.subarray(0, -1))).toEqual({ kind: 'malformed' });
});

it.each(['"params":{}}', '"params":{"for":"window","cwd":"/x","epoch":"1","pid":7}}', '"params"', ''])(
  'an opening that ends with %s is malformed',
  (rest) => {
    expect(parseBeginning(Buffer.from(`${String(OPENING_START)}${rest}\n`))).toEqual({ kind: 'malformed' });
  },
);

it.each([
  '{"jsonrpc":"2.0","id":1,"method":"ping"}',
  'x',
  ' ',
  '{"jsonrpc":"2.0","id":0,"method":"mcpmux/x"',
])('bytes that are no opening begin a session: %j', (text) => {
  const bytes = Buffer.from(text);
  expect(parseBeginning(bytes)).toEqual({ kind: 'session', bytes });
});
