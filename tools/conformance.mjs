#!/usr/bin/env node
// Runs the official conformance suite against `mcpmux serve --http` with one server behind it, and writes docs/conformance.md.
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

const REVISION = '2025-11-25';
const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const RUN_WITHIN_MS = 180_000;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'docs', 'conformance.md');
const cache = join(root, 'node_modules', '.cache', 'conformance');
const folder = mkdtempSync(join(tmpdir(), 'mcpmux-conformance-'));

try {
  install();
  const { output, status } = await runSuite();
  const text = await page(output);
  const isStale = process.argv.includes('--check') && text !== readFileSync(file, 'utf8');
  if (isStale)
    process.stderr.write('docs/conformance.md is not what the suite says: node tools/conformance.mjs\n');
  else writeFileSync(file, text);
  if (status !== 0 || isStale) {
    process.stderr.write(output);
    process.exitCode = 1;
  }
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

async function runSuite() {
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
    const node = join(cache, 'node_modules', 'node', 'bin', 'node');
    const suite = join(cache, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
    const args = [suite, 'server', '--url', url, '--requirements', REVISION, '-o', folder];
    const { stdout, status } = spawnSync(node, args, { encoding: 'utf8', timeout: RUN_WITHIN_MS });
    return { output: stdout, status };
  } finally {
    front.kill('SIGTERM');
    await once(front, 'exit');
  }
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

function page(output) {
  // oxlint-disable-next-line no-control-regex -- the suite colours what it prints
  const plain = output.replaceAll(/\u001B\[\d+m/g, '');
  const unscored = new Map(
    [...plain.matchAll(/^ {2}[✓✗] (\S+) \(([\w-]+)\)$/gm)].map(([, name, reason]) => [name, reason]),
  );
  const rows = [...plain.matchAll(/^[✓✗] (\S+): (\d+) passed, (\d+) failed/gm)].map(
    ([, name, passed, failed]) =>
      `| \`${name}\` | ${unscored.get(name) ?? 'required'} | ${passed} | ${failed} |`,
  );
  const text = `# Conformance

The results of the server scenarios of the official suite,
\`${SUITE}\`,
for the revision ${REVISION}. The suite runs against \`mcpmux serve --http\` with one server behind it,
the fixture \`conformance\`. The scenarios call tools and prompts by their bare names, which works
while only one server has them. \`node tools/conformance.mjs\` writes this page.

| scenario | counts | checks passed | failed |
| - | - | -: | -: |
${rows.join('\n')}

\`json-schema-2020-12\` looks a tool up in the list by its bare name. Behind mcpmux the list contains
its qualified name.
`;
  return resolveConfig(file).then((options) => format(text, { ...options, parser: 'markdown' }));
}
