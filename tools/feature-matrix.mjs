#!/usr/bin/env node
// Writes the tables of docs/features.md from the report of the end-to-end suite that runs one client script with
// a server alone and through mcpmux.
//
// usage: node tools/feature-matrix.mjs [--check]     (--check writes nothing and exits with 1 when the file is stale)
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { format, resolveConfig } from 'prettier';

import { erasSection } from './feature-eras.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const report = join(root, 'e2e', 'reports', 'surface.json');
const cellsReport = join(root, 'e2e', 'reports', 'cells.json');
const file = join(root, 'docs', 'features.md');

const INTRODUCTION = `# Feature matrix

This page compares the messages that a client gets from a server alone and through mcpmux. One
client script runs both ways, and all messages that reach the client are compared in their order.
One of the rules at the end explains each difference; there are no others.
\`node tools/feature-matrix.mjs\` generates the page from the end-to-end tests.
`;

const EPILOGUE = `Several \`list_changed\` notifications in a short time are merged into one. A step that waits for one
shows it.

Servers at urls (S13) have tests of their own. They run over Streamable HTTP, with JSON answers and
streams, with sessions and without, and over SSE: lists, calls, progress, questions, cancellation,
new tools, lost sessions, headers (\`packages/core/src/mux/mux-remote*.int.test.ts\`,
\`e2e/src/remote.e2e.test.ts\`), server-everything (\`e2e/src/real-servers.e2e.test.ts\`), and every
row of the next table with the server at a url (\`e2e/src/cells-at-url.e2e.test.ts\`).
`;

const { rows, rules } = readReport(report);
const eras = readReport(cellsReport);
const text = await format(page(), { ...(await resolveConfig(file)), parser: 'markdown' });

if (!existsSync(file) || readFileSync(file, 'utf8') !== text) {
  if (process.argv.includes('--check')) fail('docs/features.md is stale: run node tools/feature-matrix.mjs');
  writeFileSync(file, text);
}

function readReport(path) {
  if (!existsSync(path)) fail(`${path} is missing: run the end-to-end tests first`);
  return JSON.parse(readFileSync(path, 'utf8'));
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exit(1);
}

function page() {
  const servers = [...new Set(rows.map(({ server }) => server))];
  const rest = [ruleTable(), EPILOGUE, erasSection(eras, table)];
  return [INTRODUCTION, ...servers.map(section), '## Rules\n', ...rest].join('\n');
}

function section(server) {
  const body = rows.filter((row) => row.server === server).map(cellsOf);
  return `## ${server}\n\n${table(['', 'method', 'behaviour', 'alone', 'through mcpmux', 'rules'], body)}`;
}

function cellsOf({ row, method, does, direct, through, isExplained, rules: named }) {
  const outcome = direct === through ? 'the same' : through;
  return [row, `\`${method}\``, does, direct, isExplained ? outcome : 'not yet', named.join(', ')];
}

function ruleTable() {
  return table(['rule', 'what it explains'], Object.entries(rules));
}

function table(head, body) {
  const lines = [head, head.map(() => '-'), ...body].map(
    (cells) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`,
  );
  return `${lines.join('\n')}\n`;
}
