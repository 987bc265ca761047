import { readdir, readFile, rm } from 'node:fs/promises';
import { join, resolve } from 'node:path';

import { build, transform } from 'esbuild';
import { rollup, type LoadResult, type RenderedChunk } from 'rollup';

/**
 * Replaces the ECMAScript modules of a folder by CommonJS, with all that the entry needs at once in one file.
 *
 * Node.js resolves, reads and links each ECMAScript module by itself, asynchronously: that was a third of a start. tsup
 * writes CommonJS in chunks too, but turns `?.` and `??` into calls of functions on the way.
 */
export async function asCommonJs(folder: string, entry: string): Promise<void> {
  const modules = (await readdir(folder)).filter((name) => /\.js(?:\.map)?$/.test(name));
  const input = resolve(folder, `${entry}.js`);
  const bundle = await rollup({
    input,
    external: /^(?!\.|\/|[A-Z]:)/,
    plugins: [
      { name: 'source-maps', load: withSourceMap },
      { name: 'no-comments', renderChunk: withoutComments },
    ],
    treeshake: true,
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
  return { code: await readFile(id, 'utf8'), map: await readFile(`${id}.map`, 'utf8') };
}

/**
 * The text of a file stays in memory as long as it has functions that were not called yet: so without comments, which
 * esbuild leaves out only together with all line breaks, and prints the lines anew; and of Latin-1 alone, because V8 keeps two
 * bytes for each character as soon as one is beyond that.
 */
async function withoutComments(text: string, { fileName }: RenderedChunk) {
  const packed = await transform(text, {
    minifyWhitespace: true,
    legalComments: 'none',
    sourcemap: 'inline',
  });
  const { code, map } = await transform(packed.code, { legalComments: 'none', sourcemap: 'external' });
  // What esbuild does not escape: regular expressions and tagged templates.
  if (/[^\0-\xFF]/.test(code)) throw new Error(`${fileName} has characters beyond Latin-1`);
  return { code, map };
}
