import { afterEach, expect, it, vi } from 'vitest';
import * as mini from 'zod/mini';

import { z } from './zod.js';

const { localeError } = mini.config();

afterEach(() => {
  mini.config({ localeError });
});

function messages(): readonly string[] {
  const { error } = z.strictObject({ name: z.string() }).safeParse({ name: 7, more: true });
  return error?.issues.map(({ message }) => message) ?? [];
}

it('a text that nobody gave is that of zod, in English', () => {
  expect(messages()).toEqual(['Invalid input: expected string, received number', 'Unrecognized key: "more"']);
});

it('texts that a host has chosen for zod stay', async () => {
  mini.config({ localeError: () => 'falsch' });
  vi.resetModules();
  await import('./zod.js');
  expect(messages()).toEqual(['falsch', 'falsch']);
});
