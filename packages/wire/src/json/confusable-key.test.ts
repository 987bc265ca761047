import fc from 'fast-check';
import { describe, expect, it } from 'vitest';

import { propertyRuns } from '@mcpmux/testing/property-runs';
import { keyPaths } from './key-paths.js';
import { confusableKey } from './confusable-key.js';

const NODES = keyPaths(['id', 'result', 'jsonrpc']);

function escaped(text: string): string {
  const units = Array.from({ length: text.length }, (_, index) => text.charCodeAt(index));
  return units.map((unit) => `\\u${unit.toString(16).padStart(4, '0')}`).join('');
}

function lookalike(json: string): string | undefined {
  const line = Buffer.from(`{"${json}":1}`);
  return confusableKey(NODES, line, 2, line.length - 4);
}

describe('lookalikeKey', () => {
  it.each([
    ['ID', 'id'],
    ['iD', 'id'],
    ['\\u0049d', 'id'],
    ['reſult', 'result'],
    ['re\\u017Fult', 'result'],
    ['\\u0131D', 'id'],
    ['ıd', 'id'],
    ['İD', 'id'],
    ['\\u0052\\u0045\\u0053\\u0055\\u004c\\u0054', 'result'],
    ['JSONRPC', 'jsonrpc'],
  ])('B25: finds what a reader that ignores case takes "%s" for', (json, expected) => {
    expect(lookalike(json)).toBe(expected);
  });

  it.each(['id\\u0000', '\\u0000id', 'i\\u0000d', 'id\\u0000\\u0000', 'id\\u0000more', 'Id\\u0000'])(
    'B25: finds what a reader that stumbles over NUL takes "%s" for',
    (json) => {
      expect(lookalike(json)).toBe('id');
    },
  );

  it.each([
    '',
    '\\u0000',
    '\\t',
    '\\"id',
    'i\\nd',
    'iſ',
    'sd',
    '\\u0149d',
    'ŉd',
    '\x09\x04',
    'id日',
    '\u{1F600}',
    'ids',
    'i',
    'i d',
    ' id',
    'xid',
    'more\\u0000id',
    '_id',
    'Result2',
    '日本',
  ])('finds nothing that "%s" could be taken for', (json) => {
    expect(lookalike(json)).toBeUndefined();
  });

  it('agrees with the readings of peers that fold case, drop NUL, or stop at one of them', () => {
    const character = fc.constantFrom(
      ...Array.from('iIdDresultRESULT'),
      'ſ',
      'ı',
      '\0',
      '日',
      'é',
      '\u{1F600}',
      '"',
      '\\',
      '\n',
    );
    fc.assert(
      fc.property(fc.array(character, { maxLength: 8 }), fc.boolean(), (characters, isEscaped) => {
        const text = characters.join('');
        const json = isEscaped ? escaped(text) : JSON.stringify(text).slice(1, -1);
        const parts = text.split('\0');
        const readings = parts.map((_, index) => parts.slice(0, index + 1).join(''));
        const folded = new Set(readings.map((reading) => reading.toUpperCase().toLowerCase()));
        expect(lookalike(json)).toBe(NODES.find(({ key }) => folded.has(key))?.key);
      }),
      propertyRuns(500),
    );
  });
});
