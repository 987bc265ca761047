import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { expect, it } from 'vitest';

const PACKAGES = fileURLToPath(new URL('../../../', import.meta.url));

function sourcesOf(name: string): readonly string[] {
  const folder = join(PACKAGES, name, 'src');
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.includes('testing'))
    .map((file) => join(folder, file));
}

/** Made of anything but a constant of its own file. */
const MADE_AT_RUN_TIME = /\bRegExp\s*\((?![A-Z_]+\b)/;

it.each(['namespace', 'wire', 'core', 'cli'])(
  'G10: the sources of %s make no regular expression at run time, so none of what a peer sends',
  (name) => {
    const files = sourcesOf(name);
    expect(files).not.toEqual([]);
    expect(files.filter((file) => MADE_AT_RUN_TIME.test(readFileSync(file, 'utf8')))).toEqual([]);
  },
);
