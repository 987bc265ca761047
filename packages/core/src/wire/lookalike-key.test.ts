import { describe, expect, it } from 'vitest';

import { keyPaths } from './key-paths.js';
import { lookalikeKey } from './lookalike-key.js';

const NODES = keyPaths(['id', 'result', 'jsonRpc']);

function lookalike(json: string): string | undefined {
  const line = Buffer.from(`{"${json}":1}`);
  return lookalikeKey(NODES, line, 2, line.length - 4);
}

describe('lookalikeKey', () => {
  it.each([
    ['ID', 'id'],
    ['iD', 'id'],
    ['\\u0049d', 'id'],
    ['reſult', 'result'],
    ['re\\u017fult', 'result'],
    ['JSONRPC', 'jsonRpc'],
  ])('B25: finds what a reader that ignores case takes "%s" for', (json, expected) => {
    expect(lookalike(json)).toBe(expected);
  });

  it.each(['id\\u0000', '\\u0000id', 'i\\u0000d', 'id\\u0000\\u0000', 'id\\u0000more', 'Id\\u0000'])(
    'B25: finds what a reader that stumbles over NUL takes "%s" for',
    (json) => {
      expect(lookalike(json)).toBe('id');
    },
  );

  it.each(['', '\\u0000', 'ids', 'i', 'i d', ' id', 'xid', 'more\\u0000id', '_id', 'Result2', '日本'])(
    'finds nothing that "%s" could be taken for',
    (json) => {
      expect(lookalike(json)).toBeUndefined();
    },
  );
});
