#!/usr/bin/env node
// Counts the files and functions of our packages that one request enters, there and back. The product is the built command
// over stdio with the reference server behind it; V8's precise coverage sees the calls. Build the cli first.
//
// Functions are what V8 calls: functions, methods, accessors, constructors, arrow functions, and the initializers of class
// fields. Top levels of modules, code from node_modules and Node.js itself do not count.
//
// docs/internals/trips.json bounds the files and the functions of each trip. A bound only goes down: `--write` sets it to what
// is counted, when a change makes that possible.
//
// usage: node tools/trips.mjs [--root <folder>] [--json | --list]
//        node tools/trips.mjs --write | --check     (--check exits with 1 when a trip is above its bound)
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

import { measure } from './trips/measure.mjs';
import { countsOf, list, table } from './trips/report.mjs';

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
const file = join(root, 'docs', 'internals', 'trips.json');

const trips = await measure(root);
const counts = trips.map((trip) => countsOf(trip));
if (values.json) {
  const rows = trips.map((trip) => ({ ...countsOf(trip), hops: trip.files }));
  process.stdout.write(`${JSON.stringify(rows, null, 2)}\n`);
} else {
  process.stdout.write(table(trips));
  if (values.list) for (const trip of trips) process.stdout.write(list(trip));
}
if (values.write) write();
if (values.check) check();

function write() {
  const lines = counts.map(
    ({ name, files, functions }) => `  ${JSON.stringify(name)}: [${files}, ${functions}]`,
  );
  writeFileSync(file, `{\n${lines.join(',\n')}\n}\n`);
}

function check() {
  const bounds = JSON.parse(readFileSync(file, 'utf8'));
  for (const { name, files, functions } of counts) {
    const [mostFiles, mostFunctions] = bounds[name] ?? [0, 0];
    if (files <= mostFiles && functions <= mostFunctions) continue;
    process.exitCode = 1;
    process.stderr.write(
      `${name} enters ${files} files and ${functions} functions, at most ${mostFiles} and ${mostFunctions} are allowed\n`,
    );
  }
  const lost = Object.keys(bounds).filter((name) => !counts.some((trip) => trip.name === name));
  if (lost.length === 0) return;
  process.exitCode = 1;
  process.stderr.write(`not walked: ${lost.join(', ')}\n`);
}
