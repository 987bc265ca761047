import { expect, it } from 'vitest';

import { rulesOf } from './page-rules.js';

const APPLIED = {
  servers: [],
  exposure: { mode: 'search' },
  guards: { rateLimit: { perSecond: 5 } },
} as const;

it('without flags and config the defaults are shown', () => {
  expect(rulesOf({}, undefined)).toEqual({
    'Servers that agents may add': 'allow on stdio, deny elsewhere',
    Guards: 'none',
    'Changed tools': 'used and reported',
    'Tools in lists': 'all',
    'Own tools in lists': 'all',
  });
});

it('flags have precedence over the config, whose guards are named', () => {
  const options = { addPolicy: { mode: 'ask' }, pinTools: 'block', tools: 'minimal', only: ['a'] } as const;
  expect(rulesOf(options, APPLIED)).toEqual({
    'Servers that agents may add': 'ask',
    Guards: 'rateLimit',
    'Changed tools': 'blocked until approved',
    'Tools in lists': 'search',
    'Own tools in lists': 'minimal',
    'Only these servers': 'a',
  });
  expect(rulesOf({ exposure: 'search' }, APPLIED)['Tools in lists']).toBe('search');
});
