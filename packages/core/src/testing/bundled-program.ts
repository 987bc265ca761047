import { build } from 'esbuild';

/** A module of CommonJS within the bundle has a `require`, which an ES module lacks. */
const REQUIRE = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`;

/**
 * Bundles a program written in TypeScript with the sources of our packages, so that a test can run them in a process of its
 * own, without a build.
 *
 * @param source - the file of the program
 * @param file - where the bundle is written, `*.mjs`
 */
export async function bundleProgram(source: string, file: string): Promise<void> {
  await build({
    entryPoints: [source],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    conditions: ['@mcpmux/source'],
    banner: { js: REQUIRE },
    logLevel: 'error',
  });
}
