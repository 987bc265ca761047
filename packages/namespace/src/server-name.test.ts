import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { propertyRuns } from '@mcpmux/testing/property-runs';
import { NamespaceError } from './errors.js';
import { foldServerName, isServerName, MAX_SERVER_NAME_LENGTH, parseServerName } from './server-name.js';
import { anyText } from './testing/arbitrary-names.js';

function refusalOf(text: string): NamespaceError {
  try {
    parseServerName(text);
  } catch (error) {
    if (error instanceof NamespaceError) return error;
    throw error;
  }
  throw new Error(`${JSON.stringify(text)} is accepted`);
}

// inclusive ranges of code points: C0; DEL and C1; separators; bidirectional overrides; isolates; surrogates
const REFUSED_RANGES = [
  [0x00, 0x1f],
  [0x7f, 0x9f],
  [0x2028, 0x2029],
  [0x202a, 0x202e],
  [0x2066, 0x2069],
  [0xd800, 0xdfff],
] as const;

/** The rules once more, by code point instead of by pattern. */
function isLegal(text: string): boolean {
  const points = Array.from(text, (character) => character.codePointAt(0) ?? 0);
  const refused = points.some((point) => REFUSED_RANGES.some(([from, to]) => point >= from && point <= to));
  const fits = text.length > 0 && text.length <= 64 && text.trim().length === text.length;
  return fits && !refused && !text.includes('__') && !text.endsWith('_');
}

describe('parseServerName', () => {
  it.each([
    ['a letter', 'a'],
    ['a digit', '1'],
    ['letters of several cases', 'GitHub'],
    ['dashes, dots and slashes', 'io.github/my-server'],
    ['a single underscore inside', 'my_server'],
    ['a leading underscore', '_private'],
    ['a space inside', 'my server'],
    ['Unicode', '日本語'],
    ['an emoji of two code units', '🦊'],
    ['an emoji joined from several', '👩‍💻'],
    ['right-to-left script', 'שרת'],
    ['64 code units', 'x'.repeat(64)],
  ])('accepts %s', (_, text) => {
    expect(parseServerName(text)).toBe(text);
    expect(isServerName(text)).toBe(true);
  });

  it.each([
    ['empty server names', '', 'The server name is empty. Give the server a name, for example "github".'],
    [
      'server names holding __',
      'a__b',
      'The server name "a__b" holds "__", which separates a server\'s name from a tool\'s. Use a single "_" or "-" instead.',
    ],
    [
      'a trailing underscore',
      'a_',
      'The server name "a_" ends in "_", so its end could not be told from the "__" that follows it in tool names. Remove the trailing "_".',
    ],
    ['white space at the start', ' a', 'The server name " a" begins or ends with white space. Remove it.'],
    [
      'white space at the end',
      'a\u3000',
      'The server name "a\u3000" begins or ends with white space. Remove it.',
    ],
    [
      'more than 64 code units',
      'x'.repeat(65),
      `The server name "${'x'.repeat(64)}…" has 65 characters. Use at most 64.`,
    ],
    [
      'half of a surrogate pair',
      'a\uD83E',
      String.raw`The server name "a\ud83e" holds half of a surrogate pair. Use complete characters only.`,
    ],
    [
      'a control character',
      'a\u001B[2J',
      String.raw`The server name "a\u001b[2J" holds a control character. Use visible characters only: no line breaks, tabs, escape sequences or text-direction overrides.`,
    ],
  ])('fault H6, fault H7: refuses %s and says so', (_, text, message) => {
    const refusal = refusalOf(text);
    expect(refusal.code).toBe('INVALID_SERVER_NAME');
    expect(refusal.message).toBe(message);
    expect(isServerName(text)).toBe(false);
  });

  it.each([
    '\0',
    '\t',
    '\n',
    '\r',
    '\u001F',
    '\u007F',
    '\u0080',
    '\u009F',
    '\u2028',
    '\u2029',
    '\u202A',
    '\u202E',
    '\u2066',
    '\u2069',
  ])('fault H7: refuses the control character %j wherever it stands', (character) => {
    for (const text of [character, `${character}a`, `a${character}b`, `a${character}`]) {
      expect(refusalOf(text).message).toContain('control character');
    }
  });

  it('refuses a single underscore, which is its own trailing underscore', () => {
    expect(refusalOf('_').message).toContain('ends in "_"');
  });

  it('counts length in UTF-16 code units', () => {
    expect(MAX_SERVER_NAME_LENGTH).toBe(64);
    expect(isServerName('🦊'.repeat(32))).toBe(true);
    expect(isServerName('🦊'.repeat(33))).toBe(false);
  });

  it('accepts exactly what the rules say', () => {
    fc.assert(
      fc.property(anyText, (text) => {
        expect(isServerName(text)).toBe(isLegal(text));
      }),
      propertyRuns(500),
    );
  });
});

describe('foldServerName', () => {
  it.each([
    ['Git', 'git'],
    ['ｇit', 'git'],
    ['ＧＩＴ', 'git'],
    ['e\u0301', '\u00E9'],
    ['É', '\u00E9'],
    ['ﬁle', 'file'],
    ['日本語', '日本語'],
    ['J\u030C', '\u01F0'],
  ])('folds %j to %j', (name, key) => {
    expect(foldServerName(name)).toBe(key);
  });

  it('keeps names apart that differ in more than case and form', () => {
    expect(foldServerName('git')).not.toBe(foldServerName('git-'));
    expect(foldServerName('e')).not.toBe(foldServerName('é'));
  });
});

it.each(['mcpmux', 'McpMux', 'MCPMUX', '\uff4dcpmux'])(
  'the name of mcpmux itself is reserved: %s',
  (name) => {
    expect(() => parseServerName(name)).toThrow('is reserved for mcpmux itself');
  },
);

it('a name that only begins as the reserved one is legal', () => {
  expect(isServerName('mcpmux-2')).toBe(true);
});
