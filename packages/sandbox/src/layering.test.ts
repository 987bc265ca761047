import { fileURLToPath } from 'node:url';

import { findImportCycles, findLayeringViolations, readSources } from '@mcpmux/testing/layering';
import { expect, it } from 'vitest';

const sources = readSources(fileURLToPath(new URL('.', import.meta.url)));

it('imports only from its own folder, and nothing in circles', () => {
  expect(sources.size).toBeGreaterThan(10);
  expect(findLayeringViolations(sources, [['.']])).toEqual([]);
  expect(findImportCycles(sources)).toEqual([]);
});
