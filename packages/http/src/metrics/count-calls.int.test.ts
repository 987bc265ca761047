import { createMux } from '@mcpmux/core';
import { expect, it, vi } from 'vitest';

import { createHttpFront } from '../http-front.js';

it('a front that serves only what is mounted on it follows no calls: no metrics would ever take their labels', async () => {
  await using mux = createMux();
  const on = vi.spyOn(mux, 'on');
  const followed = (): readonly string[] => on.mock.calls.map(([type]) => type);
  const mounted = { path: '/ui', serve: () => undefined };
  const bare = createHttpFront(mux, { mounted, mountedOnly: true });
  expect(followed()).toEqual([]);
  const whole = createHttpFront(mux, { mounted });
  expect(followed()).toContain('call:end');
  await Promise.all([bare.close(), whole.close()]);
});
