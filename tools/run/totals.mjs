// Counts of tests and the failures among them. Vitest writes a report into the folder of each project; a run of
// tests ends with their sum, kept as reports/<label>.json at the root so that several runs can be added up.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';

import { projects } from './suites.mjs';

const REPORTS = 'reports';
const REASON_LINES = 12;
/** Programs that tests need, by a word of their source, and where to get them. */
const PROGRAMS = [
  {
    word: 'hasNatsServer',
    program: 'nats-server',
    get: 'apt-get install nats-server, or its path in MCPMUX_NATS_SERVER',
  },
  {
    word: 'hasBubblewrap',
    program: 'bubblewrap',
    get: 'apt-get install bubblewrap, or its path in MCPMUX_BWRAP',
  },
  { word: 'CHROMIUM', program: 'Chromium', get: 'apt-get install chromium, or its path in CHROMIUM' },
  { word: 'hasPython', program: 'Python', get: 'apt-get install python3' },
  { word: 'hasOpenssl', program: 'openssl', get: 'apt-get install openssl' },
];

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
  const sum = emptySum();
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
      countMissing(sum.without, report);
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
  const sum = emptySum();
  const files = existsSync(join(root, REPORTS)) ? readdirSync(join(root, REPORTS)) : [];
  for (const file of files) {
    if (wanted.length > 0 && !wanted.includes(file)) continue;
    const part = JSON.parse(readFileSync(join(root, REPORTS, file), 'utf8'));
    sum.passed += part.passed;
    sum.failed += part.failed;
    sum.skipped += part.skipped;
    for (const [program, tests] of Object.entries(part.without ?? {})) count(sum.without, program, tests);
    sum.failures.push(...part.failures);
  }
  return sum;
}

/** The end of a run of tests: each failure with its reason, the programs that skipped tests need, then one closing line. */
export function closingLine({ passed, failed, skipped, without, failures }) {
  const reasons = failures.map((failure) => `${failure}\n\n`).join('');
  const missing = PROGRAMS.filter(({ program }) => without[program] > 0).map(
    ({ program, get }) => `${without[program]} tests skipped: they need ${program} (${get})\n`,
  );
  return `${reasons}${missing.join('')}${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`;
}

function emptySum() {
  return { passed: 0, failed: 0, skipped: 0, without: {}, failures: [] };
}

function count(without, program, tests) {
  without[program] = (without[program] ?? 0) + tests;
}

/** Adds the skipped tests of a report to the counts of the programs that they need and this machine lacks. */
function countMissing(without, report) {
  for (const { name, assertionResults } of report.testResults) {
    const skipped = assertionResults.filter(
      ({ status }) => status === 'pending' || status === 'skipped',
    ).length;
    if (skipped === 0) continue;
    const source = readFileSync(name, 'utf8');
    const needed = PROGRAMS.find(({ word }) => source.includes(word));
    if (needed !== undefined) count(without, needed.program, skipped);
  }
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
