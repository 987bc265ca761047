#!/usr/bin/env node
// Adds up runs of tests and prints one closing line, 'N passed, N failed'; exits with 1 unless all passed.
//
// usage: node tools/summary.mjs [label ...]     (all runs since `reports` was removed, when none is named)
import { dirname } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { closingLine, total } from './run/totals.mjs';

const sum = total(dirname(dirname(fileURLToPath(import.meta.url))), process.argv.slice(2));
process.stdout.write(closingLine(sum));
if (sum.failed > 0 || sum.passed === 0) process.exitCode = 1;
