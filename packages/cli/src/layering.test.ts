import { fileURLToPath } from 'node:url';

import { findImportCycles, findLayeringViolations, readSources } from '@mcpmux/testing/layering';
import { describe, expect, it } from 'vitest';

/** The rooms of this package from the left: a room imports itself and the rooms before it. */
const ORDER = [
  // package.json
  ['..'],
  ['base'],
  ['log', 'files', 'terminal'],
  ['config'],
  ['redact', 'login', 'registry', 'versions', 'record', 'history', 'skills'],
  ['bundle'],
  ['cluster'],
  ['live'],
  ['doctor', 'edit', 'top', 'window'],
  ['edit/entry', 'edit/clients', 'edit/upgrade'],
  ['page'],
  ['serve'],
  ['commands', 'shared'],
  ['program'],
  ['.'],
];

const sources = readSources(fileURLToPath(new URL('.', import.meta.url)));

describe('the sources of this package', () => {
  it('import only from rooms to their left', () => {
    expect(sources.size).toBeGreaterThan(100);
    expect(findLayeringViolations(sources, ORDER)).toEqual([]);
  });

  it('have no circle of imports, types included', () => {
    expect(findImportCycles(sources)).toEqual([]);
  });
});
