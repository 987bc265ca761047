import { expect, it } from 'vitest';

import {
  ago,
  bytesOf,
  beginningOf,
  count,
  duration,
  firstLine,
  pingsOf,
  pretty,
  size,
  span,
  tokens,
  tokensOf,
  cutMark,
  cutMessage,
} from './texts.js';

it.each([
  ['{"content":[{"type":"text","text":"a\\nb \\"c\\" …', 'a\nb "c" …'],
  ['{"content":[{"type":"text","text":"a\\', 'a'],
  ['{"content":[{"type":"text","text":"a\\u00', 'a'],
  ['{"content":[{"type":"text","text":"a"},{"text":"b', 'a'],
  ['{"structuredContent":{"a":[1,2', '{"structuredContent":{"a":[1,2'],
  ['', ''],
])('the beginning %j of a result is read as %j', (result, text) => {
  expect(beginningOf(result)).toBe(text);
});

it.each([
  [bytesOf('日本語'), 9],
  [tokens({ a: '日本語' }), 5],
  [size(undefined), ''],
  [size(0), '0 B'],
  [size(1536), '1.5 KB'],
  [size(90 * 1024 ** 2), '90 MB'],
  [span(undefined), ''],
  [span(59.9), '59 s'],
  [span(3599), '59 min'],
  [span(90_000), '25 h'],
  [span(200_000), '2 d'],
  [duration(undefined), ''],
  [duration(9.6), '10 ms'],
  [duration(12_340), '12.3 s'],
  [ago(5000, 4000), 'now'],
  [ago(1000, 13_000), '12 s ago'],
  [count(0.44), '0.4'],
  [count(12_345.6), '12,346'],
  [firstLine('  a\nb'), 'a'],
  [firstLine('abcdef', 3), 'abc …'],
  [pretty('{"a":1}'), '{\n  "a": 1\n}'],
  [pretty('{"a":'), '{"a":'],
])('%j is %j', (text, expected) => {
  expect(text).toBe(expected);
});

it('four characters are one token', () => {
  const value = { a: 'bcd' };
  expect([tokensOf(9), tokens(value), tokens(value)]).toEqual([3, 3, 3]);
});

it('a text that was cut tells its bytes, and those of the whole', () => {
  expect(cutMark('äb', 123_456)).toBe('The page has the first 3 of 123,456 bytes.');
});

it('a message is cut if it has the longest text and more bytes', () => {
  const longest = 'x'.repeat(16_384);
  expect([cutMessage('short', 900), cutMessage(longest, 16_384), cutMessage(longest, 20_000)]).toEqual([
    undefined,
    undefined,
    20_000,
  ]);
});

it.each([
  [undefined, 'no health check'],
  [{ missed: 0 }, 'not asked'],
  [{ missed: 0, answered_seconds_ago: 12.4 }, 'last answered 12 s ago'],
  [{ missed: 2 }, '2 not answered'],
  [{ missed: 1, answered_seconds_ago: 70 }, '1 not answered, last answered 1 min ago'],
])('the pings %j are "%s"', (health, text) => {
  expect(pingsOf(health)).toBe(text);
});
