#!/usr/bin/env node
// Runs the official conformance suite against `mcpmux serve --http` with one server behind it (conformance-servers.mjs),
// and against mcpmux as the client of the servers of the suite (conformance-clients.mjs), and writes docs/internals/conformance.md.
// The suite needs Node.js 22; both are installed below node_modules/.cache. Build first.
//
// usage: node tools/conformance.mjs [--check]     (--check: fails when the page is not what the suite says now)
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

import { format, resolveConfig } from 'prettier';

import { clientSection, runClientScenarios } from './conformance-clients.mjs';
import { runServerScenarios, serverSection } from './conformance-servers.mjs';

const SUITE = '@modelcontextprotocol/conformance@0.2.0-alpha.12';
const RUN_WITHIN_MS = 180_000;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'docs', 'internals', 'conformance.md');
const cache = join(root, 'node_modules', '.cache', 'conformance');
const modules = join(cache, 'node_modules');
const suite = join(modules, '@modelcontextprotocol', 'conformance');
const folder = mkdtempSync(join(tmpdir(), 'mcpmux-conformance-'));

try {
  install();
  const servers = await runServerScenarios(folder, runSuite);
  const clients = await runClientScenarios(suite, runSuite);
  const output = [...servers, ...clients]
    .filter(({ status }) => status !== 0)
    .map(({ output: said }) => said)
    .join('\n');
  const written = await page(serverSection(servers), clientSection(clients));
  const isStale = process.argv.includes('--check') && written !== readFileSync(file, 'utf8');
  if (isStale)
    process.stderr.write(
      'docs/internals/conformance.md is not what the suite says: node tools/conformance.mjs\n',
    );
  else writeFileSync(file, written);
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

function page(server, client) {
  const markdown = `# Conformance

The results of the official suite,
\`${SUITE}\`,
for the revisions 2025-11-25 and 2026-07-28. \`node tools/conformance.mjs\` writes this page.

${server}
${client}`;
  return resolveConfig(file).then((options) =>
    format(markdown, { ...options, parser: 'markdown', proseWrap: 'always', printWidth: 100 }),
  );
}
