import { describe, expect, it } from 'vitest';

import { splitKeys, outcomeOfKey } from './top-keys.js';
import { INITIAL_STATE } from './top-state.js';

describe('keys', () => {
  it('are told apart when several come at once', () => {
    expect(splitKeys('jj\u001B[A\u001B[5~q')).toEqual(['j', 'j', '\u001B[A', '\u001B[5~', 'q']);
    expect(splitKeys('ä日\u001B')).toEqual(['ä', '日', '\u001B']);
  });

  it.each([
    ['q', 'quit'],
    ['\u0003', 'quit'],
    ['j', 'move'],
    ['\u001B[A', 'move'],
    ['\t', 'panel'],
    ['r', 'restart'],
    ['d', 'mode'],
    ['/', 'mode'],
    ['?', 'mode'],
    ['f', 'follow'],
  ])('%j means %s', (key, type) => {
    expect(outcomeOfKey(key, INITIAL_STATE)).toMatchObject({ type });
  });

  it.each(['x', '\u001B[Z9', 'constructor', '__proto__'])('%j means nothing', (key) => {
    expect(outcomeOfKey(key, INITIAL_STATE)).toBeUndefined();
  });
});

describe('while a filter is typed', () => {
  const typing = { ...INITIAL_STATE, mode: 'filter', filter: 'er' } as const;

  it('letters are its text, also those that mean something else', () => {
    expect(outcomeOfKey('q', typing)).toEqual({ type: 'filter', text: 'erq' });
    expect(outcomeOfKey('\u007F', typing)).toEqual({ type: 'filter', text: 'e' });
    expect(outcomeOfKey('\r', typing)).toEqual({ type: 'mode', mode: 'normal' });
    expect(outcomeOfKey('\u001B', typing)).toEqual({ type: 'filter', text: '' });
    expect(outcomeOfKey('\u001B[A', typing)).toBeUndefined();
  });

  it('an interrupt ends all the same', () => {
    expect(outcomeOfKey('\u0003', typing)).toEqual({ type: 'quit' });
  });
});

it('a server with calls in flight is restarted by the second r alone', () => {
  const busy = { ...INITIAL_STATE, selectedName: 'a', summaries: { a: { count: 0, failed: 0, running: 1 } } };
  expect(outcomeOfKey('r', busy)).toEqual({ type: 'mode', mode: 'confirm-restart' });
  expect(outcomeOfKey('r', { ...busy, mode: 'confirm-restart' })).toEqual({ type: 'restart' });
  expect(outcomeOfKey('j', { ...busy, mode: 'confirm-restart' })).toEqual({
    type: 'message',
    text: 'Not restarted.',
  });
});

it('q leaves top from its help too; any other key closes the help', () => {
  expect(outcomeOfKey('q', { ...INITIAL_STATE, mode: 'help' })).toEqual({ type: 'quit' });
  expect(outcomeOfKey('x', { ...INITIAL_STATE, mode: 'help' })).toEqual({ type: 'mode', mode: 'normal' });
});

it('a server is removed by the second d and by nothing else', () => {
  const asked = { ...INITIAL_STATE, mode: 'confirm-remove' } as const;
  expect(outcomeOfKey('d', asked)).toEqual({ type: 'remove' });
  expect(outcomeOfKey('j', asked)).toEqual({ type: 'message', text: 'Not removed.' });
});
