#!/usr/bin/env node
// Checks that the relative links of all Markdown files lead to a file or folder that exists.
//
// usage: node tools/links.mjs
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const SKIPPED = new Set(['node_modules', 'dist', '.git', '.nx', 'reports', 'coverage']);
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

function markdownFiles(folder) {
  const entries = readdirSync(folder, { withFileTypes: true }).filter(({ name }) => !SKIPPED.has(name));
  return entries.flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return markdownFiles(path);
    return entry.name.endsWith('.md') ? [path] : [];
  });
}
