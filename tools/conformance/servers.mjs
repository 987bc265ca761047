// The scenarios of the official conformance suite in which `mcpmux serve --http` is the server, with one server behind it.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
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

/**
 * Runs what each revision requires of servers, with a server of either era behind mcpmux.
 *
 * @param folder for configs
 * @param impossible the required scenarios that cannot pass: the revision of the server behind mcpmux, how many checks fail
 * @param runSuite runs the suite with these words, and returns what it printed and its status
 */
export async function runServerScenarios(folder, impossible, runSuite) {
  const runs = [];
  for (const pair of PAIRS) {
    const one = { ...pair, output: await run(pair, folder, runSuite) };
    runs.push({ ...one, status: isAsExplained(one, impossible) ? 0 : 1 });
  }
  return runs;
}

/** The checks passed and the failed ones of each scenario, and why it does not count if it is not required. */
export function serverResults(runs) {
  return runs.map((one) => {
    const scenarios = resultsOf(one).map(({ name, passed, failed, uncounted }) => [
      name,
      [passed, failed, ...(uncounted === undefined ? [] : [uncounted])],
    ]);
    return { revision: one.revision, behind: one.behind.speaks, scenarios: Object.fromEntries(scenarios) };
  });
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
export async function urlOf(front) {
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
function isAsExplained(one, impossible) {
  const results = resultsOf(one);
  const explained = (name) =>
    impossible.find(({ scenario, behind }) => scenario === name && behind === one.behind.speaks)?.failed ?? 0;
  const wrong = results.filter(
    ({ name, failed, uncounted }) => uncounted === undefined && failed !== explained(name),
  );
  return results.length > 0 && wrong.length === 0;
}

function resultsOf({ output }) {
  const uncounted = new Map(
    [...output.matchAll(/^ {2}[✓✗] (\S+) \(([\w-]+)\)$/gm)].map(([, name, reason]) => [name, reason]),
  );
  return [...output.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)].map(
    ([, name, passed, failed]) => ({
      name,
      passed: Number(passed),
      failed: Number(failed),
      uncounted: uncounted.get(name),
    }),
  );
}
