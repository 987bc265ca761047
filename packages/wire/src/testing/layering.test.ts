import { describe, expect, it } from 'vitest';

import { findImportCycles, findLayeringViolations } from '@mcpmux/testing/layering';

const ORDER = [['base'], ['left', 'beside'], ['middle/low'], ['middle'], ['right'], ['.']];

/** What the checker says of one import. */
function verdict(file: string, specifier: string, statement = `import { x } from '${specifier}';`): string[] {
  return findLayeringViolations(new Map([[file, statement]]), ORDER).map(({ reason }) => reason);
}

describe('layeringViolations', () => {
  it.each([
    ['a room imports itself', 'left/framer.ts', './span.js'],
    ['a folder inside a room imports the room', 'left/json/reader.ts', '../span.js'],
    ['a room imports the one before it', 'left/a.ts', '../base/b.js'],
    ['a room imports one far to its left', 'right/a.ts', '../base/b.js'],
    ['a room imports its sub-room, which has a place of its own', 'middle/a.ts', './low/b.js'],
    ['the top imports any room', 'index.ts', './right/a.js'],
    ['a package is imported by name', 'left/a.ts', '@mcpmux/namespace'],
    ['a test imports anything', 'left/a.test.ts', '../right/b.js'],
    ['code for tests imports anything', 'testing/rig.ts', '../index.js'],
  ])('is content when %s', (_, file, specifier) => {
    expect(verdict(file, specifier)).toEqual([]);
  });

  it.each([
    ['a room imports one to its right', 'left/a.ts', '../right/b.js', 'is in right, right of left'],
    ['a sub-room imports its room', 'middle/low/a.ts', '../b.js', 'is in middle, right of middle/low'],
    [
      'a room imports one side by side',
      'left/a.ts',
      '../beside/b.js',
      'is in beside, side by side with left',
    ],
    ['a room imports the door', 'left/a.ts', '../index.js', 'is in ., right of left'],
    ['a file imports code for tests', 'left/a.ts', '../testing/rig.js', 'is code for tests'],
    [
      'a folder has no place in the order',
      'left/a.ts',
      '../helpers/text.js',
      'is in helpers, a folder without a place in the order',
    ],
    [
      'a folder without a place in the order imports',
      'helpers/text.ts',
      '../left/a.js',
      'is imported by helpers, a folder without a place in the order',
    ],
  ])('objects when %s', (_, file, specifier, reason) => {
    expect(verdict(file, specifier)).toEqual([reason]);
  });

  it.each([
    "import { x } from '../right/a.js';",
    "import type { X } from '../right/a.js';",
    "import {\n  x,\n  y,\n} from '../right/a.js';",
    "import '../right/a.js';",
    "const { x } = await import('../right/a.js');",
    "export { x } from '../right/a.js';",
    "export * from '../right/a.js';",
    "let x: import('../right/a.js').Mux;",
    'import { x } from "../right/a.js";',
  ])('reads the import %j', (statement) => {
    expect(verdict('left/a.ts', '', statement)).toEqual(['is in right, right of left']);
  });

  it('names the file and the import of every violation of a tree', () => {
    const tree = new Map([
      ['left/span.ts', "import { a } from './framer.js';\nimport { b } from '../middle/catalog.js';"],
      [
        'middle/catalog.ts',
        "import { c } from '../right/route.js';\nimport { d } from '../left/upstream.js';",
      ],
      ['mux.ts', "import { e } from './right/catalog.js';"],
    ]);
    expect(findLayeringViolations(tree, ORDER)).toEqual([
      { file: 'left/span.ts', specifier: '../middle/catalog.js', reason: 'is in middle, right of left' },
      { file: 'middle/catalog.ts', specifier: '../right/route.js', reason: 'is in right, right of middle' },
    ]);
  });
});

describe('importCircles', () => {
  it('finds every circle, of types too, and no file that only leads to one', () => {
    const tree = new Map([
      ['a.ts', "import type { B } from './left/b.js';"],
      ['left/b.ts', "import { c } from './c.js';"],
      ['left/c.ts', "import type { A } from '../a.js';"],
      ['d.ts', "import './a.js';\nimport type { E } from './e.js';"],
      ['e.ts', "import type { D } from './d.js';"],
      ['f.ts', "import './a.js';"],
      ['a.test.ts', "import './f.js';"],
    ]);
    expect(findImportCycles(tree)).toEqual([
      ['a.ts', 'left/b.ts', 'left/c.ts'],
      ['d.ts', 'e.ts'],
    ]);
  });
});
