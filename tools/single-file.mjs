#!/usr/bin/env node
// Builds the command as one executable file that needs no Node.js: node_modules/.cache/single-file/mcpmux, for this platform.
// The file is a copy of Node.js 25.5 or newer with the bundled command inside. Build the cli first.
//
// usage: node tools/single-file.mjs [--check]     (--check starts the result, lists its tools over MCP, and calls one)
import { execFileSync } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { builtinModules, createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { newerNode } from './machine/newer-node.mjs';
import { checkExecutable } from './single-file/check.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'node_modules', '.cache', 'single-file');
const executable = join(folder, process.platform === 'win32' ? 'mcpmux.exe' : 'mcpmux');
const { build } = createRequire(join(root, 'packages', 'cli', 'package.json'))('esbuild');

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

const node = newerNode({ major: 25, minor: 5 });
if (node === undefined)
  process.stdout.write('single file: skipped, there is no Node.js 25.5 or newer here\n');
else {
  await bundle();
  inject(node);
  if (process.argv.includes('--check')) await checkExecutable(executable);
  process.stdout.write(`single file: ${executable}\n`);
}

async function bundle() {
  mkdirSync(folder, { recursive: true });
  await build({
    stdin: { contents: ENTRY, resolveDir: join(root, 'packages', 'cli') },
    outfile: join(folder, 'mcpmux.cjs'),
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

function inject(program) {
  const config = join(folder, 'sea.json');
  const settings = {
    main: join(folder, 'mcpmux.cjs'),
    output: executable,
    disableExperimentalSEAWarning: true,
    execArgvExtension: 'none',
  };
  writeFileSync(config, JSON.stringify(settings));
  execFileSync(program, ['--build-sea', config], { stdio: ['ignore', 'ignore', 'inherit'] });
  // macOS starts no program whose signature does not fit its content
  if (process.platform === 'darwin') execFileSync('codesign', ['--force', '--sign', '-', executable]);
}
