#!/usr/bin/env node
// Measures the chunks of the built command, in bytes: each chunk, those that `serve` loads before it answers
// `initialize`, and the whole package as npm unpacks it. No times: bytes are equal on every machine. Build the cli first.
//
// tools/chunks/bounds.json has a bound for each chunk above `other`, for any other chunk (`other`), for all chunks
// (`total`), for the chunks and built-in modules of a start by name, with the sum of the chunks (`start`), and for the
// package (`unpacked`). `--lower` lowers the bounds to what is measured, rounded up to whole kilobytes. `--write` sets
// them, for a feature that has its price: the change of the file shows what rises. Both leave `other` and `unpacked`,
// which are limits and not measured.
//
// usage: node tools/chunks.mjs [--check | --lower | --write]     (--check exits with 1 when a figure is above its bound)
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { lowered, problemsOf, written } from './chunks/bounds.mjs';
import { chunksOf } from './chunks/sizes.mjs';
import { loadedAtStart } from './chunks/start.mjs';
import { unpackedBytes } from './chunks/unpacked.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cli = join(root, 'packages', 'cli');
const file = join(root, 'tools', 'chunks', 'bounds.json');

const chunks = chunksOf(join(cli, 'dist'));
const { start, builtins } = await loadedAtStart(join(cli, 'bin', 'mcpmux.cjs'), chunks);
const bounds = JSON.parse(readFileSync(file, 'utf8'));

const measured = { chunks, start, builtins, unpacked: unpackedBytes(cli) };
print();
if (process.argv.includes('--lower')) write(lowered(measured, bounds));
if (process.argv.includes('--write')) write(written(measured, bounds));
if (process.argv.includes('--check')) {
  const problems = problemsOf(measured, bounds);
  for (const problem of problems) process.stderr.write(`${problem}\n`);
  if (problems.length > 0) process.exitCode = 1;
}

function write(next) {
  writeFileSync(file, `${JSON.stringify(next, null, 2)}\n`);
}

function print() {
  const largest = chunks.filter(({ bytes }) => bytes > bounds.other);
  const rows = [
    ...largest.map(({ name, bytes }) => [name, bytes, bounds.chunks[name] ?? bounds.other]),
    [`all ${chunks.length} chunks`, sum(chunks), bounds.total],
    [`the ${start.length} before the answer to initialize`, sum(start), bounds.start.total],
    ['the package, unpacked', measured.unpacked, bounds.unpacked],
  ];
  for (const [name, bytes, most] of rows)
    process.stdout.write(`${name.padEnd(42)}${String(bytes).padStart(9)}   at most ${most}\n`);
  process.stdout.write(`at the start: ${[...start.map(({ name }) => name), ...builtins].join(', ')}\n`);
}

function sum(some) {
  return some.reduce((all, { bytes }) => all + bytes, 0);
}
