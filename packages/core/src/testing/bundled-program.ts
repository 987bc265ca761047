import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

import { build } from 'vite';

/**
 * Bundles a program written in TypeScript, so that a test can run the sources of this package in a process of its own.
 *
 * @param name - a file beside this one, without its extension
 * @param folder - where the bundle is written
 * @returns the path of the bundle
 */
export async function bundleProgram(name: string, folder: string): Promise<string> {
  await build({
    configFile: false,
    logLevel: 'silent',
    build: {
      ssr: fileURLToPath(new URL(`./${name}.ts`, import.meta.url)),
      outDir: folder,
      emptyOutDir: false,
      target: 'node20',
      rollupOptions: { output: { entryFileNames: `${name}.mjs` } },
    },
  });
  return join(folder, `${name}.mjs`);
}
