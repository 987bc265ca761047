#!/usr/bin/env node
// Writes what the commands in the pages of docs and in the README of the cli print, by running them: every line that begins with "$ " in a console block.
// Each page has a home folder of its own.
// A block that names a file of the home folder is written there first; comments start and end a mcpmux:
//
//   <!-- start: mcpmux serve -->      <!-- end -->
//
// usage: node tools/cli-captures.mjs [--check]     (--check writes nothing and exits with 1 when a page is stale)
import { spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

import { CaptureHome } from './captures/home.mjs';
import { stable } from './captures/stable.mjs';
import { markdownFiles } from './markdown-files.mjs';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
let home;

for (const file of [...markdownFiles(join(root, 'docs')), join(root, 'packages', 'cli', 'README.md')]) {
  const before = readFileSync(file, 'utf8');
  if (before.includes('\n```console\n')) await recapture(file, before);
}

async function recapture(file, before) {
  home = new CaptureHome();
  try {
    const after = await captured(before);
    if (before === after) return;
    if (!process.argv.includes('--check')) writeFileSync(file, after);
    else fail(`${relative(root, file)} is stale: run node tools/cli-captures.mjs`);
  } finally {
    home.remove();
  }
}

function fail(message) {
  process.stderr.write(`${message}\n`);
  process.exitCode = 1;
}

/** The text with the output of every command as it is now. */
async function captured(text) {
  const result = [];
  let block;
  let serving;
  for (const line of text.trimEnd().split('\n')) {
    const start = /^<!-- start: (?<command>.+) -->$/.exec(line)?.groups?.command;
    if (start !== undefined) serving = await home.start(start);
    if (line === '<!-- end -->') await home.end(serving);
    if (block === undefined) {
      result.push(line);
      block = opened(line);
    } else if (line === '```') {
      result.push(...closed(block), line);
      block = undefined;
    } else block.lines.push(line);
  }
  return `${result.join('\n')}\n`;
}

/** A console block, or one that is the content of a file. */
function opened(line) {
  const { language, path } = /^```(?<language>\w+)(?: (?<path>~\/\S+))?$/.exec(line)?.groups ?? {};
  return language === undefined ? undefined : { language, path, lines: [] };
}

function closed({ language, path, lines }) {
  if (path !== undefined) home.write(path, `${lines.join('\n')}\n`);
  if (language !== 'console') return lines;
  return lines.flatMap((line) => (line.startsWith('$ ') ? [line].concat(outputOf(line.slice(2))) : []));
}

function outputOf(command) {
  const { stdout } = spawnSync('/bin/sh', ['-c', `{ ${command}\n} 2>&1`], {
    cwd: home.folder,
    env: home.env,
    encoding: 'utf8',
  });
  const text = stable(home.shown(stdout)).trimEnd();
  return text === '' ? [] : text.split('\n').map((line) => line.trimEnd());
}
