import { expect, it } from 'vitest';

import { NO_CLIENT } from './dialect/client-profile.js';
import { UndeclaredKinds } from './undeclared-kinds.js';

const CLIENT = {
  era: 'legacy',
  profile: { ...NO_CLIENT, capabilities: { sampling: {}, roots: {} } },
} as const;
const early = { isServing: true, openedAs: NO_CLIENT };

it('a run that was opened without a client misses what a client accepts', () => {
  expect(new UndeclaredKinds({ current: early }).forCaller(CLIENT)).toEqual(['sampling', 'roots']);
  expect(new UndeclaredKinds({ current: early }, ['roots']).forCaller(CLIENT)).toEqual(['sampling']);
});

it('a modern run misses nothing, and neither does a run that does not serve', () => {
  const modern = { isServing: true, openedAs: undefined };
  for (const current of [modern, { ...early, isServing: false }, undefined])
    expect(new UndeclaredKinds({ current }).forCaller(CLIENT)).toEqual([]);
});

it('the warning names what is missing and the remedy, until another run serves', () => {
  const kinds = new UndeclaredKinds({ current: early });
  expect(kinds.warning).toBeUndefined();
  kinds.record(['sampling']);
  expect(kinds.warning).toMatch(/sampling.*reload_server/);
  kinds.clear();
  expect(kinds.warning).toBeUndefined();
});
