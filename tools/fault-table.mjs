#!/usr/bin/env node
// Writes docs/faults.md: for each fault the outcome that is required (tools/faults.json) and the tests that show it.
// A test shows a row when its title begins with the row's id: `it('B12: …')`, `it('C3, C4: …')`, `it('fault A1: …')` for the letters A and H.
//
// usage: node tools/fault-table.mjs [--check]     (--check writes nothing and exits with 1 when something is wrong)
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { format, resolveConfig } from 'prettier';

import { testItem, titledTests } from './test-titles.mjs';

const INTRODUCTION = `# Faults

What mcpmux survives, and the tests that show it. This page is written by \`node tools/fault-table.mjs\` from the
titles of the tests and from \`tools/faults.json\`; the check fails when it is stale, when a row has neither a test nor
a reason, and when a test names a row that does not exist.

- **shown**: the tests below show the outcome
- **in part**: they show it but for what the reason says
- **open**: not there yet
- **out of scope**: not for mcpmux, and the reason says for whom

A title without the word \`fault\` before an A or an H is about a [requirement](requirements.md). Files named \`*.fuzz.test.ts\` and \`*.chaos.test.ts\` run in the check with fixed seeds, and with any other by command;
\`*.soak.test.ts\` run by command only ([soak.md](soak.md)).
`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'docs', 'faults.md');
const sections = JSON.parse(readFileSync(join(root, 'tools', 'faults.json'), 'utf8'));
const tests = titledTests(root);

const problems = problemsOf(rows());
for (const problem of problems) process.stderr.write(`${problem}\n`);
const text = await format(page(), { ...(await resolveConfig(file)), parser: 'markdown' });
const isStale = !existsSync(file) || readFileSync(file, 'utf8') !== text;
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (isStale) process.stderr.write('docs/faults.md is stale: run node tools/fault-table.mjs\n');
if (problems.length > 0 || (isStale && process.argv.includes('--check'))) process.exitCode = 1;

function rows() {
  return Object.values(sections).flatMap((section) =>
    Object.entries(section.rows).map(([id, { outcome, reason, scope }]) => {
      return { id, outcome, reason, scope, tests: showing(id) };
    }),
  );
}

function showing(id) {
  return tests.filter(({ faults }) => faults.includes(id));
}

function problemsOf(all) {
  const known = new Set(all.map(({ id }) => id));
  const areas = new Set(Object.keys(sections));
  return [
    ...all
      .filter((row) => row.tests.length === 0 && row.reason === undefined)
      .map(({ id }) => `${id} has neither a test nor a reason`),
    ...tests.flatMap(({ faults, path, title }) =>
      faults
        .filter((id) => areas.has(id[0]) && !known.has(id))
        .map((id) => `${path}: there is no row ${id}: ${title}`),
    ),
  ];
}

function statusOf({ scope, reason, tests: shown }) {
  if (scope === 'out') return 'out of scope';
  if (shown.length === 0) return 'open';
  return reason === undefined ? 'shown' : 'in part';
}

function page() {
  return [INTRODUCTION, summary(), ...Object.values(sections).map(sectionText)].join('\n');
}

function summary() {
  const states = ['shown', 'in part', 'open', 'out of scope'];
  const lines = Object.entries(sections).map(([area, { title, rows: own }]) => {
    const all = Object.entries(own).map(([id, row]) => statusOf({ ...row, tests: showing(id) }));
    const counts = states.map((state) => all.filter((other) => other === state).length);
    return `| ${area} | ${title} | ${all.length} | ${counts.join(' | ')} |`;
  });
  return `| | area | rows | ${states.join(' | ')} |\n| - | - | -: | -: | -: | -: | -: |\n${lines.join('\n')}\n`;
}

function sectionText({ title, rows: own }) {
  const lines = Object.entries(own).map(([id, row]) => rowText(id, { ...row, tests: showing(id) }));
  return `## ${title}\n\n${lines.join('\n')}`;
}

function rowText(id, row) {
  const reason = row.reason === undefined ? [] : [`  - _${row.reason}_`];
  return [`- **${id}** (${statusOf(row)}) ${row.outcome}`, ...reason, ...row.tests.map(testItem)].join('\n');
}
