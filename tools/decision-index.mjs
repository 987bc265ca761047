#!/usr/bin/env node
// Writes the index of docs/decisions/README.md: the number and the title of each decision.
//
// usage: node tools/decision-index.mjs [--check]     (--check writes nothing and exits with 1 if the page is stale)
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { format, resolveConfig } from 'prettier';

const NAME = /^(\d{4})-.*\.md$/;
const TITLE = /^# \d{4}\. (.*)$/m;
const PARTS = /^[^]*?\n## Index\n/;

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs', 'decisions');
const file = join(folder, 'README.md');
const names = readdirSync(folder)
  .filter((name) => NAME.test(name))
  .toSorted();

function row(name) {
  const text = readFileSync(join(folder, name), 'utf8');
  const [, title] = TITLE.exec(text) ?? [];
  if (title === undefined) throw new Error(`${name} has no title of the form "# 0000. Title"`);
  return `| [${name.slice(0, 4)}](${name}) | ${title} |`;
}

const before = readFileSync(file, 'utf8');
const [introduction] = PARTS.exec(before) ?? [];
if (introduction === undefined) throw new Error(`${file} has no heading "## Index"`);
const page = `${introduction}
| number | decision |
| ------ | -------- |
${names.map(row).join('\n')}
`;
const text = await format(page, { ...(await resolveConfig(file)), parser: 'markdown' });
if (text !== before) {
  if (process.argv.includes('--check')) {
    process.stderr.write('docs/decisions/README.md is stale; run: node tools/decision-index.mjs\n');
    process.exitCode = 1;
  } else writeFileSync(file, text);
}
