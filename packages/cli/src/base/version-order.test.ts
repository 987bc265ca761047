import { expect, it } from 'vitest';

import { isOlder } from './version-order.js';

const IN_ORDER = [
  '0.1.0',
  '0.9.0',
  '0.10.0',
  '1.0.0-alpha',
  '1.0.0-alpha.1',
  '1.0.0-alpha.2',
  '1.0.0-alpha.10',
  '1.0.0-beta',
  '1.0.0',
  '1.0.1',
  '10.0.0',
];

it('versions have an order, in which a pre-release comes before its release', () => {
  for (const [at, version] of IN_ORDER.entries())
    for (const [other, than] of IN_ORDER.entries())
      expect([version, than, isOlder(version, than)]).toEqual([version, than, at < other]);
});

it('a build makes no difference', () => {
  expect([isOlder('1.0.0+a', '1.0.0+b'), isOlder('1.0.0+b', '1.0.0+a')]).toEqual([false, false]);
});
