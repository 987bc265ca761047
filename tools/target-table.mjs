#!/usr/bin/env node
// Fails if the table of targets in CONTRIBUTING.md differs from the targets of the projects.
// The column `projects` has names in backticks, `all`, or `all but` and names. `workspace` is the root of the repository.
//
// usage: node tools/target-table.mjs
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import process from 'node:process';
import { fileURLToPath } from 'node:url';

const ROW = /^\| `([a-z0-9-]+)` +\| ([^|]*?) +\|/gm;
const NAMES = /`([a-z0-9-]+)`/g;

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const [, section] = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8').split(/^## Targets$/m);
const rows = new Map([...section.split(/^## /m)[0].matchAll(ROW)].map(([, target, cell]) => [target, cell]));
const targets = new Map(
  [...readdirSync(join(root, 'packages')).map((name) => join('packages', name)), 'bench', 'e2e', 'site']
    .filter((folder) => existsSync(join(root, folder, 'project.json')))
    .map((folder) => [folder.replace(/^packages[/\\]/, ''), targetsOf(folder)]),
);
const all = [...targets.keys()];
targets.set('workspace', targetsOf('.'));

function targetsOf(folder) {
  return Object.keys(JSON.parse(readFileSync(join(root, folder, 'project.json'), 'utf8')).targets);
}

function projectsOf(cell) {
  const named = [...cell.matchAll(NAMES)].map(([, name]) => name);
  return cell.startsWith('all') ? all.filter((name) => !named.includes(name)) : named;
}

for (const target of new Set([...targets.values()].flat())) {
  const projects = [...targets].filter(([, names]) => names.includes(target)).map(([name]) => name);
  const cell = rows.get(target);
  const told = new Set(cell === undefined ? [] : projectsOf(cell));
  if (told.size === projects.length && projects.every((name) => told.has(name))) continue;
  process.stderr.write(`CONTRIBUTING.md: the target ${target} belongs to: ${projects.join(', ')}\n`);
  process.exitCode = 1;
}
for (const target of rows.keys()) {
  if ([...targets.values()].some((names) => names.includes(target))) continue;
  process.stderr.write(`CONTRIBUTING.md: no project has the target ${target}\n`);
  process.exitCode = 1;
}
