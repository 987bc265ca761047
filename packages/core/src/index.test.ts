import { expect, it } from 'vitest';

import * as index from './index.js';

it('exports these values and no others', () => {
  expect(Object.keys(index).toSorted()).toEqual([
    'DEFAULT_LIMITS',
    'GuardRefusal',
    'HOST',
    'MuxError',
    'createMux',
    'isSecretName',
    'logIn',
    'maskArgs',
    'nullLogger',
    'resultAnswer',
    'spawnProcess',
    'systemClock',
  ]);
});
