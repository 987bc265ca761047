#!/usr/bin/env node
// Fails when a line of a tracked Markdown file is longer than 100 columns.
// Exempt: tables, fenced code, text that has no space to break at, and generated text.
//
// usage: node tools/markdown-width.mjs
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const MAX_COLUMNS = 100;
/** Lists of test titles and texts of licences: programs of this folder write them. */
const GENERATED_FILES = /(?:^|\/)(?:THIRD-PARTY-NOTICES|docs\/(?:faults|features|requirements))\.md$/;
const GENERATED_PARTS = /^<!-- (.*results): begin -->$.*?^<!-- \1: end -->$/gms;
const FENCED = /^ *(`{3,}).*?^ *\1$/gms;
const LINE_BREAK = /[^\n]/g;
const TABLE_ROW = /^\s*\|/;
/** A list marker, a quotation or an indent, and one word or link behind it. */
const UNBREAKABLE = /^\s*(?:[-*>]|\d+\.)?\s*(?:\S+|\[[^\]]*\]\(\S+\)\S*)$/;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { stdout } = spawnSync('git', ['ls-files', '-z', '*.md'], { cwd: root, encoding: 'utf8' });

for (const file of stdout.split('\0').filter(isChecked)) {
  const prose = readFileSync(join(root, file), 'utf8')
    .replaceAll(GENERATED_PARTS, blank)
    .replaceAll(FENCED, blank);
  for (const [index, line] of prose.split('\n').entries()) {
    const columns = [...line].length;
    if (columns <= MAX_COLUMNS || TABLE_ROW.test(line) || UNBREAKABLE.test(line)) continue;
    process.stderr.write(`${file}:${index + 1}: ${columns} columns; wrap it at ${MAX_COLUMNS}\n`);
    process.exitCode = 1;
  }
}

function isChecked(file) {
  return file !== '' && !GENERATED_FILES.test(file) && existsSync(join(root, file));
}

/** Empties the lines, so that those behind them keep their numbers. */
function blank(text) {
  return text.replaceAll(LINE_BREAK, '');
}
