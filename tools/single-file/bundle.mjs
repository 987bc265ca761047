import { mkdirSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const cli = join(dirname(dirname(dirname(fileURLToPath(import.meta.url)))), 'packages', 'cli');
const { build } = createRequire(join(cli, 'package.json'))('esbuild');

/*
 * Commands start further processes of mcpmux with the path of Node.js and that of the script. Here both are the executable,
 * which gets its own path as the first argument then. The guard of Windows is a program for `node -e`.
 */
const ENTRY = `
if (process.argv[2] === '-e') new Function('require', process.argv[3])(require);
else {
if (process.argv[2] === process.execPath) process.argv.splice(2, 1);
require('./bin/mcpmux.cjs');
}
`;

/** Writes the built command as one script, which an executable file gets as its program. */
export async function bundle(file) {
  mkdirSync(dirname(file), { recursive: true });
  await build({
    stdin: { contents: ENTRY, resolveDir: cli },
    outfile: file,
    bundle: true,
    platform: 'node',
    target: 'node22',
    format: 'cjs',
    legalComments: 'none',
    // modules of Node.js, and optional peers, which an executable does not have
    external: [...builtinModules, '@napi-rs/keyring', '@opentelemetry/*'],
    logLevel: 'error',
  });
}
