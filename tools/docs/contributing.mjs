// The two lists of CONTRIBUTING.md: the targets of the projects, and the programs of this folder.
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const TARGET = /^\| `([a-z0-9-]+)` +\| ([^|]*?) +\|/gm;
const ROOT_TARGET = /^- `([a-z0-9-]+)`: /gm;
const NAMES = /`([a-z0-9-]+)`/g;
const PROGRAM = /^- `([a-z0-9-]+\.mjs)`/gm;

/**
 * What differs between the lists and the repository.
 *
 * The column `projects` of the targets has names in backticks, `all`, or `all but` and names. `workspace` is the root,
 * whose own targets are a list below the table.
 */
export function contributingProblems(root) {
  const text = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8');
  return [
    ...targetProblems(root, sectionOf(text, 'Targets')),
    ...toolProblems(root, sectionOf(text, 'Tools')),
  ].map((problem) => `CONTRIBUTING.md: ${problem}`);
}

function sectionOf(text, title) {
  const [, rest] = text.split(`\n## ${title}\n`);
  if (rest === undefined) throw new Error(`CONTRIBUTING.md has no heading "## ${title}"`);
  return rest.split(/^## /m)[0];
}

function toolProblems(root, section) {
  const told = new Set([...section.matchAll(PROGRAM)].map(([, name]) => name));
  const programs = readdirSync(join(root, 'tools')).filter((name) => name.endsWith('.mjs'));
  return [
    ...programs.filter((name) => !told.has(name)).map((name) => `no line says what tools/${name} saves`),
    ...[...told].filter((name) => !programs.includes(name)).map((name) => `there is no tools/${name}`),
  ];
}

function targetProblems(root, section) {
  const rows = new Map([
    ...[...section.matchAll(ROOT_TARGET)].map(([, target]) => [target, '`workspace`']),
    ...[...section.matchAll(TARGET)].map(([, target, cell]) => [target, cell]),
  ]);
  const folders = [
    ...readdirSync(join(root, 'packages')).map((name) => join('packages', name)),
    'bench',
    'e2e',
    'site',
  ];
  const targets = new Map(
    folders
      .filter((folder) => existsSync(join(root, folder, 'project.json')))
      .map((folder) => [folder.replace(/^packages[/\\]/, ''), targetsOf(root, folder)]),
  );
  const all = [...targets.keys()];
  targets.set('workspace', targetsOf(root, '.'));
  const named = new Set([...targets.values()].flat());
  return [
    ...[...named].flatMap((target) => {
      const projects = [...targets].filter(([, names]) => names.includes(target)).map(([name]) => name);
      const told = new Set(projectsOf(rows.get(target) ?? '', all));
      const isSame = told.size === projects.length && projects.every((name) => told.has(name));
      return isSame ? [] : [`the target ${target} belongs to: ${projects.join(', ')}`];
    }),
    ...[...rows.keys()]
      .filter((target) => !named.has(target))
      .map((target) => `no project has the target ${target}`),
  ];
}

function targetsOf(root, folder) {
  return Object.keys(JSON.parse(readFileSync(join(root, folder, 'project.json'), 'utf8')).targets);
}

function projectsOf(cell, all) {
  const named = [...cell.matchAll(NAMES)].map(([, name]) => name);
  return cell.startsWith('all') ? all.filter((name) => !named.includes(name)) : named;
}
