import { createHash } from 'node:crypto';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { build, type BuildOptions } from 'esbuild';

/** A module of CommonJS within the bundle has a `require`, which an ES module lacks. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

const CORE = fileURLToPath(new URL('../..', import.meta.url));
const OPTIONS = {
  bundle: true,
  platform: 'node',
  format: 'esm',
  target: 'node20',
  conditions: ['@mcpmux/source'],
  banner: { js: REQUIRE },
  logLevel: 'error',
} satisfies BuildOptions;

/**
 * Bundles a program written in TypeScript with the sources of our packages, so that a test can run them in a process of its
 * own, without a build.
 *
 * @param source - the file of the program
 * @param file - where the bundle is written, `*.mjs`
 */
export async function bundleProgram(source: string, file: string): Promise<void> {
  await build({ ...OPTIONS, entryPoints: [source], outfile: file });
}

/**
 * Bundles a program given as text, which imports what core can import.
 *
 * @returns the file of the bundle; the same text has the same file, in a folder that git ignores
 */
export async function bundleText(contents: string): Promise<string> {
  const name = createHash('sha256').update(contents).digest('hex').slice(0, 16);
  const file = join(CORE, 'node_modules', '.cache', 'programs', `${name}.mjs`);
  const unfinished = `${file}.${process.pid}`;
  await build({ ...OPTIONS, stdin: { contents, resolveDir: CORE }, outfile: unfinished });
  // another process of tests may run the bundle at this moment
  await rename(unfinished, file);
  return file;
}
