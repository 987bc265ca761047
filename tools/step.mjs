#!/usr/bin/env node
// Runs a step of `.ci/run` that is no run of tests, and lets its output through. A step that fails counts as one failure
// in reports/<name>.json: the closing line tells of it, with the end of its output, since logs are often cut at the start.
//
// usage: node tools/step.mjs NAME COMMAND [ARGUMENT ...]
import { spawn } from 'node:child_process';
import process from 'node:process';
import { stripVTControlCharacters } from 'node:util';

import { reasonOf } from './run/step-reason.mjs';
import { keep } from './run/totals.mjs';

const [name, command, ...words] = process.argv.slice(2);
const child = spawn(command, words, { stdio: ['ignore', 'pipe', 'pipe'] });
let output = '';
for (const [from, to] of [
  [child.stdout, process.stdout],
  [child.stderr, process.stderr],
]) {
  from.pipe(to);
  from.setEncoding('utf8').on('data', (text) => (output += text));
}
child.on('error', ({ message }) => (output += message));
child.on('close', (code, signal) => {
  if (code !== 0) failed(`ended with ${signal ?? code}`);
});

function failed(how) {
  const failure = `[${name}] FAILED, ${how}\n${reasonOf(stripVTControlCharacters(output))}`;
  keep(process.cwd(), name, { passed: 0, failed: 1, skipped: 0, failures: [failure] });
  process.exitCode = 1;
}
