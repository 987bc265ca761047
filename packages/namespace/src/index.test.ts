import { readFileSync } from 'node:fs';

import { withApiLists } from '@mcpmux/testing/door';
import { describe, expect, it } from 'vitest';

import * as api from './index.js';

// Literals on purpose: an export added or removed by accident turns these red.
const VALUES = [
  'DEFAULT_NAME_BUDGET',
  'MAX_SERVER_NAME_LENGTH',
  'MIN_NAME_BUDGET',
  'NamespaceError',
  'SEPARATOR',
  'aliasUri',
  'decodeCursor',
  'encodeCursor',
  'fitName',
  'foldServerName',
  'isServerName',
  'parseServerName',
  'qualify',
  'qualifyTaskId',
  'splitQualifiedName',
  'splitTaskId',
];
const TYPES = [
  'FitOptions',
  'ListPosition',
  'LocalName',
  'NamespaceErrorCode',
  'QualifiedName',
  'QualifiedNameParts',
  'ServerName',
  'TaskIdParts',
];

describe('the public API', () => {
  it('exports exactly these values', () => {
    expect(Object.keys(api).toSorted()).toEqual(VALUES);
  });

  it('exports exactly these types, each named', () => {
    const source = readFileSync(new URL('index.ts', import.meta.url), 'utf8');
    const types = [...source.matchAll(/\btype (\w+)/g)].map((match) => match[1]);
    expect(new Set(types)).toEqual(new Set(TYPES));
    expect(source).not.toContain('export *');
  });

  it('the README lists every export, and no other name', async () => {
    const readme = new URL('../README.md', import.meta.url);
    await expect(withApiLists(readme)).toMatchFileSnapshot('../README.md'); // `vitest run -u` writes it
  });
});
