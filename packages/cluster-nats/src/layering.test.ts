import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import { importCircles, sourcesIn } from '@mcpmux/testing/layering';

it('the sources of this package have no circle of imports, types included', () => {
  const sources = sourcesIn(fileURLToPath(new URL('.', import.meta.url)));
  expect(sources.size).toBeGreaterThan(4);
  expect(importCircles(sources)).toEqual([]);
});
