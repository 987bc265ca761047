#!/usr/bin/env node
// Runs the official conformance suite against `mcpmux serve --http` with one server behind it, and against mcpmux as the
// client of the servers of the suite (conformance-clients.mjs), and writes docs/conformance.md.
// The suite needs Node.js 22; both are installed below node_modules/.cache. Build first.
//
// usage: node tools/conformance.mjs [--check]     (--check: fails when the page is not what the suite says now)
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { format, resolveConfig } from 'prettier';

import { clientSection, runClientScenarios } from './conformance-clients.mjs';

const REVISION = '2025-11-25';
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const RUN_WITHIN_MS = 180_000;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'docs', 'conformance.md');
const cache = join(root, 'node_modules', '.cache', 'conformance');
const modules = join(cache, 'node_modules');
const suite = join(modules, '@modelcontextprotocol', 'conformance');
const folder = mkdtempSync(join(tmpdir(), 'mcpmux-conformance-'));

try {
  install();
  const server = await runServerScenarios();
  const clients = runClientScenarios(suite, runSuite);
  const output = [server, ...clients]
    .filter(({ status }) => status !== 0)
    .map(({ output: said }) => said)
    .join('\n');
  const text = await page(serverRows(server.output), clientSection(clients));
  const isStale = process.argv.includes('--check') && text !== readFileSync(file, 'utf8');
  if (isStale)
    process.stderr.write('docs/conformance.md is not what the suite says: node tools/conformance.mjs\n');
  else writeFileSync(file, text);
  process.stderr.write(output);
  if (output !== '' || isStale) process.exitCode = 1;
} finally {
  rmSync(folder, { recursive: true });
}

function install() {
  mkdirSync(cache, { recursive: true });
  writeFileSync(join(cache, 'package.json'), '{"private":true}');
  const flags = ['--prefix', cache, '--no-audit', '--no-fund', '--loglevel=error'];
  const { status } = spawnSync('npm', ['install', ...flags, SUITE, 'node@22'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the suite could not be installed');
}

async function runServerScenarios() {
  const server = join(root, 'packages', 'test-servers', 'dist', 'conformance.js');
  const config = join(folder, 'config.json');
  const mcpServers = { everything: { command: process.execPath, args: [server] } };
  writeFileSync(config, JSON.stringify({ mcpServers }));
  const cli = join(root, 'packages', 'cli', 'bin', 'mcpmux.cjs');
  const front = spawn(process.execPath, [cli, 'serve', '--http', '0', '--config', config], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  try {
    const url = await urlOf(front);
    return runSuite('server', '--url', url, '--requirements', REVISION);
  } finally {
    front.kill('SIGTERM');
    await once(front, 'exit');
  }
}

function runSuite(...words) {
  const node = join(modules, 'node', 'bin', 'node');
  const args = [join(suite, 'dist', 'index.js'), ...words, '-o', folder];
  const { stdout, stderr, status } = spawnSync(node, args, { encoding: 'utf8', timeout: RUN_WITHIN_MS });
  // oxlint-disable-next-line no-control-regex -- the suite colours what it prints
  return { output: `${stdout}${stderr}`.replaceAll(/\u001B\[\d+m/g, ''), status };
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

function serverRows(output) {
  const unscored = new Map(
    [...output.matchAll(/^ {2}[✓✗] (\S+) \(([\w-]+)\)$/gm)].map(([, name, reason]) => [name, reason]),
  );
  return [...output.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)].map(
    ([, name, passed, failed]) =>
      `| \`${name}\` | ${unscored.get(name) ?? 'required'} | ${passed} | ${failed} |`,
  );
}

function page(server, client) {
  const text = `# Conformance

The results of the official suite,
\`${SUITE}\`,
for the revision ${REVISION}. \`node tools/conformance.mjs\` writes this page.

## Server scenarios

The suite runs against \`mcpmux serve --http\` with one server behind it, the fixture \`conformance\`.
The scenarios call tools and prompts by their bare names, which works while only one server has
them.

| scenario | counts | checks passed | failed |
| - | - | -: | -: |
${server.join('\n')}

\`json-schema-2020-12\` looks a tool up in the list by its bare name. Behind mcpmux the list contains
its qualified name.

${client}`;
  return resolveConfig(file).then((options) => format(text, { ...options, parser: 'markdown' }));
}
