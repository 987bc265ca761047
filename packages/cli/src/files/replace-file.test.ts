import { expect, it } from 'vitest';

import { replaceFile } from './replace-file.js';

/** A move that fails with these codes, one after the other, and works then. */
function failing(platform: NodeJS.Platform, ...codes: readonly string[]) {
  const left = [...codes];
  const moves: string[] = [];
  const rename = (from: string, to: string): void => {
    moves.push(`${from} ${to}`);
    const code = left.shift();
    if (code !== undefined) throw Object.assign(new Error(code), { code });
  };
  return { platform, rename, moves };
}

it.each(['EACCES', 'EBUSY', 'EPERM'])(
  'on Windows a file that is in use (%s) is replaced a little later',
  (code) => {
    const replacing = failing('win32', code, code);
    replaceFile('a', 'b', replacing);
    expect(replacing.moves).toEqual(['a b', 'a b', 'a b']);
  },
);

it('on Windows a file that stays in use is an error after half a second', () => {
  const replacing = failing('win32', ...Array.from({ length: 30 }, () => 'EBUSY'));
  expect(() => replaceFile('a', 'b', replacing)).toThrow('EBUSY');
  expect(replacing.moves).toHaveLength(20);
});

it.each([
  ['win32', 'ENOENT'],
  ['linux', 'EBUSY'],
] as const)('on %s, %s is an error at once', (platform, code) => {
  const replacing = failing(platform, code);
  expect(() => replaceFile('a', 'b', replacing)).toThrow(code);
  expect(replacing.moves).toHaveLength(1);
});
