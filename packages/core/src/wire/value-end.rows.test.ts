import { describe, expect, it } from 'vitest';

import { readCompact } from '../testing/compact-values.js';
import { asSecondElement, endOf, parses } from '../testing/value-ends.js';
import { NO_END } from './value-end.js';

const NUMBERS = ['0', '-0', '7', '-12', '0.5', '-0.25', '1e5', '1E-7', '1.5e+3', '9'.repeat(40)];
const WORDS = ['true', 'false', 'null'];
const STRINGS = [
  '""',
  '"a"',
  ...[14, 15, 16, 32, 40].map((length) => `"${'a'.repeat(length)}"`),
  '"é"',
  '"},{"',
];
const ESCAPES = ['"\\n"', '"\\""', '"\\\\"', '"\\u00e9"', `"${'a'.repeat(20)}\\n"`, '"\\"a"', '"a\\"b"'];
const OTHERS = ['[]', '{}', '[1]', '{"a":1}'];
const NO_NUMBERS = [
  '',
  '-',
  '01',
  '-01',
  '00',
  '1.',
  '.5',
  '-.5',
  '1.e5',
  '1e',
  '1e+',
  '1.2.3',
  '+1',
  '1-',
  '1:',
];
const NO_WORDS = ['tru', 'truee', 'fals', 'falsy', 'nul', 'nulL', 'NaN', 't', '{', ']', '},{'];
const NO_STRINGS = ['"', '"\\"', '"\\x"', '"\\u00g0"', '"a\tb"', '"a""b"', "'a'", '"a\\,"'];
/** As long as the strings, but with another byte or two in them: they are not looked through when lengths agree. */
const DAMAGED = [...STRINGS, ...ESCAPES].flatMap((text) =>
  ['"', '\\', '\n', '\n\n', '\\x', '""'].flatMap((bytes) =>
    [1, text.length >> 1, text.length - 2, text.length - 1].map(
      (at) => text.slice(0, at) + bytes + text.slice(at + bytes.length),
    ),
  ),
);

function list(count: number, row: (index: number) => string): string {
  return Array.from({ length: count }, (_, index) => row(index)).join(',');
}

/** Whether the finder takes what JSON.parse takes: all of the text, or a value at its beginning. */
function agrees(text: string): boolean {
  const bytes = Buffer.from(text);
  const end = endOf(bytes);
  const isTaken = end !== NO_END;
  return parses(isTaken ? bytes.subarray(0, end) : bytes) === isTaken;
}

