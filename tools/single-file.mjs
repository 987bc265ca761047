#!/usr/bin/env node
// Builds the command as one executable file that needs no Node.js: node_modules/.cache/single-file/mcpmux, for this platform.
// The file is a copy of Node.js 25.5 or newer with the bundled command inside. Build the cli first.
//
// usage: node tools/single-file.mjs [--check]     (--check starts the result, lists its tools over MCP, and calls one)
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { newerNode } from './machine/newer-node.mjs';
import { bundle } from './single-file/bundle.mjs';
import { checkExecutable } from './single-file/check.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folder = join(root, 'node_modules', '.cache', 'single-file');
const executable = join(folder, process.platform === 'win32' ? 'mcpmux.exe' : 'mcpmux');
const node = newerNode({ major: 25, minor: 5 });
if (node === undefined)
  process.stdout.write('single file: skipped, there is no Node.js 25.5 or newer here\n');
else {
  await bundle(join(folder, 'mcpmux.cjs'));
  inject(node);
  if (process.argv.includes('--check')) await checkExecutable(executable);
  process.stdout.write(`single file: ${executable}\n`);
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
