import { isServerName } from '@mcpmux/namespace';
import { anyText } from '@mcpmux/testing/any-text';
import fc from 'fast-check';
import { expect, it } from 'vitest';

import { connectionName } from './connection-name.js';

const free = (): boolean => false;

it.each([
  ['my-app', 'my-app'],
  ['my_app.js', 'my-app.js'],
  ['..', 'instance'],
  ['', 'instance'],
  ['日本 語', '日本-語'],
  ['a'.repeat(40), 'a'.repeat(24)],
])('the connection to an instance called %j is called %j', (instance, expected) => {
  expect(connectionName(instance, free)).toBe(expected);
});

it('H3: a name that is taken gets a number', () => {
  expect(connectionName('api', (name) => ['api', 'api-2'].includes(name))).toBe('api-3');
});

it('whatever an instance is called, a server may be called so', () => {
  fc.assert(
    fc.property(anyText(), (instance) => {
      expect(isServerName(connectionName(instance, free))).toBe(true);
    }),
  );
});
