import { join, posix, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** What differs between the packages. */
export interface PackageTests {
  /** The folders of the tests; `src` when absent. */
  readonly folders?: readonly string[];
  /** The name of the JSON report in `reports`; `vitest` when absent. */
  readonly report?: string;
  /** The packages whose `src/testing/preload.ts` runs before the tests of each file. */
  readonly preloads?: readonly ('wire' | 'core')[];
  /**
   * The tests use the rigs of core, which import the sources of core. A second core from `dist` beside it would have classes
   * of its own, so all packages of ours are imported as sources.
   */
  readonly usesRigsOfCore?: boolean;
}

const ROOT = fileURLToPath(new URL('.', import.meta.url));
/**
 * Where all packages keep transformed sources. A package finds those of another one, such as core's, if the two have the same
 * root and the same text as configuration.
 */
const MODULES = join(ROOT, 'node_modules', '.cache', 'vitest-modules');
/** Node.js itself imports the files of a `dist`: they need no transformation. */
const BUILT = /\/packages\/[\w-]+\/dist\//;

/**
 * The configuration of the tests of a package.
 *
 * Nx has built the other packages before it runs tests, and sets `MCPMUX_TESTS_IMPORT`: their `dist` is imported, once and
 * untransformed. A test that is run by hand imports their sources, so that it needs no build.
 *
 * @param config - the address of the file of the configuration
 */
export function packageTests(config: string, options: PackageTests = {}): ViteUserConfig {
  const { folders = ['src'], preloads = [], report = 'vitest' } = options;
  const folder = relative(ROOT, fileURLToPath(new URL('.', config))).replaceAll('\\', '/');
  const isBuilt = process.env['MCPMUX_TESTS_IMPORT'] === 'dist' && options.usesRigsOfCore !== true;
  const conditions = isBuilt ? [] : ['@mcpmux/source'];
  const rigs = join(ROOT, 'packages', 'core', 'src', 'testing');
  return defineConfig({
    root: ROOT,
    resolve: { conditions, alias: { '@mcpmux/core/testing': rigs } },
    ssr: { resolve: { conditions } },
    test: {
      experimental: { fsModuleCache: true, fsModuleCachePath: MODULES },
      include: folders.map((name) => posix.join(folder, name, '**/*.test.ts')),
      setupFiles: preloads.map((name) => `packages/${name}/src/testing/preload.ts`),
      server: { deps: { external: [BUILT] } },
      testTimeout: 60_000,
      hookTimeout: 20_000,
      // how long what is polled may take on a busy machine, in place of one second
      expect: { poll: { timeout: 10_000 } },
      reporters: ['default', 'json'],
      outputFile: { json: `${folder}/reports/${report}.json` },
    },
  });
}
