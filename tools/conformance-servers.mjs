// The scenarios of the official conformance suite in which `mcpmux serve --http` is the server, with one server behind it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const cli = join(root, 'packages', 'cli', 'bin', 'mcpmux.cjs');
const fixtures = join(root, 'packages', 'test-servers', 'dist');

const LEGACY = { fixture: 'conformance', speaks: '2025-11-25' };
const MODERN = { fixture: 'conformance-modern', speaks: '2026-07-28' };
const PAIRS = [
  { revision: '2025-11-25', behind: LEGACY },
  { revision: '2026-07-28', behind: MODERN, beside: 'conformance-tasks' },
  { revision: '2025-11-25', behind: MODERN },
  { revision: '2026-07-28', behind: LEGACY },
];

/** Why a scenario that a revision requires cannot pass, by the server behind mcpmux and the scenario. */
const IMPOSSIBLE = [
  {
    behind: LEGACY,
    scenario: 'input-required-result-basic-elicitation',
    failed: 1,
    why: `The scenario looks for a question under the key \`user_name\`. A request of a legacy server has no such
key, so mcpmux numbers the questions: \`r1\`, \`r2\`, …. A client returns its answers under the keys that
it got.`,
  },
  {
    behind: LEGACY,
    scenario: 'input-required-result-capability-check',
    failed: 1,
    why: `The fixture asks only for what its client has declared in \`initialize\`. A legacy server is told once
what its clients take, at its start, and clients that come later cannot change that. If the
server asks anyway, the client whose request caused the question answers, provided that it declared
the capability. \`reload_server\` starts the server with the current capabilities.`,
  },
];

/**
 * Runs what each revision requires of servers, with a server of either era behind mcpmux.
 *
 * @param folder for configs
 * @param runSuite runs the suite with these words, and returns what it printed and its status
 */
export async function runServerScenarios(folder, runSuite) {
  const runs = [];
  for (const pair of PAIRS) {
    const one = { ...pair, output: await run(pair, folder, runSuite) };
    runs.push({ ...one, status: isAsExplained(one) ? 0 : 1 });
  }
  return runs;
}

/** The section of the page, in Markdown. */
export function serverSection(runs) {
  const [legacy, modern, ...crossed] = runs;
  const reasons = IMPOSSIBLE.map(({ scenario, why }, index) => `${index + 1}. \`${scenario}\`: ${why}`);
  return `## Server scenarios

The suite runs against \`mcpmux serve --http\` with one server behind it: the fixture \`conformance\` for
2025-11-25, \`conformance-modern\` for 2026-07-28. Beside the second, \`conformance-tasks\` has the tools of
the scenarios for tasks, an extension that the revision does not require. The scenarios call tools and
prompts by their bare names, which works while only one server has them.

${[legacy, modern].map(tableOf).join('\n\n')}

\`json-schema-2020-12\` looks a tool up in the list by its bare name. Behind mcpmux the list contains
its qualified name.

## Server scenarios across eras

The same scenarios, with a server of the other era behind mcpmux, and none beside it: no tool runs as a
task. A number refers to the list below the tables.

${crossed.map(tableOf).join('\n\n')}

Two scenarios ask for more than a bridge between the eras can do:

${reasons.join('\n')}
`;
}

async function run({ revision, behind, beside }, folder, runSuite) {
  const config = join(folder, `${behind.fixture}.json`);
  const everything = serverOf(behind.fixture);
  const mcpServers = { everything, ...(beside && { tasks: serverOf(beside) }) };
  writeFileSync(config, JSON.stringify({ mcpServers }));
  const front = spawn(process.execPath, [cli, 'serve', '--http', '0', '--config', config], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const { output } = await runSuite('server', '--url', await urlOf(front), '--requirements', revision);
    return output;
  } finally {
    front.kill('SIGTERM');
    await once(front, 'exit');
  }
}

function serverOf(fixture) {
  return { command: process.execPath, args: [join(fixtures, `${fixture}.js`)] };
}

/** The URL that the front says, once its server runs. */
async function urlOf(front) {
  let text = '';
  for await (const chunk of front.stderr) {
    text += chunk.toString();
    const url = /serving MCP at (\S+)/.exec(text)?.[1];
    if (url === undefined) continue;
    front.stderr.resume();
    while ((await fetch(url.replace(/mcp$/, 'readyz'))).status !== 200) {
      await new Promise((resolve) => setImmediate(resolve));
    }
    return url;
  }
  throw new Error(`mcpmux does not serve:\n${text}`);
}

/** Whether what failed of the required scenarios is what cannot be otherwise. */
function isAsExplained(one) {
  const results = resultsOf(one);
  const wrong = results.filter(
    ({ isRequired, failed, reason }) => isRequired && failed !== (reason?.failed ?? 0),
  );
  return results.length > 0 && wrong.length === 0;
}

function resultsOf({ output, revision, behind }) {
  const unscored = new Map(
    [...output.matchAll(/^ {2}[✓✗] (\S+) \(([\w-]+)\)$/gm)].map(([, name, reason]) => [name, reason]),
  );
  return [...output.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)].map(
    ([, name, passed, failed]) => ({
      name,
      passed: Number(passed),
      failed: Number(failed),
      counts: unscored.get(name) ?? 'required',
      isRequired: !unscored.has(name),
      reason: IMPOSSIBLE.find(
        (one) => one.scenario === name && one.behind === behind && behind.speaks !== revision,
      ),
    }),
  );
}

function tableOf(one) {
  const results = resultsOf(one);
  const required = results.filter(({ isRequired }) => isRequired);
  const sum = (key) => required.reduce((total, result) => total + result[key], 0);
  const rows = results.map(
    ({ name, counts, passed, failed, reason }) =>
      `| \`${name}\` | ${counts} | ${passed} | ${failed}${reason ? ` (${IMPOSSIBLE.indexOf(reason) + 1})` : ''} |`,
  );
  return `### ${one.revision}, with a server of ${one.behind.speaks}

${sum('passed')} of ${sum('passed') + sum('failed')} required checks pass.

| scenario | counts | checks passed | failed |
| - | - | -: | -: |
${rows.join('\n')}`;
}
