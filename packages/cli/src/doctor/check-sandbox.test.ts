import { expect, it } from 'vitest';

import { checkSandbox } from './check-sandbox.js';

const WORKS = { kind: 'bubblewrap', path: '/usr/bin/bwrap', namespaces: [] } as const;
const NONE = { kind: 'none', problem: 'bubblewrap is not installed', advice: 'Install bubblewrap' } as const;

it('the program that confines is named, once a server needs it', () => {
  expect(checkSandbox(WORKS, [])).toEqual([]);
  expect(checkSandbox(WORKS, ['a'])).toEqual([
    {
      subject: 'sandbox',
      level: 'ok',
      message: 'bubblewrap at /usr/bin/bwrap, tested by running it, confines a',
    },
  ]);
});

it('without one it is a problem, with what to install', () => {
  expect(checkSandbox(NONE, ['a', 'b'])).toEqual([
    {
      subject: 'sandbox',
      level: 'problem',
      message: 'bubblewrap is not installed, so these servers do not start: a, b',
      next: 'Install bubblewrap',
    },
  ]);
});
