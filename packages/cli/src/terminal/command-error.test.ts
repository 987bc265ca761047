import { expect, it } from 'vitest';

import { formatFailure, type CommandFailure } from './command-error.js';

const failure: CommandFailure = {
  code: 'X',
  exitCode: 2,
  message: 'it broke.',
  details: ['here'],
  next: 'mend it',
};

it('a person reads what, why and what to do', () => {
  expect(formatFailure(failure, false)).toBe('mcpmux: it broke.\n  here\nNext: mend it\n');
});

it('a program reads one line', () => {
  const text = formatFailure(failure, true);
  expect(text.endsWith('\n')).toBe(true);
  expect(text.trim().split('\n')).toHaveLength(1);
  expect(JSON.parse(text)).toEqual({
    error: { code: 'X', message: 'it broke.', details: ['here'], next: 'mend it' },
  });
});
