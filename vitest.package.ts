import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { defineConfig, type ViteUserConfig } from 'vitest/config';

/** What differs between the packages. */
export interface PackageTests {
  readonly include?: readonly string[];
  readonly setupFiles?: readonly string[];
  /**
   * The tests use the rigs of core, which import the sources of core. A second core from `dist` beside it would have classes
   * of its own, so all packages of ours are imported as sources.
   */
  readonly usesRigsOfCore?: boolean;
}

/** Node.js itself imports the files of a `dist`: they need no transformation. */
const BUILT = /\/packages\/[\w-]+\/dist\//;

/**
 * The configuration of the tests of a package.
 *
 * Nx has built the other packages before it runs tests, and sets `MCPMUX_TESTS_IMPORT`: their `dist` is imported, once and
 * untransformed. A test that is run by hand imports their sources, so that it needs no build.
 */
export function packageTests(options: PackageTests = {}): ViteUserConfig {
  const isBuilt = process.env['MCPMUX_TESTS_IMPORT'] === 'dist' && options.usesRigsOfCore !== true;
  const conditions = isBuilt ? [] : ['@mcpmux/source'];
  const rigs = fileURLToPath(new URL('packages/core/src/testing', import.meta.url));
  return defineConfig({
    resolve: { conditions, alias: { '@mcpmux/core/testing': rigs } },
    ssr: { resolve: { conditions } },
    test: {
      include: [...(options.include ?? ['src/**/*.test.ts'])],
      setupFiles: [...(options.setupFiles ?? [])],
      server: { deps: { external: [BUILT] } },
      testTimeout: 60_000,
      hookTimeout: 20_000,
      // how long what is polled may take on a busy machine, in place of one second
      expect: { poll: { timeout: 10_000 } },
      reporters: ['default', 'json'],
      outputFile: { json: 'reports/vitest.json' },
    },
  });
}
