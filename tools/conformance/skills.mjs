// The scenarios of the Skills extension (SEP-2640) for servers, with a folder of skills (`mcpmux skills`) behind
// `mcpmux serve --http`. No set of required scenarios has them, and those for hosts are not for a gateway: it verifies
// no digests.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { urlOf } from './servers.mjs';

const root = dirname(dirname(dirname(fileURLToPath(import.meta.url))));
const cli = join(root, 'packages', 'cli', 'bin', 'mcpmux.cjs');
const SCENARIOS = ['enumeration', 'manifest', 'directory'].map((name) => `sep-2640-skills-${name}`);
const REVISIONS = ['2025-11-25', '2026-07-28'];
const FILES = {
  'refunds/SKILL.md': '---\nname: refunds\ndescription: Processes a refund\n---\n\nUse templates/mail.md.\n',
  'refunds/templates/mail.md': 'Dear customer\n',
  'weekly-report/SKILL.md': '---\nname: weekly-report\ndescription: Writes the report\n---\n\nOn Fridays.\n',
};

/**
 * @param folder for the skills and the config
 * @param runSuite runs the suite with these words, and returns what it printed and its status
 */
export async function runSkillScenarios(folder, runSuite) {
  const front = spawn(process.execPath, [cli, 'serve', '--http', '0', '--config', configIn(folder)], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const url = await urlOf(front);
    const runs = [];
    for (const revision of REVISIONS) {
      const outputs = [];
      for (const name of SCENARIOS) outputs.push({ name, ...(await runOne(url, revision, name, runSuite)) });
      const output = outputs.map((one) => one.output).join('\n');
      runs.push({ revision, outputs, output, status: outputs.every(({ failed }) => failed === 0) ? 0 : 1 });
    }
    return runs;
  } finally {
    front.kill('SIGTERM');
    await once(front, 'exit');
  }
}

/** The checks passed and the failed ones of each scenario. */
export function skillResults(runs) {
  return runs.map(({ revision, outputs }) => ({
    revision,
    scenarios: Object.fromEntries(outputs.map(({ name, passed, failed }) => [name, [passed, failed]])),
  }));
}

async function runOne(url, revision, name, runSuite) {
  const words = ['--url', url, '--scenario', name, '--spec-version', revision, '--force'];
  const { output } = await runSuite('server', ...words);
  const [, passed, , failed] = /Passed: (\d+)\/(\d+), (\d+) failed/.exec(output) ?? [output, 0, 0, 1];
  return { output, passed: Number(passed), failed: Number(failed) };
}

function configIn(folder) {
  const skills = join(folder, 'skills');
  for (const [name, text] of Object.entries(FILES)) {
    mkdirSync(dirname(join(skills, name)), { recursive: true });
    writeFileSync(join(skills, name), text);
  }
  const config = join(folder, 'skills.json');
  const server = { command: process.execPath, args: [cli, 'skills', skills] };
  writeFileSync(config, JSON.stringify({ mcpServers: { skills: server } }));
  return config;
}
