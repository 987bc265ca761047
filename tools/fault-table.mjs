#!/usr/bin/env node
// Writes docs/internals/faults.md: for each fault the required outcome (tools/faults.json) and the tests that show it.
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

This page lists the faults that mcpmux survives and the tests that show it.
\`node tools/fault-table.mjs\` writes it from the titles of the tests and from \`tools/faults.json\`. The
check fails if the page is stale, if a row has neither a test nor a reason, or if a test names a row
that does not exist.

- **shown**: the tests below show the outcome
- **in part**: the tests show the outcome except for the part that the reason names
- **open**: not implemented yet
- **out of scope**: not a task of mcpmux; the reason says whose task it is

A title without the word \`fault\` before an A or an H is about a [requirement](requirements.md). The
check runs files named \`*.fuzz.test.ts\` and \`*.chaos.test.ts\` with fixed seeds; a command runs them
with any other. \`*.soak.test.ts\` run by command only ([soak.md](soak.md)).
`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'docs', 'internals', 'faults.md');
const sections = JSON.parse(readFileSync(join(root, 'tools', 'faults.json'), 'utf8'));
const tests = titledTests(root);

const problems = problemsOf(rows());
for (const problem of problems) process.stderr.write(`${problem}\n`);
const text = await format(page(), { ...(await resolveConfig(file)), parser: 'markdown' });
const isStale = !existsSync(file) || readFileSync(file, 'utf8') !== text;
if (!process.argv.includes('--check')) writeFileSync(file, text);
else if (isStale) process.stderr.write('docs/internals/faults.md is stale: run node tools/fault-table.mjs\n');
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
