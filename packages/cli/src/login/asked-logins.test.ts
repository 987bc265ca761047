import { createMux, type Guard, type GuardContext, LOCAL, nullLogger } from '@mcpmux/core';
import { expect, it, vi } from 'vitest';

import { loginsWithElicitation } from './asked-logins.js';

const NO_LOGINS = {
  load: () => Promise.resolve(undefined),
  save: () => Promise.resolve(),
  change: () => Promise.resolve(),
};
const ANSWER = { kind: 'result', isToolError: false } as const;

it('no login page is opened for a call that a guard refuses, even a guard that is added later', async () => {
  await using mux = createMux();
  const use = vi.spyOn(mux, 'use');
  const logins = loginsWithElicitation(NO_LOGINS, { mux: () => mux, logger: nullLogger });
  logins.used?.();
  logins.used?.();
  const inside = { methods: ['tools/call'], isInnermost: true };
  expect(use.mock.calls).toEqual([[expect.objectContaining(inside)]]);
  const [guard] = use.mock.calls[0] as unknown as [Guard];
  const context = { principal: LOCAL, server: undefined, user: { takesUrls: true } };
  const next = () => Promise.resolve(ANSWER);
  expect(await guard.handle?.(context as unknown as GuardContext, next as never)).toBe(ANSWER);
});
