import { describe, expect, it } from 'vitest';

import { readCompact } from '../testing/compact-values.js';
import { asSecondElement, endOf, LEVELS, parses } from '../testing/value-ends.js';
import { NO_END, valueEndFinder } from './value-end.js';

const NUMBERS = ['0', '-0', '7', '-12', '0.5', '-0.25', '1e5', '1E-7', '1.5e+3', '9'.repeat(40)];
const WORDS = ['true', 'false', 'null'];
const STRINGS = [
  '""',
  '"a"',
  ...[14, 15, 16, 17, 32, 40].map((length) => `"${'a'.repeat(length)}"`),
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
  '1e+-5',
  '1e.5',
  '1e,5',
  '1e5.5',
  '1e5e5',
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
    ['letters of other cases', (i) => `{"a":"${i % 2 === 0 ? 'abc' : 'ABC'}","b":"${'x Y'.slice(i % 3)}"}`],
    ['long values', () => `{"a":"${'x'.repeat(100)}","b":${'1'.repeat(70)}}`],
    ['signs and fractions', () => '{"a":-10.25,"b":1.5,"c":[0,-0,0.5]}'],
    ['exponents', (i) => `{"a":${i}.5e10,"b":[1E-${i},1e+7],"c":${i % 7}E${i}}`],
  ])('are taken for rows if they have %s', (_, row) => {
    const text = `{"rows":[${list(100, row)}],"more":[${list(3, row)},"a",true,0,[1]]}`;
    expect(parses(Buffer.from(text))).toBe(true);
    expect(readCompact(text)).toEqual({
      read: Buffer.byteLength(text),
      isDone: true,
      rows: expect.any(Number),
    });
    expect(readCompact(`[${list(100, row)}]`).rows).toBeGreaterThan(90);
  });

  it.each<[string, (index: number) => string]>([
    ['other keys', (i) => `{"a${i}":1}`],
    ['other parts', (i) => `{"a":${i % 2 === 0 ? '{}' : i}}`],
    ['rows of their own', (i) => `{"a":[{"b":1},{"b":2}],"c":${i}}`],
    ['strings full of escapes', () => `{"a":"${'\\\\n'.repeat(20)}"}`],
    ['more text than is learned', () => `{${list(50, (i) => `"${'a'.repeat(25)}${i}":1`)}}`],
    ['more values than are learned', () => `{"a":[${list(200, () => '1')}]}`],
  ])('are not if they have %s, and are read nevertheless', (_, row) => {
    const text = `[${list(100, row)}]`;
    expect(readCompact(text)).toMatchObject({ read: text.length, isDone: true });
    expect(readCompact(text).rows).toBeLessThan(10);
  });

  it.each<[string, (index: number) => string]>([
    ['a value gets longer now and then', (i) => `{"id":${i},"name":"row ${i}","done":true}`],
    ['another one stands among them', (i) => (i % 100 === 50 ? `{"b":${i}}` : `{"a":${i % 7},"c":"d"}`)],
    ['a value is longer in each second', (i) => `{"a":${i % 2 === 0 ? 5 : 55},"b":"text","c":[1,2,3]}`],
  ])('are not learned again and again where %s', (_, row) => {
    const { rows } = readCompact(`[${list(2000, row)}]`);
    expect(rows).toBeGreaterThan(1880);
  });

  it.each([3, 100, 300])('go on in the next piece, with texts of %i bytes', (bytes) => {
    const text = `[${list(2000, (i) => `{"id":${i % 10},"name":"${'x'.repeat(bytes)}"}`)}]`;
    const { rows, ...reading } = readCompact(text, text.length, 1024);
    expect(reading).toEqual({ read: text.length, isDone: true });
    expect(rows).toBeGreaterThan(1980);
  });

  it('are taken when they are longer than a piece', () => {
    const text = `[${list(20, (i) => `{"id":${i},"name":"${'x'.repeat(i < 15 ? i % 3 : 3000)}"}`)}]`;
    expect(readCompact(text, text.length, 1024)).toMatchObject({ read: text.length, isDone: true });
  });

  it('are none at the begin of a value, though the one before was cut in them', () => {
    const table = `[${list(100, (i) => `{"a":${i}}`)}]`;
    const finder = valueEndFinder();
    // What stands behind a line in the room may be the rest of it.
    const length = finder?.room.write(table) ?? 0;
    expect(finder?.endOf(finder.room.subarray(0, length - 20), 0, LEVELS)).toBe(NO_END);
    const text = Buffer.from('{"a":98},{"a":97},[1]');
    expect(finder?.endOf(text, 0, LEVELS)).toBe('{"a":98}'.length);
  });

  it('are none where they hold more levels than are left', () => {
    const deep = `{"a":${'['.repeat(70)}${']'.repeat(70)}}`;
    for (let count = 1; count < 6; count += 1) {
      const shallow = list(16, () => deep);
      const inner = `${list(count, () => '{"b":1}')},${list(3, () => deep)},0`;
      const text = `[${shallow},${'['.repeat(190)}${inner}${']'.repeat(190)}]`;
      expect([count, endOf(Buffer.from(text), 0, 256)]).toEqual([count, NO_END]);
      expect([count, endOf(Buffer.from(text), 0, 300)]).toEqual([count, text.length]);
    }
  });

  it('are none of a shape that was too long to be learned', () => {
    const long = `{${list(50, (i) => `"${'a'.repeat(25)}${i}":"b"`)}}`;
    const before = `${list(300, (i) => `{"a":${i},"b":"text"}`)},${long},${long},{"c":1},{"c":1}`;
    for (let length = 1; length < long.length; length += 1) {
      expect([length, agrees(`[${before},${long.slice(0, length)}{"c":1},{"c":1}]`)]).toEqual([length, true]);
    }
  });

  it('may hold numbers of any length, with any fraction', () => {
    // All lengths at which one of the 16 bytes looked at together ends, or two.
    const lengths = [1, 2, 14, 15, 16, 17, 29, 30, 31, 32, 33, 34, 47, 48, 49];
    for (const length of lengths) {
      for (const digits of [0, ...lengths]) {
        const number = `${'7'.repeat(length)}.${'3'.repeat(digits)}`;
        for (const text of [
          number,
          `-${number}`,
          `${number}.`,
          `${number}e-7`,
          `${number}e`,
          number.slice(0, length),
        ]) {
          // Lengths change from row to row: the column is not fixed.
          const rows = `[${list(12, (i) => `{"a":${i === 9 ? text : 4 ** i}}`)}]`;
          expect([rows, agrees(rows)]).toEqual([rows, true]);
        }
      }
    }
    const long = (i: number): string => `-${'7'.repeat(1 + (i % 40))}.${'3'.repeat(1 + (i % 37))}`;
    expect(readCompact(`[${list(100, (i) => `{"a":${long(i)}}`)}]`).rows).toBeGreaterThan(90);
  });

  it('are right where each byte is, whatever stands in its place', () => {
    const row = '{"a":"zé9 Z","b":[-10.25,0.5,12],"c":{"d":true,"e":null},"f":false}';
    const others = list(60, () => row);
    const replacements = [...'"\\ !#/09:;-+.,eE[]{}aZtrue~'.split(''), '\u0001', '\u001f', '\u007f', 'é'];
    for (let at = 0; at < row.length; at += 1) {
      for (const byte of replacements) {
        const text = row.slice(0, at) + byte + row.slice(at + 1);
        expect([text, agrees(`[${others},${text},${others}]`)]).toEqual([text, true]);
      }
    }
  });

  it('are right where a column that was fixed with text has an escape at the same length', () => {
    // Late enough that the column stays fixed, with its new value.
    const others = [...Array<string>(100).fill('abcdefgh'), ...Array<string>(60).fill('ab\\ndefg')];
    for (const [value, isRight] of [
      ['ab\\tdefg', true],
      ['abc\\"efg', true],
      ['ab\\zdefg', false],
      ['abcdefg\\', false],
      ['ab"ndefg', false],
    ] as const) {
      const text = `[${[...others, value, ...others].map((a) => `{"a":"${a}","b":1}`).join(',')}]`;
      expect([value, parses(Buffer.from(text)), agrees(text)]).toEqual([value, isRight, true]);
    }
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
        for (const other of [usual, 'null', '"other"']) {
          // With another value in between, the column is of any length.
          const others = list(40, (i) => row(i % 2 === 0 ? other : usual));
          expect([usual, other, text, agrees(`[${others},${row(text)},${others}]`)]).toEqual([
            usual,
            other,
            text,
            true,
          ]);
        }
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
