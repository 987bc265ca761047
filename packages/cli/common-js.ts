import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { rollup, type LoadResult } from 'rollup';

/**
 * Replaces the ECMAScript modules of a folder by CommonJS, with all that the entry needs at once in one file.
 *
 * Node.js resolves, reads and links each ECMAScript module by itself, asynchronously: that was a third of a start. tsup
 * writes CommonJS in chunks too, but turns `?.` and `??` into calls of functions on the way.
 */
export async function asCommonJs(folder: string, entry: string): Promise<void> {
  const modules = await readdir(folder);
  const input = resolve(folder, `${entry}.js`);
  const bundle = await rollup({
    input,
    external: /^(?!\.|\/|[A-Z]:)/,
    plugins: [{ name: 'source-maps', load: withSourceMap }],
    treeshake: false,
  });
  await bundle.write({
    dir: folder,
    format: 'cjs',
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    sourcemap: true,
    manualChunks: { [entry]: [input] },
  });
  await bundle.close();
  await Promise.all(modules.map((module) => rm(join(folder, module))));
}

/** So that the map of the output leads to the sources, not to what stood in between. */
async function withSourceMap(id: string): Promise<LoadResult> {
  return { code: await readFile(id, 'utf8'), map: await readFile(`${id}.map`, 'utf8') };
}
