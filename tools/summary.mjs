#!/usr/bin/env node
// Adds up the reports of all test runs and prints one closing line: 'N passed, N failed'.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const folders = [...readdirSync(join(root, 'packages')).map((name) => join('packages', name)), 'e2e'];
const sum = { passed: 0, failed: 0, skipped: 0 };
for (const folder of folders) {
  const file = join(root, folder, 'reports', 'vitest.json');
  if (!existsSync(file)) continue;
  const report = JSON.parse(readFileSync(file, 'utf8'));
  sum.passed += report.numPassedTests;
  // a file that does not load has no tests to count, but it did fail
  sum.failed += Math.max(report.numFailedTests, report.success ? 0 : 1);
  sum.skipped += report.numPendingTests + report.numTodoTests;
}
process.stdout.write(
  `${sum.passed} passed, ${sum.failed} failed${sum.skipped > 0 ? `, ${sum.skipped} skipped` : ''}\n`,
);
if (sum.failed > 0 || sum.passed === 0) process.exitCode = 1;
