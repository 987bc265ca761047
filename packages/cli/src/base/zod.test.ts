import { expect, it } from 'vitest';

import { z } from './zod.js';

it('a text that nobody gave is that of zod, in English', () => {
  const { error } = z.strictObject({ name: z.string() }).safeParse({ name: 7, more: true });
  expect(error?.issues.map(({ message }) => message)).toEqual([
    'Invalid input: expected string, received number',
    'Unrecognized key: "more"',
  ]);
});
