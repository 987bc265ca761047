import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { importCircles, layeringViolations, sourcesIn } from '@mcpmux/testing/layering';

/** The rooms of this package from the left: a room imports itself and the rooms before it. */
const ORDER = [
  ['base'],
  ['redact', 'process'],
  ['remote'],
  ['dialect'],
  ['upstream/config'],
  ['upstream/link'],
  ['upstream/lists'],
  ['upstream/run'],
  ['upstream'],
  ['registry'],
  ['catalog'],
  ['exposure'],
  ['routing'],
  ['results'],
  ['guards'],
  ['telemetry'],
  ['code'],
  ['downstream/caller'],
  ['downstream/asks'],
  ['downstream/request'],
  ['downstream/methods'],
  ['downstream/session'],
  ['dialect/legacy'],
  ['dialect/modern'],
  ['dialect/bridge'],
  ['tools/journal', 'tools/status'],
  ['tools/policy'],
  ['tools/context', 'tools/search'],
  ['tools'],
  ['mux'],
  ['cluster'],
  ['.'],
];

const sources = sourcesIn(fileURLToPath(new URL('.', import.meta.url)));

describe('the sources of this package', () => {
  it('import only from rooms to their left', () => {
    expect(sources.size).toBeGreaterThan(30);
    expect(layeringViolations(sources, ORDER)).toEqual([]);
  });

  it('import nothing in circles', () => {
    expect(importCircles(sources)).toEqual([]);
  });
});
