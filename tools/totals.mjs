// Counts of tests. Vitest writes a report into the folder of each project; a run of tests ends with
// their sum, kept as reports/<label>.json at the root so that several runs can be added up.
import { existsSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

const REPORTS = 'reports';

/** The folders of all projects that have one of these targets. */
export function foldersWith(root, targets) {
  const packages = readdirSync(join(root, 'packages')).map((name) => join('packages', name));
  return [...packages, 'e2e', 'bench'].filter((folder) => {
    const file = join(root, folder, 'project.json');
    if (!existsSync(file)) return false;
    const project = JSON.parse(readFileSync(file, 'utf8'));
    return targets.some((target) => Object.hasOwn(project.targets, target));
  });
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
  const sum = { passed: 0, failed: 0, skipped: 0 };
  for (const folder of folders) {
    const reports = reportsIn(join(root, folder, REPORTS));
    if (reports.length === 0 && failed && expected.includes(folder)) sum.failed += 1;
    for (const report of reports) {
      sum.passed += report.numPassedTests;
      // a file that does not load has no tests to count, but it did fail
      sum.failed += Math.max(report.numFailedTests, report.success ? 0 : 1);
      sum.skipped += report.numPendingTests + report.numTodoTests;
    }
  }
  // a run can fail outside of every test, by an error after the last one, say
  if (failed) sum.failed = Math.max(sum.failed, 1);
  mkdirSync(join(root, REPORTS), { recursive: true });
  writeFileSync(join(root, REPORTS, `${label}.json`), `${JSON.stringify(sum)}\n`);
}

/** The sum of the runs kept under these labels; of all of them when none is named. */
export function total(root, labels = []) {
  const wanted = labels.map((label) => `${label}.json`);
  const sum = { passed: 0, failed: 0, skipped: 0 };
  const files = existsSync(join(root, REPORTS)) ? readdirSync(join(root, REPORTS)) : [];
  for (const file of files) {
    if (wanted.length > 0 && !wanted.includes(file)) continue;
    const part = JSON.parse(readFileSync(join(root, REPORTS, file), 'utf8'));
    sum.passed += part.passed;
    sum.failed += part.failed;
    sum.skipped += part.skipped;
  }
  return sum;
}

/** The closing line of a run of tests. */
export function closingLine({ passed, failed, skipped }) {
  return `${passed} passed, ${failed} failed${skipped > 0 ? `, ${skipped} skipped` : ''}\n`;
}

function reportsIn(folder) {
  if (!existsSync(folder)) return [];
  const files = readdirSync(folder).filter((name) => /^vitest.*\.json$/.test(name));
  return files.map((name) => JSON.parse(readFileSync(join(folder, name), 'utf8')));
}
