import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { findImportCycles, findLayeringViolations, readSources } from '@mcpmux/testing/layering';

/** The rooms of this package from the left: a room imports itself and the rooms before it. */
const ORDER = [
  ['process'],
  ['server/dialect'],
  ['server/config'],
  ['server/link'],
  ['server/lists'],
  ['server/run'],
  ['server'],
  ['server/dialect/legacy'],
  ['server/dialect/modern'],
  ['server/registry'],
  ['catalog'],
  ['catalog/exposure'],
  ['catalog/routing'],
  ['guards/results'],
  ['guards'],
  ['guards/telemetry'],
  ['client/asks'],
  ['client/caller'],
  ['client/request'],
  ['client/methods'],
  ['client/legacy'],
  ['client/modern'],
  ['client/session'],
  ['client/bridge'],
  ['tools/journal', 'tools/status'],
  ['tools/policy'],
  ['tools/context', 'tools/search'],
  ['tools'],
  ['mux'],
  ['.'],
];

const sources = readSources(fileURLToPath(new URL('.', import.meta.url)));

describe('the sources of this package', () => {
  it('import only from rooms to their left', () => {
    expect(sources.size).toBeGreaterThan(30);
    expect(findLayeringViolations(sources, ORDER)).toEqual([]);
  });

  it('import nothing in circles', () => {
    expect(findImportCycles(sources)).toEqual([]);
  });
});
