import { delimiter } from 'node:path';

import { expect, it } from 'vitest';

import { chainVariable, isServedAbove } from './config-chain.js';

it('every config above is known, in whatever depth', () => {
  const first = chainVariable('/a/mcpmux.json', {});
  const second = chainVariable('/b/mcpmux.json', first);
  for (const file of ['/a/mcpmux.json', '/b/mcpmux.json']) expect(isServedAbove(file, second)).toBe(true);
});

it.each(['/mcpmux.json', '/a/mcpmux.jso', 'mcpmux.json', '/c/mcpmux.json'])('%s is not above', (file) => {
  const environment = chainVariable('/b/mcpmux.json', chainVariable('/a/mcpmux.json', {}));
  expect(isServedAbove(file, environment)).toBe(false);
});

it('nothing is above without the variable', () => {
  expect(isServedAbove('/a/mcpmux.json', {})).toBe(false);
});

it('a path that holds the separator is recognized', () => {
  const file = `/a${delimiter}b/mcpmux.json`;
  expect(isServedAbove(file, chainVariable(file, chainVariable('/c', {})))).toBe(true);
});
