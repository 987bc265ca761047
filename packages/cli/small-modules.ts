import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { brotliCompress, constants } from 'node:zlib';

import type { Plugin } from 'rolldown';

const NO_VALIDATOR = 'export class DefaultJsonSchemaValidator {}';

/** Replaces modules that would be half of the package, though few users need them: everybody downloads them. */
export const smallModules: Plugin = {
  name: 'small-modules',
  async load(id) {
    // The interpreter of code mode. The text is not kept: each run hands it to a thread.
    if (/[\\/]code-mode[\\/]src[\\/]sandbox-program\.ts$/.test(id)) {
      const text = await unpacking(await readFile('../code-mode/dist/code-worker.cjs', 'utf8'));
      return `${text}\nexport const SANDBOX_PROGRAM = { get text() { return text(); } };`;
    }
    // The SDK checks schemas in its class Client, which nothing here uses, and in the answer to a question of a server:
    // `mcpmux skills` asks none.
    if (/[\\/]client[\\/]dist[\\/]shimsNode\.mjs$/.test(id))
      return `export const CORS_IS_POSSIBLE = false;\n${NO_VALIDATOR}`;
    return /[\\/]server[\\/]dist[\\/]shimsNode\.mjs$/.test(id)
      ? `export { default as process } from 'node:process';\n${NO_VALIDATOR}`
      : null;
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
