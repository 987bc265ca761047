import { doorDifferences } from '@mcpmux/testing/door';
import { expect, it } from 'vitest';

import * as index from './index.js';

it('exports these values and no others', () => {
  expect(Object.keys(index)).toEqual(['connectNats']);
});

it('has a README that lists every export, and no other name', () => {
  const readme = new URL('../README.md', import.meta.url);
  expect(doorDifferences(readme, new URL('index.ts', import.meta.url), 'Exports')).toEqual({
    missing: [],
    unknown: [],
  });
});
