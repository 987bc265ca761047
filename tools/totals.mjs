// Counts of tests and the failures among them. Vitest writes a report into the folder of each project; a run of
// tests ends with their sum, kept as reports/<label>.json at the root so that several runs can be added up.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { projects } from './suites.mjs';

const REPORTS = 'reports';
const REASON_LINES = 12;

/** The folders of all projects that have one of these targets. */
export function foldersWith(root, targets) {
  return projects(root)
    .filter((project) => targets.some((target) => Object.hasOwn(project.targets, target)))
    .map(({ folder }) => folder);
}

/** Removes what earlier runs reported. A project that passes from the cache gets its report back from there. */
export function clearReports(root, folders) {
  for (const folder of folders) rmSync(join(root, folder, REPORTS), { recursive: true, force: true });
}

/**
 * Adds up the reports of these folders and keeps the sum under a label.
 *
 * In a run that failed, a folder of `expected` without a report has not come to its tests, because a build
 * failed, say: it counts as one failure.
 */
export function collect(root, label, { folders, expected, failed }) {
  const sum = { passed: 0, failed: 0, skipped: 0, failures: [] };
  for (const folder of folders) {
    const reports = reportsIn(join(root, folder, REPORTS));
    if (reports.length === 0 && failed && expected.includes(folder)) {
      sum.failed += 1;
      sum.failures.push(`${folder}: its tests did not run`);
    }
    for (const report of reports) {
      sum.passed += report.numPassedTests;
      // a file that does not load has no tests to count, but it did fail
      sum.failed += Math.max(report.numFailedTests, report.success ? 0 : 1);
      sum.skipped += report.numPendingTests + report.numTodoTests;
      sum.failures.push(...failuresOf(report, root, label));
    }
  }
  if (failed && sum.failed === 0) {
    sum.failed = 1;
    sum.failures.push(`[${label}] a target failed outside of every test: see the output above`);
  }
  keep(root, label, sum);
}

/** Keeps the sum of a run under a label. */
export function keep(root, label, sum) {
  mkdirSync(join(root, REPORTS), { recursive: true });
  writeFileSync(join(root, REPORTS, `${label}.json`), `${JSON.stringify(sum)}\n`);
}

/** The sum of the runs kept under these labels; of all of them when none is named. */
export function total(root, labels = []) {
  const wanted = labels.map((label) => `${label}.json`);
  const sum = { passed: 0, failed: 0, skipped: 0, failures: [] };
  const files = existsSync(join(root, REPORTS)) ? readdirSync(join(root, REPORTS)) : [];
  for (const file of files) {
    if (wanted.length > 0 && !wanted.includes(file)) continue;
    const part = JSON.parse(readFileSync(join(root, REPORTS, file), 'utf8'));
    sum.passed += part.passed;
    sum.failed += part.failed;
    sum.skipped += part.skipped;
    sum.failures.push(...part.failures);
  }
  return sum;
}

/** The end of a run of tests: each failure with its reason, then one closing line. */
export function closingLine({ passed, failed, skipped, failures }) {
  const told = failures.map((failure) => `${failure}\n\n`).join('');
  return `${told}${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`;
}

/** What failed in a report, as texts that stand alone in the last lines of a log. */
function failuresOf(report, root, label) {
  const failures = report.testResults.flatMap(({ name, status, message, assertionResults }) => {
    const file = relative(root, name);
    const tests = assertionResults.filter((test) => test.status === 'failed');
    if (tests.length === 0 && status === 'failed')
      return [`[${label}] FAILED ${file}\n${firstLines(message)}`];
    return tests.map(
      ({ fullName, failureMessages }) =>
        `[${label}] FAILED ${file}: ${fullName}\n${firstLines(failureMessages.join('\n'))}`,
    );
  });
  if (report.success || failures.length > 0) return failures;
  return [`[${label}] FAILED outside of every test, by an error nothing handled, say: see the output above`];
}

/** The reason without the frames of the test runner. */
function firstLines(text) {
  const lines = text.split('\n').filter((line) => !line.includes('node_modules'));
  return lines.slice(0, REASON_LINES).join('\n');
}

function reportsIn(folder) {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => /^vitest.*\.json$/.test(name));
  return files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}
