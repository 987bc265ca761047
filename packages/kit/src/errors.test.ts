import { describe, expect, it } from 'vitest';

import { errorCodeOf, messageOf, MuxError } from './errors.js';

describe('MuxError', () => {
  it('carries a code to switch on, a message to read and the cause', () => {
    const cause = new Error('spawn EAGAIN');
    const error = new MuxError('SPAWN_FAILED', 'it could not be started', { cause });
    expect(error).toBeInstanceOf(Error);
    expect(error).toMatchObject({
      name: 'MuxError',
      code: 'SPAWN_FAILED',
      message: 'it could not be started',
      cause,
    });
  });
});

describe('messageOf', () => {
  it.each([
    [new TypeError('wrong type'), 'wrong type'],
    ['a thrown text', 'a thrown text'],
    [undefined, 'undefined'],
    [null, 'null'],
    [42, '42'],
  ])('gives a text for %o', (thrown, text) => {
    expect(messageOf(thrown)).toBe(text);
  });
});

describe('errorCodeOf', () => {
  it('gives the code of an operating system error', () => {
    expect(errorCodeOf(Object.assign(new Error('no such file'), { code: 'ENOENT' }))).toBe('ENOENT');
  });

  it.each([
    [new Error('no code')],
    [Object.assign(new Error('a number'), { code: 7 })],
    [{ code: 'ENOENT' }],
    [undefined],
  ])('gives nothing for %o', (thrown) => {
    expect(errorCodeOf(thrown)).toBeUndefined();
  });
});
