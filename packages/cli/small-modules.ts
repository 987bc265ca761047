import { readFile } from 'node:fs/promises';
import { pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

import type { Plugin } from 'esbuild';

/** Replaces modules that would be more than half of the package, though few users need them: everybody downloads them. */
export const smallModules: Plugin = {
  name: 'small-modules',
  setup(build) {
    // The tokens of `mcpmux tools --cost`.
    build.onLoad({ filter: /[\\/]bpeRanks[\\/]o200k_base\.js$/ }, async ({ path }) => {
      const { default: ranks }: { readonly default: unknown } = await import(pathToFileURL(path).href);
      const text = await unpacking(JSON.stringify(ranks));
      return { contents: `${text}\nexport default JSON.parse(text());` };
    });
    // The interpreter of code mode. The text is not kept: each run hands it to a thread.
    build.onLoad({ filter: /[\\/]code-mode[\\/]src[\\/]sandbox-program\.ts$/ }, async () => {
      const text = await unpacking(await readFile('../code-mode/dist/code-worker.cjs', 'utf8'));
      return { contents: `${text}\nexport const SANDBOX_PROGRAM = { get text() { return text(); } };` };
    });
    // The SDK checks schemas in its class Client alone, which nothing here uses.
    build.onLoad({ filter: /[\\/]client[\\/]dist[\\/]shimsNode\.mjs$/ }, () => ({
      contents: 'export const CORS_IS_POSSIBLE = false;\nexport class DefaultJsonSchemaValidator {}',
    }));
  },
};

/** The source of a function `text`, which returns this text. */
async function unpacking(text: string): Promise<string> {
  const params = {
    [constants.BROTLI_PARAM_QUALITY]: 10,
    [constants.BROTLI_PARAM_LGWIN]: constants.BROTLI_MAX_WINDOW_BITS,
  };
  const packed = await promisify(brotliCompress)(text, { params });
  return `import { brotliDecompressSync } from 'node:zlib';
const packed = '${packed.toString('base64')}';
const text = () => brotliDecompressSync(Buffer.from(packed, 'base64')).toString();`;
}
