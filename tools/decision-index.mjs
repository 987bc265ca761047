#!/usr/bin/env node
// Writes the index of docs/decisions/README.md: the number, the title and the status of each decision.
//
// usage: node tools/decision-index.mjs [--check]     (--check writes nothing and exits with 1 if the page is stale)
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { format, resolveConfig } from 'prettier';

const NAME = /^(\d{4})-.*\.md$/;
const TITLE = /^# \d{4}\. (.*)$/m;
const LINK = /\[(\d{4})\]\([^)]*\)/g;
const PARTS = /^[^]*?\n## Index\n/;

const folder = join(dirname(dirname(fileURLToPath(import.meta.url))), 'docs', 'decisions');
const file = join(folder, 'README.md');
const names = readdirSync(folder)
  .filter((name) => NAME.test(name))
  .toSorted();

/** The paragraph between the title and the context says if a later decision replaces or changes a decision. */
function statusOf(text) {
  const note = text.split('\n\n')[1]?.replaceAll('\n', ' ') ?? '';
  const links = [...note.matchAll(LINK)].map(([, number]) => number).join(', ');
  if (note.startsWith('**') || links === '') return 'in force';
  if (note.startsWith('Superseded by ')) return `superseded by ${links}`;
  if (note.startsWith('Replaces ')) return `in force; replaces ${links}`;
  if (note.startsWith('Supersedes ')) return `in force; replaces a part of ${links}`;
  return `in force; changed by ${links}`;
}

function row(name) {
  const text = readFileSync(join(folder, name), 'utf8');
  const [, title] = TITLE.exec(text) ?? [];
  if (title === undefined) throw new Error(`${name} has no title of the form "# 0000. Title"`);
  return `| [${name.slice(0, 4)}](${name}) | ${title} | ${statusOf(text)} |`;
}

/** Numbers that no page has. */
function gaps() {
  const numbers = new Set(names.map((name) => Number(name.slice(0, 4))));
  const missing = Array.from({ length: Math.max(...numbers) }, (_, number) => number).filter(
    (number) => !numbers.has(number),
  );
  return missing.map((number) => String(number).padStart(4, '0'));
}

const before = readFileSync(file, 'utf8');
const [introduction] = PARTS.exec(before) ?? [];
if (introduction === undefined) throw new Error(`${file} has no heading "## Index"`);
const page = `${introduction}
No page has the number ${gaps()
  .join(', ')
  .replace(/, (\d+)$/, ' or $1')}.

| number | decision | status |
| ------ | -------- | ------ |
${names.map(row).join('\n')}
`;
const text = await format(page, { ...(await resolveConfig(file)), parser: 'markdown' });
if (text !== before) {
  if (process.argv.includes('--check')) {
    process.stderr.write('docs/decisions/README.md is stale; run: node tools/decision-index.mjs\n');
    process.exitCode = 1;
  } else writeFileSync(file, text);
}
