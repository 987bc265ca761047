import { describe, expect, it } from 'vitest';

import { keysOf, outcomeOf } from './top-keys.js';
import { EMPTY } from './top-state.js';

describe('keys', () => {
  it('are told apart when several come at once', () => {
    expect(keysOf('jj\u001B[A\u001B[5~q')).toEqual(['j', 'j', '\u001B[A', '\u001B[5~', 'q']);
    expect(keysOf('ä日\u001B')).toEqual(['ä', '日', '\u001B']);
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
    expect(outcomeOf(key, EMPTY)).toMatchObject({ type });
  });

  it.each(['x', '\u001B[Z9', 'constructor', '__proto__'])('%j means nothing', (key) => {
    expect(outcomeOf(key, EMPTY)).toBeUndefined();
  });
});

describe('while a filter is typed', () => {
  const typing = { ...EMPTY, mode: 'filter', filter: 'er' } as const;

  it('letters are its text, also those that mean something else', () => {
    expect(outcomeOf('q', typing)).toEqual({ type: 'filter', text: 'erq' });
    expect(outcomeOf('\u007F', typing)).toEqual({ type: 'filter', text: 'e' });
    expect(outcomeOf('\r', typing)).toEqual({ type: 'mode', mode: 'normal' });
    expect(outcomeOf('\u001B', typing)).toEqual({ type: 'filter', text: '' });
    expect(outcomeOf('\u001B[A', typing)).toBeUndefined();
  });

  it('an interrupt ends all the same', () => {
    expect(outcomeOf('\u0003', typing)).toEqual({ type: 'quit' });
  });
});

it('a server with calls in flight is restarted by the second r alone', () => {
  const busy = { ...EMPTY, chosen: 'a', summaries: { a: { count: 0, failed: 0, running: 1 } } };
  expect(outcomeOf('r', busy)).toEqual({ type: 'mode', mode: 'confirm-restart' });
  expect(outcomeOf('r', { ...busy, mode: 'confirm-restart' })).toEqual({ type: 'restart' });
  expect(outcomeOf('j', { ...busy, mode: 'confirm-restart' })).toEqual({
    type: 'message',
    text: 'Not restarted.',
  });
});

it('q leaves top from its help too; any other key closes the help', () => {
  expect(outcomeOf('q', { ...EMPTY, mode: 'help' })).toEqual({ type: 'quit' });
  expect(outcomeOf('x', { ...EMPTY, mode: 'help' })).toEqual({ type: 'mode', mode: 'normal' });
});

it('a server is removed by the second d and by nothing else', () => {
  const asked = { ...EMPTY, mode: 'confirm-remove' } as const;
  expect(outcomeOf('d', asked)).toEqual({ type: 'remove' });
  expect(outcomeOf('j', asked)).toEqual({ type: 'message', text: 'Not removed.' });
});
