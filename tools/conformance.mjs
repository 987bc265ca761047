#!/usr/bin/env node
// Runs the official conformance suite against `mcpmux serve --http` with one server behind it (conformance/servers.mjs),
// and against mcpmux as the client of the servers of the suite (conformance/clients.mjs), and writes the results into
// docs/internals/conformance.json, which has the suite and the scenarios that cannot pass, too.
// The suite needs Node.js 22; both are installed below node_modules/.cache. Build first.
//
// usage: node tools/conformance.mjs [--check]     (--check: fails when a result is not the one in the file)
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { isDeepStrictEqual } from 'node:util';

import { clientResults, runClientScenarios } from './conformance/clients.mjs';
import { runServerScenarios, serverResults } from './conformance/servers.mjs';
import { runSkillScenarios, skillResults } from './conformance/skills.mjs';

const RUN_WITHIN_MS = 180_000;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'docs', 'internals', 'conformance.json');
const committed = JSON.parse(readFileSync(file, 'utf8'));
const cache = join(root, 'node_modules', '.cache', 'conformance');
const modules = join(cache, 'node_modules');
const suite = join(modules, '@modelcontextprotocol', 'conformance');
const folder = mkdtempSync(join(tmpdir(), 'mcpmux-conformance-'));

try {
  install();
  const servers = await runServerScenarios(folder, committed.impossible, runSuite);
  const clients = await runClientScenarios(suite, runSuite);
  const skills = await runSkillScenarios(folder, runSuite);
  for (const { status, output } of [...servers, ...clients, ...skills]) {
    if (status === 0) continue;
    process.stderr.write(`${output}\n`);
    process.exitCode = 1;
  }
  compare({
    ...committed,
    servers: serverResults(servers),
    clients: clientResults(clients),
    skills: skillResults(skills),
  });
} finally {
  rmSync(folder, { recursive: true });
}

function install() {
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{"private":true}');
  const flags = ['--prefix', cache, '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', ...flags, committed.suite, 'node@22'], {
    stdio: 'inherit',
  });
  if (status !== 0) throw new Error('the suite could not be installed');
}

/** Runs the suite with these words. Resolves with what it printed and its status. */
async function runSuite(...words) {
  const node = join(modules, 'node', 'bin', 'node');
  const args = [join(suite, 'dist', 'index.js'), ...words, '-o', folder];
  const child = spawn(node, args, { stdio: ['ignore', 'pipe', 'pipe'], timeout: RUN_WITHIN_MS });
  const printed = [child.stdout, child.stderr].map((stream) => text(stream));
  const [status] = await once(child, 'close');
  const output = (await Promise.all(printed)).join('');
  // oxlint-disable-next-line no-control-regex -- the suite colours what it prints
  return { output: output.replaceAll(/\u001B\[\d+m/g, ''), status };
}

function compare(now) {
  const isCheck = process.argv.includes('--check');
  const compared = isCheck ? { ...now, ...withoutFurtherPasses(now) } : now;
  if (isDeepStrictEqual(compared, committed)) return;
  if (isCheck) {
    for (const part of ['servers', 'clients', 'skills'])
      compared[part].forEach((run, index) => tellDifferences(run, committed[part][index]?.scenarios ?? {}));
    process.stderr.write(
      'docs/internals/conformance.json is not what the suite says: node tools/conformance.mjs\n',
    );
    process.exitCode = 1;
  } else writeFileSync(file, textOf(now));
}

/**
 * The results with the passes of the file where there are more now: some scenarios check each request, and how many requests
 * there are depends on time. Fewer passes, and any failure or warning, differ.
 */
function withoutFurtherPasses(now) {
  const parts = ['servers', 'clients', 'skills'].map((part) => {
    const runs = now[part].map((run, index) => {
      const before = committed[part][index]?.scenarios ?? {};
      const scenarios = Object.entries(run.scenarios).map(([name, [passed, ...others]]) => {
        const [recorded = passed] = before[name] ?? [];
        return [name, [Math.min(passed, recorded), ...others]];
      });
      return { ...run, scenarios: Object.fromEntries(scenarios) };
    });
    return [part, runs];
  });
  return Object.fromEntries(parts);
}

function tellDifferences({ revision, behind, scenarios }, before) {
  for (const name of new Set([...Object.keys(before), ...Object.keys(scenarios)])) {
    if (isDeepStrictEqual(scenarios[name], before[name])) continue;
    const where = behind === undefined ? 'client' : `with a server of ${behind}`;
    const [was, is] = [before[name], scenarios[name]].map((counts) => JSON.stringify(counts) ?? 'nothing');
    process.stderr.write(`${revision}, ${where}: ${name}: ${was} is now ${is}\n`);
  }
}

/** The counts of a scenario stand in one line, as the formatter of this repository has them. */
function textOf(results) {
  const json = JSON.stringify(results, null, 2);
  return `${json.replaceAll(/\[[^[\]{}]*\]/g, (counts) => JSON.stringify(JSON.parse(counts)).replaceAll(',', ', '))}\n`;
}
