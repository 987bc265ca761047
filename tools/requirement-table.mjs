#!/usr/bin/env node
// Writes docs/internals/requirements.md: each requirement (tools/requirements.json) and the tests that show it, by their titles.
//
// usage: node tools/requirement-table.mjs [--check]     (--check writes nothing and exits with 1 when something is wrong)
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { format, resolveConfig } from 'prettier';

import { testItem, titledTests } from './test-titles.mjs';

const INTRODUCTION = `# Requirements

This page lists the requirements of mcpmux and the tests that show them.
\`node tools/requirement-table.mjs\` writes it from the titles of the tests and from
\`tools/requirements.json\`. The check fails if the page is stale, if a row has no test, or if a test
names a row that does not exist. [Features](../features.md) has each method of the protocol, and
[faults](faults.md) the errors.
`;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const file = join(root, 'docs', 'internals', 'requirements.md');
const sections = Object.values(JSON.parse(readFileSync(join(root, 'tools', 'requirements.json'), 'utf8')));
const tests = titledTests(root);
const isCheck = process.argv.includes('--check');

const problems = problemsOf();
for (const problem of problems) process.stderr.write(`${problem}\n`);
const page = [INTRODUCTION, ...sections.map(sectionText)].join('\n');
const text = await format(page, { ...(await resolveConfig(file)), parser: 'markdown' });
const isStale = !existsSync(file) || readFileSync(file, 'utf8') !== text;
if (!isCheck) writeFileSync(file, text);
else if (isStale)
  process.stderr.write('docs/internals/requirements.md is stale: run node tools/requirement-table.mjs\n');
if (problems.length > 0 || (isStale && isCheck)) process.exitCode = 1;

function showing(id) {
  return tests.filter(({ requirements }) => requirements.includes(id));
}

function problemsOf() {
  const known = sections.flatMap(({ rows }) => Object.keys(rows));
  const empty = known.filter((id) => showing(id).length === 0);
  const strange = tests.flatMap(({ requirements, path, title }) =>
    requirements.filter((id) => !known.includes(id)).map((id) => `${path}: there is no row ${id}: ${title}`),
  );
  return [...empty.map((id) => `${id} has no test`), ...strange];
}

function sectionText({ title, rows }) {
  const lines = Object.entries(rows).map(([id, meaning]) => {
    return [`- **${id}** ${meaning}`, ...showing(id).map(testItem)].join('\n');
  });
  return `## ${title}\n\n${lines.join('\n')}`;
}
