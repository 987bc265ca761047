// The scenarios of the official conformance suite in which mcpmux is the client of the suite's server at a url.
import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

/** The revisions whose client scenarios are run. */
const REVISIONS = ['2025-11-25', '2026-07-28'];
const DRIVER = join(dirname(fileURLToPath(import.meta.url)), 'conformance-client.mjs');

/**
 * Runs what each revision requires of clients: the revisions side by side, the scenarios of one in turn, since some
 * measure the time that the client takes.
 *
 * @param suite the folder of the suite
 * @param runSuite runs the suite with these words, and returns what it printed and its status
 */
export async function runClientScenarios(suite, runSuite) {
  const words = ['client', '--command', `${process.execPath} ${DRIVER}`];
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

/** The section of the page, in Markdown. */
export function clientSection(runs) {
  const tables = REVISIONS.map((revision) => tableOf(revision, runs)).join('\n\n');
  return `## Client scenarios

The scenarios that each revision requires. A driver (\`tools/conformance-client.mjs\`) puts the server
of the suite into a config. Where the scenario requires a login, it runs \`mcpmux login\` and opens
its page. It starts \`mcpmux serve\`, calls every tool, reads every resource and gets every prompt. It
logs in again if an answer says so. The client behind mcpmux has the revision's era: version 1 of
the SDK for 2025-11-25, version 2 for 2026-07-28. A warning fails a scenario.

${tables}
`;
}

/** The client scenarios that a revision requires. */
function scenariosOf(suite, revision) {
  const requirements = readFileSync(join(suite, 'requirements', `${revision}.yaml`), 'utf8');
  const [, list = ''] = /^client:\n((?: {2}- \S+\n)+)/m.exec(requirements) ?? [];
  return [...list.matchAll(/\S+$/gm)].map(([name]) => name);
}

function tableOf(revision, runs) {
  const rows = runs.filter((run) => run.revision === revision);
  const passed = rows.filter(({ status }) => status === 0).length;
  return `### ${revision}

${passed} of ${rows.length} scenarios pass.

| scenario | checks passed | failed | warnings |
| - | -: | -: | -: |
${rows.map(rowOf).join('\n')}`;
}

function rowOf({ name, output }) {
  const counts = /^Passed: (\d+)\/\d+, (\d+) failed, (\d+) warnings/m.exec(output);
  const [, passed, failed, warnings] = counts ?? ['', '0', 'all', ''];
  return `| \`${name}\` | ${passed} | ${failed} | ${warnings} |`;
}
