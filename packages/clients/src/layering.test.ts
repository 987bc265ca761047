import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { findImportCycles, findLayeringViolations, readSources } from '@mcpmux/testing/layering';

/** The rooms of this package from the left: a room imports itself and the rooms before it. */
const ORDER = [['json'], ['document', 'dialect', 'environment'], ['client'], ['.']];

const sources = readSources(fileURLToPath(new URL('.', import.meta.url)));

describe('the sources of this package', () => {
  it('import only from rooms to their left', () => {
    expect(sources.size).toBeGreaterThan(20);
    expect(findLayeringViolations(sources, ORDER)).toEqual([]);
  });

  it('have no circle of imports, types included', () => {
    expect(findImportCycles(sources)).toEqual([]);
  });
});