describe('objects of an array that are alike but for their values', () => {
  it.each<[string, (index: number) => string]>([
    ['the same values', (i) => `{"id":${i},"name":"row","done":true}`],
    ['values of other lengths', (i) => `{"a":"${'x'.repeat(i % 40)}","b":${i ** 3},"c":${i % 2 === 0}}`],
    ['values of other types', (i) => `{"a":${i % 2 === 0 ? 'null' : '"a"'},"b":${i % 3 === 0 ? -1.5 : 0}}`],
    ['escapes in values', (i) => `{"a":"${'\\n'.repeat(i % 3)}${'x'.repeat(i)}\\u00e9","b":"\\""}`],
    [
      'long keys and parts of their own',
      (i) => `{"${'k'.repeat(60)}":${i},"${'l'.repeat(16)}":[[${i}],{"m":"n"}]}`,
    ],
    ['no values', () => '{"a":{},"b":[]}'],
  ])('are taken for rows if they have %s', (_, row) => {
    const text = `{"rows":[${list(100, row)}],"more":[${list(3, row)},"a",true,0,[1]]}`;
    expect(parses(Buffer.from(text))).toBe(true);
    expect(readCompact(text)).toEqual({
      read: Buffer.byteLength(text),
      isDone: true,
      rows: expect.any(Number),
    });
    expect(readCompact(`[${list(100, row)}]`).rows).toBeGreaterThan(95);
  });

  it.each<[string, (index: number) => string]>([
    ['other keys', (i) => `{"a${i}":1}`],
    ['other parts', (i) => `{"a":${i % 2 === 0 ? '{}' : i}}`],
    ['rows of their own', (i) => `{"a":[{"b":1},{"b":2}],"c":${i}}`],
    ['strings full of escapes', () => `{"a":"${'\\\\n'.repeat(20)}"}`],
    ['more steps than are learned', () => `{${list(70, (i) => `"a${i}":1`)}}`],
  ])('are not if they have %s, and are read nevertheless', (_, row) => {
    const text = `[${list(100, row)}]`;
    expect(readCompact(text)).toMatchObject({ read: text.length, isDone: true });
    expect(readCompact(text).rows).toBeLessThan(2);
  });

  it('are read up to the end of the piece and not behind it', () => {
    const text = `[${list(100, (i) => `{"a":${i},"b":"c"}`)}]`;
    for (let length = 1000; length < 1030; length += 1) {
      const { read, rows } = readCompact(text, length);
      expect(rows).toBeGreaterThan(40);
      // blocks look behind it, and the caller knows that
      expect(read).toBeLessThan(length + 64);
    }
  });

  it.each([
    ['values', [...NUMBERS, ...STRINGS, ...ESCAPES, ...WORDS, ...OTHERS]],
    ['no values', [...NO_NUMBERS, ...NO_STRINGS, ...NO_WORDS, ...DAMAGED]],
  ])('are compared with what JSON.parse says of %s', (_, texts) => {
    for (const text of texts) {
      for (const usual of [text, ...NUMBERS.slice(0, 6), ...STRINGS, ...ESCAPES, ...WORDS]) {
        const row = (value: string): string => `{"a":${value},"b":[${value}],"c":{"d":${value}}}`;
        const others = list(40, () => row(usual));
        expect([usual, text, agrees(`[${others},${row(text)},${others}]`)]).toEqual([usual, text, true]);
      }
    }
  });

  it.each([
    ['`{` behind a comma is no key', '{"a":{},{"b":1},{"b":2},{"b":3}}'],
    ['a string ends in what looks like the begin of one', `["},{","},{",${list(9, () => '{"a":"},{"}')}]`],
    ['a comma ends the array', `[${list(9, () => '{"a":1}')},]`],
    ['the array is cut', `[${list(9, () => '{"a":1}')},`],
  ])('are none where %s', (_, text) => {
    expect(agrees(text)).toBe(true);
  });

  it('end where JSON.parse says, though a string is as long as one with an escape before', () => {
    const row = '{":1,":"z\\nxxxxxxxx"}';
    const before = `{"result":[${row},${row},${row},{":1,":"z"}]`;
    const line = `${before},"p":[{"},{":1,":":"qqqqqqqqq"},${row}],"id":1}`;
    expect(parses(Buffer.from(line))).toBe(true);
    expect(endOf(Buffer.from(line), '{"result":'.length)).toBe(before.length);
  });

  it('are none where one begins inside of a string, wherever a block ends', () => {
    for (let length = 0; length < 200; length += 1) {
      const before = 'x'.repeat(length);
      expect([length, agrees(`["${before}},{"a":1},{"a":2},{"a":3}]`)]).toEqual([length, true]);
      expect([length, agrees(`["${before}},{",{"a":1},{"b"2},{"b"2},{"b":2}]`)]).toEqual([length, true]);
      expect([length, agrees(`["a","${before}\\\\},{"a":1},{"a":2}]`)]).toEqual([length, true]);
    }
  });

  it('are none where one begins inside of a string that begins at the end of a block', () => {
    for (let length = 0; length < 64; length += 1) {
      const text = `["${'y'.repeat(length)}","${'x'.repeat(61)}},{"a":1},{"a":2}]`;
      expect([length, agrees(text)]).toEqual([length, true]);
    }
  });

  it('are none where brackets stay open or close too often', () => {
    for (const levels of [1, 2, 20]) {
      const opening = '{"a":[{"b":1},'.repeat(levels);
      const closing = ',{"b":1}]}'.repeat(levels);
      for (const closings of [levels - 1, levels, levels + 1]) {
        const ends = ']}'.repeat(closings);
        expect([levels, closings, agrees(`[{"b":0},${opening}{"b":2}${ends}]`)]).toEqual([
          levels,
          closings,
          true,
        ]);
        const opened = '[{"r":'.repeat(closings);
        expect([levels, closings, agrees(`${opened}[{"b":0}${closing}]`)]).toEqual([levels, closings, true]);
      }
    }
  });

  it.each([
    ['begin without a comma', '[[[{"a":1}]{"b":1}]{"c":1}]'],
    ['close more than they open', `[{"r":[{"b":0},{"b":1}]}${',{"b":1}]}'.repeat(20)},{"b":2}]`],
    ['open other brackets than they close', `[{"r":[{"b":0},${'{"b":1}]},[[{"c":2},'.repeat(20)}{"b":1}]]]`],
    [
      'stand for a string of another length',
      `[${list(40, () => '{"a":"x"}')},{"a":1234567},{"a":"x",:x"},{"a":1}]`,
    ],
  ])('are none where they %s', (_, text) => {
    expect([agrees(text), parses(Buffer.from(text))]).toEqual([true, false]);
  });

  it('are read on where a piece ends in one of them', () => {
    const table = `[${list(60, (i) => `{"a":${i},"b":"text ${i}","c":[${i % 2 === 0}]}`)}]`;
    for (let start = 900; start < 1024; start += 1) {
      const bytes = asSecondElement(Buffer.from(table), start);
      expect(endOf(bytes)).toBe(bytes.length);
      expect(endOf(bytes.subarray(0, -3))).toBe(NO_END);
    }
  });
});
