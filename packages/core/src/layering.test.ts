import { readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { describe, expect, it } from 'vitest';

import { layeringViolations } from './testing/layering.js';

const SOURCE_FOLDER = fileURLToPath(new URL('.', import.meta.url));

function sourceFiles(): Map<string, string> {
  const names = readdirSync(SOURCE_FOLDER, { recursive: true, encoding: 'utf8' });
  const files = names.filter((name) => name.endsWith('.ts'));
  return new Map(
    files.map((name) => [name.replaceAll('\\', '/'), readFileSync(SOURCE_FOLDER + name, 'utf8')]),
  );
}

/** What the checker says of one import. */
function verdict(file: string, specifier: string, statement = `import { x } from '${specifier}';`): string[] {
  return layeringViolations(new Map([[file, statement]])).map(({ reason }) => reason);
}

describe('the sources of this package', () => {
  it('import only from rooms to their left', () => {
    expect(sourceFiles().size).toBeGreaterThan(50);
    expect(layeringViolations(sourceFiles())).toEqual([]);
  });
});

describe('layeringViolations', () => {
  it.each([
    ['a room imports itself', 'wire/framer.ts', './span.js'],
    ['a folder inside a room imports the room', 'wire/json/reader.ts', '../span.js'],
    ['a room imports the one before it', 'upstream/attempt.ts', '../wire/framer.js'],
    ['a room imports one far to its left', 'management/server-tools.ts', '../process/process-spec.js'],
    ['a room imports a leaf', 'wire/framer.ts', '../errors.js'],
    ['a leaf imports a leaf', 'logger.ts', './clock.js'],
    ['the top imports any room', 'mux.ts', './management/management.js'],
    ['the door imports the top', 'index.ts', './mux.js'],
    ['a package is imported by name', 'wire/framer.ts', '@mcpmux/namespace'],
    ['a test imports anything', 'wire/framer.test.ts', '../mux.js'],
    ['code for tests imports anything', 'testing/rig.ts', '../mux.js'],
  ])('is content when %s', (_, file, specifier) => {
    expect(verdict(file, specifier)).toEqual([]);
  });

  it.each([
    [
      'a room imports one to its right',
      'wire/framer.ts',
      '../upstream/attempt.js',
      'is in upstream, right of wire',
    ],
    [
      'routing imports downstream',
      'routing/route.ts',
      '../downstream/session.js',
      'is in downstream, right of routing',
    ],
    [
      'wire imports process',
      'wire/framer.ts',
      '../process/guard.js',
      'is in process, side by side with wire',
    ],
    [
      'process imports wire',
      'process/guard.ts',
      '../wire/framer.js',
      'is in wire, side by side with process',
    ],
    ['a room imports the top', 'management/tools.ts', '../mux.js', 'is in mux, right of management'],
    ['a room imports the door', 'catalog/catalog.ts', '../index.js', 'is in mux, right of catalog'],
    [
      'a leaf imports a room',
      'errors.ts',
      './wire/message.js',
      'is outside the leaves, which errors.ts is one of',
    ],
    ['a leaf imports the top', 'clock.ts', './mux.js', 'is outside the leaves, which clock.ts is one of'],
    ['a file imports code for tests', 'wire/framer.ts', '../testing/rig.js', 'is code for tests'],
    [
      'a folder has no place in the order',
      'wire/framer.ts',
      '../helpers/text.js',
      'is in helpers, a folder without a place in the order',
    ],
    [
      'a folder without a place in the order imports',
      'helpers/text.ts',
      '../wire/span.js',
      'is imported by helpers, a folder without a place in the order',
    ],
  ])('objects when %s', (_, file, specifier, reason) => {
    expect(verdict(file, specifier)).toEqual([reason]);
  });

  it.each([
    "import { x } from '../mux.js';",
    "import type { X } from '../mux.js';",
    "import {\n  x,\n  y,\n} from '../mux.js';",
    "import '../mux.js';",
    "const { x } = await import('../mux.js');",
    "export { x } from '../mux.js';",
    "export * from '../mux.js';",
    "let x: import('../mux.js').Mux;",
    'import { x } from "../mux.js";',
  ])('reads the import %j', (statement) => {
    expect(verdict('wire/framer.ts', '../mux.js', statement)).toEqual(['is in mux, right of wire']);
  });

  it('names the file and the import of every violation of a tree', () => {
    const tree = new Map([
      ['wire/span.ts', "import { a } from './framer.js';\nimport { b } from '../catalog/catalog.js';"],
      [
        'catalog/catalog.ts',
        "import { c } from '../routing/route.js';\nimport { d } from '../upstream/upstream.js';",
      ],
      ['mux.ts', "import { e } from './catalog/catalog.js';"],
    ]);
    expect(layeringViolations(tree)).toEqual([
      { file: 'wire/span.ts', specifier: '../catalog/catalog.js', reason: 'is in catalog, right of wire' },
      {
        file: 'catalog/catalog.ts',
        specifier: '../routing/route.js',
        reason: 'is in routing, right of catalog',
      },
    ]);
  });
});
