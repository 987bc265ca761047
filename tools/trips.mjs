#!/usr/bin/env node
// Counts the files and functions of our packages that one request enters, there and back. The product is the built command
// over stdio with the reference server behind it; V8's precise coverage sees the calls. Build the cli first.
//
// Functions are what V8 calls: functions, methods, accessors, constructors, arrow functions, and the initializers of class
// fields. Top levels of modules, code from node_modules and Node.js itself do not count.
//
// usage: node tools/trips.mjs [--root <folder>] [--json | --list]
//        node tools/trips.mjs --write | --check     (--check exits with 1 when docs/internals/trips.md is stale)
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { measure } from './trips/measure.mjs';
import { countsOf, list, table, written } from './trips/report.mjs';

const { values } = parseArgs({
  options: {
    root: { type: 'string', default: dirname(dirname(fileURLToPath(import.meta.url))) },
    json: { type: 'boolean' },
    list: { type: 'boolean' },
    write: { type: 'boolean' },
    check: { type: 'boolean' },
  },
});
const root = resolve(values.root);
const page = join(root, 'docs', 'internals', 'trips.md');

const trips = await measure(root);
if (values.json) {
  const rows = trips.map((trip) => ({ ...countsOf(trip), hops: trip.files }));
  process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
} else {
  process.stdout.write(table(trips));
  if (values.list) for (const trip of trips) process.stdout.write(list(trip));
}
if (values.write || values.check) await compare();

async function compare() {
  const before = readFileSync(page, 'utf8');
  const after = await written(before, trips, page);
  if (before === after) return;
  if (values.write) writeFileSync(page, after);
  else {
    process.stderr.write('docs/internals/trips.md is stale: run node tools/trips.mjs --write\n');
    process.exitCode = 1;
  }
}
