import { PassThrough } from 'node:stream';

import { expect, it } from 'vitest';

import { linesOf } from './lines.js';

it('a line ends at a newline alone', async () => {
  const input = new PassThrough();
  const lines = linesOf(input).toArray();
  input.write('"a\u2028b\u2029c\u0085d\ve\ff');
  input.end('"\n2\n');
  expect(await lines).toEqual(['"a\u2028b\u2029c\u0085d\ve\ff"', '2']);
});

it.each([
  ['ends', (input: PassThrough) => input.end()],
  ['is destroyed', (input: PassThrough) => input.destroy()],
  ['fails', (input: PassThrough) => input.destroy(new Error('reset'))],
])('lines that came are given, and end, when their stream %s', async (_, end) => {
  const input = new PassThrough();
  const lines = linesOf(input);
  input.write('1\n');
  const first = await new Promise((resolve) => lines.once('data', resolve));
  end(input);
  expect([first, await lines.toArray()]).toEqual(['1', []]);
});
