#!/usr/bin/env node
// Fails when a line of a Markdown file is longer than 100 columns.
// Exempt: tables, headings, fenced code, text that has no space to break at, and generated text.
//
// usage: node tools/markdown-width.mjs
import { readFileSync } from 'node:fs';
import { dirname, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { markdownFiles } from './markdown-files.mjs';

const MAX_COLUMNS = 100;
/** Lists of test titles and texts of licences: programs of this folder write them. */
const GENERATED_FILES =
  /(?:^|\/)(?:THIRD-PARTY-NOTICES|docs\/(?:features|internals\/(?:faults|requirements)))\.md$/;
const GENERATED_PARTS = /^<!-- (.*results): begin -->$.*?^<!-- \1: end -->$/gms;
const FENCED = /^ *(`{3,}).*?^ *\1$/gms;
const LINE_BREAK = /[^\n]/g;
const TABLE_ROW = /^\s*\|/;
const HEADING = /^#+ /;
/** A list marker, a quotation or an indent, and one word or link behind it. */
const UNBREAKABLE = /^\s*(?:[-*>]|\d+\.)?\s*(?:\S+|\[[^\]]*\]\(\S+\)\S*)$/;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
for (const path of markdownFiles(root)) {
  const file = relative(root, path).replaceAll('\\', '/');
  if (GENERATED_FILES.test(file)) continue;
  const prose = readFileSync(path, 'utf8').replaceAll(GENERATED_PARTS, blank).replaceAll(FENCED, blank);
  for (const [index, line] of prose.split('\n').entries()) {
    const columns = Array.from(line).length;
    if (columns <= MAX_COLUMNS || isExempt(line)) continue;
    process.stderr.write(`${file}:${index + 1}: ${columns} columns; wrap it at ${MAX_COLUMNS}\n`);
    process.exitCode = 1;
  }
}

function isExempt(line) {
  return TABLE_ROW.test(line) || HEADING.test(line) || UNBREAKABLE.test(line);
}

/** Empties the lines, so that those behind them keep their numbers. */
function blank(text) {
  return text.replaceAll(LINE_BREAK, '');
}
