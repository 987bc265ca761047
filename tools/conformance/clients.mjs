// The scenarios of the official conformance suite in which mcpmux is the client of the suite's server at a url.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The revisions whose client scenarios are run. */
const REVISIONS = ['2025-11-25', '2026-07-28'];
/** What a client may take on a busy machine, in place of the suite's 30 s. */
const TIMEOUT_MS = '150000';
const DRIVER = join(dirname(fileURLToPath(import.meta.url)), 'client.mjs');

/**
 * Runs what each revision requires of clients: the revisions side by side, the scenarios of one in turn, since some
 * measure the time that the client takes.
 *
 * @param suite the folder of the suite
 * @param runSuite runs the suite with these words, and returns what it printed and its status
 */
export async function runClientScenarios(suite, runSuite) {
  const words = ['client', '--timeout', TIMEOUT_MS, '--command', `${process.execPath} ${DRIVER}`];
  const runsOf = async (revision) => {
    const runs = [];
    for (const name of scenariosOf(suite, revision)) {
      const run = await runSuite(...words, '--scenario', name, '--spec-version', revision);
      runs.push({ revision, name, ...run });
    }
    return runs;
  };
  return (await Promise.all(REVISIONS.map(runsOf))).flat();
}

/** The checks passed, the failed ones and the warnings of each scenario, by its revision. */
export function clientResults(runs) {
  return REVISIONS.map((revision) => {
    const its = runs.filter((run) => run.revision === revision);
    return {
      revision,
      scenarios: Object.fromEntries(its.map(({ name, output }) => [name, countsOf(output)])),
    };
  });
}

/** The client scenarios that a revision requires. */
function scenariosOf(suite, revision) {
  const requirements = readFileSync(join(suite, 'requirements', `${revision}.yaml`), 'utf8');
  const [, list = ''] = /^client:\n((?: {2}- \S+\n)+)/m.exec(requirements) ?? [];
  return [...list.matchAll(/\S+$/gm)].map(([name]) => name);
}

/** A run that says no counts has failed as a whole. */
function countsOf(output) {
  const counts = /^Passed: (\d+)\/\d+, (\d+) failed, (\d+) warnings/m.exec(output);
  return counts === null ? [0, 'all', 0] : counts.slice(1).map(Number);
}
