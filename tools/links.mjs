#!/usr/bin/env node
// Fails when a relative link of a Markdown file leads to no file or folder.
//
// usage: node tools/links.mjs
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { markdownFiles } from './markdown-files.mjs';

const FENCED = /^```.*?^```/gms;
const LINK = /\]\(([^)\s]+)(?:\s+"[^"]*")?\)/g;
const ELSEWHERE = /^(?:[a-z]+:|#)/i;

const root = dirname(dirname(fileURLToPath(import.meta.url)));

for (const file of markdownFiles(root)) {
  const text = readFileSync(file, 'utf8').replaceAll(FENCED, '');
  for (const [, target] of text.matchAll(LINK)) {
    if (ELSEWHERE.test(target)) continue;
    const [path] = decodeURI(target).split('#');
    if (existsSync(join(dirname(file), path))) continue;
    process.stderr.write(`${relative(root, file)}: ${target} leads nowhere\n`);
    process.exitCode = 1;
  }
}
