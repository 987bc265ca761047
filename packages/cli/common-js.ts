import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { build, transform } from 'esbuild';
import { rolldown, type LoadResult, type RenderedChunk } from 'rolldown';

/**
 * Replaces the ECMAScript modules of a folder by CommonJS, with all that the entry needs at once in one file.
 *
 * Node.js resolves, reads and links each ECMAScript module by itself, asynchronously: that was a third of a start. tsup
 * writes CommonJS in chunks too, but turns `?.` and `??` into calls of functions on the way.
 */
export async function asCommonJs(folder: string, entry: string): Promise<void> {
  const modules = (await readdir(folder)).filter((name) => /\.js(?:\.map)?$/.test(name));
  const bundle = await rolldown({
    input: resolve(folder, `${entry}.js`),
    platform: 'node',
    external: /^(?!\.|\/|[A-Z]:)/,
    plugins: [
      { name: 'source-maps', load: withSourceMap },
      { name: 'latin-1', renderChunk: asLatin1 },
    ],
  });
  await bundle.write({
    dir: folder,
    format: 'cjs',
    dynamicImportInCjs: false,
    entryFileNames: '[name].cjs',
    chunkFileNames: '[name].cjs',
    // The text of a file stays in memory as long as it has functions that were not called yet.
    comments: false,
    sourcemap: true,
  });
  await bundle.close();
  await Promise.all(modules.map((module) => rm(join(folder, module))));
}

/** Bundles a second entry, which shares no file with the first: it loads nothing that it does not use. */
export async function asOneFile(entry: string, output: string): Promise<void> {
  await build({
    entryPoints: [entry],
    outfile: output,
    bundle: true,
    platform: 'node',
    target: 'node20',
    format: 'cjs',
    conditions: ['@mcpmux/source', 'module'],
    mainFields: ['module', 'main'],
    minifyWhitespace: true,
    legalComments: 'none',
    sourcemap: true,
  });
}

/** So that the map of the output leads to the sources, not to what stood in between. */
async function withSourceMap(id: string): Promise<LoadResult> {
  // Rolldown has modules of its own.
  if (!id.endsWith('.js')) return null;
  return { code: await readFile(id, 'utf8'), map: await readFile(`${id}.map`, 'utf8') };
}

/** Escapes all characters beyond Latin-1: V8 keeps two bytes for each character of a file that has one of these. */
async function asLatin1(text: string, { fileName }: RenderedChunk) {
  const { code, map } = await transform(text, { legalComments: 'none', sourcemap: 'external' });
  // What esbuild does not escape: regular expressions and tagged templates.
  if (/[^\0-\xFF]/.test(code)) throw new Error(`${fileName} has characters beyond Latin-1`);
  return { code, map };
}
