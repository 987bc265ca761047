import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

import { findImportCycles, readSources } from '@mcpmux/testing/layering';

it('the sources of this package have no circle of imports, types included', () => {
  const sources = readSources(fileURLToPath(new URL('.', import.meta.url)));
  expect(sources.size).toBeGreaterThan(4);
  expect(findImportCycles(sources)).toEqual([]);
});
